import { buildPageData } from "../html/build-page-data.ts";
import { pageAssets } from "../html/page-assets.ts";
import { renderPage } from "../html/render-page.ts";
import type { Renderer } from "../renderer.ts";
import { exitLine, verdictOf } from "../verdict.ts";

/** A page that people look at: one file that asks nobody for anything. */
export const html: Renderer = {
  isForPrograms: true,
  showsDetails: true,
  render: (report, options) => {
    const head = { verdict: verdictOf(report), exit: exitLine(report), version: report.run.version };
    return renderPage(buildPageData(report, options), head, pageAssets());
  },
};
