import { basename, dirname, isAbsolute, relative, resolve } from "node:path";
import { writeFiles } from "../base/disk/write-files.ts";
import type { ProjectPlace } from "../project/open-project.ts";
import { type Form, RENDERERS } from "../report/forms/index.ts";
import type { RenderOptions } from "../report/renderer.ts";
import type { Report } from "../report/report.ts";
import { FLEET_RECORD_PATH } from "../snapshots/fleet-record.ts";
import type { CommandContext } from "./context.ts";
import type { Judging } from "./parse-judging.ts";

/** What a command makes of a rendered report, where it has more to show than a report holds. */
export type Decorate = (form: Form, text: string) => string;

/** Writes every report that was asked for. */
export async function writeReports(
  context: CommandContext,
  { root, output }: ProjectPlace,
  report: Report,
  { reports, verbose, accept }: Pick<Judging, "reports" | "verbose"> & Pick<RenderOptions, "accept">,
  decorate: Decorate = (_, text) => text,
): Promise<void> {
  const anchor = `${output}/${FLEET_RECORD_PATH}`;
  const folder = folderInCheckout(root, context.env["GITHUB_WORKSPACE"]);
  for (const { form, file, stream } of reports) {
    const color = file === null && context.colors?.[stream] === true;
    const text = decorate(form, RENDERERS[form].render(report, { color, verbose, anchor, folder, accept }));
    // One form is there to give commands to the reader of a log, and lets none through that it has not made.
    const streams = form === "github" ? context.asIs : context;
    if (file === null) streams[stream](text);
    else {
      const path = resolve(context.cwd, file);
      await writeFiles(dirname(path), [{ path: basename(path), content: text }]);
    }
  }
}

/** Where a project lies in a checkout: GitHub shows nothing at a path that is not from there. */
function folderInCheckout(root: string, checkout: string | undefined): string {
  if (!checkout) return "";
  const folder = relative(checkout, root).replaceAll("\\", "/");
  return folder === "" || folder.startsWith("..") || isAbsolute(folder) ? "" : `${folder}/`;
}
