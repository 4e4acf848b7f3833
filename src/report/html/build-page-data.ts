import { displayText } from "../../base/text.ts";
import type { RenderOptions, Report } from "../report.ts";
import { buildCoverage } from "./build-coverage.ts";
import { buildFindings } from "./build-findings.ts";
import { buildFleet } from "./build-fleet.ts";
import { buildParity } from "./build-parity.ts";
import { chainsByDeployment } from "./chains-by-deployment.ts";
import { displayLines } from "./display-lines.ts";
import type { PageData } from "./page-data.ts";

/** More than these nobody looks through, and a page with them would not open. */
const MOST_FINDINGS = 5000;

/** Builds what the page of a report shows. Strangers' texts are made fit to be shown; that they are text is up to the page. */
export function buildPageData(report: Report, { accept }: Pick<RenderOptions, "accept">): PageData {
  const chainsOf = chainsByDeployment(report);
  const findings = report.findings.slice(0, MOST_FINDINGS);
  const { outcome, run, operations, sources = [], protocols } = report;
  return {
    exit: outcome.exit,
    command: displayText(`lockflow ${run.command}`, []),
    startedAt: run.startedAt,
    deployments: chainsOf.size,
    operations: operations.length,
    fleet: buildFleet(report),
    parity: protocols === undefined ? null : protocols.map(buildParity),
    coverage: buildCoverage(report, chainsOf),
    findings: buildFindings(findings, report, chainsOf, accept),
    more: report.findings.length - findings.length,
    sources: sources.map(({ file, line, text }) => ({
      file: displayText(file, []),
      line,
      lines: displayLines(text),
    })),
  };
}
