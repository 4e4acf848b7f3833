import { parseReport } from "../report/parse-report.ts";
import { parseReports } from "../report/parse-reports.ts";
import type { RenderOptions } from "../report/renderer.ts";
import type { CommandContext, ExitCode } from "./context.ts";
import type { Options } from "./options.ts";
import { reportForms } from "./parse-judging.ts";
import { readFile } from "./read-file.ts";
import { writeReports } from "./write-reports.ts";

/** `lockflow report`: what a run reported as JSON, in any form. */
export async function runReport(context: CommandContext, options: Options<"report">): Promise<ExitCode> {
  const { cwd, positionals } = context;
  const [path = ""] = positionals;
  const reports = parseReports(reportForms(options));
  const report = parseReport(await readFile(cwd, path, "write it with `--report json=<file>`."), path);
  const place = { root: cwd, output: "generated" };
  const accept = acceptedFrom(report.run.command);
  await writeReports(context, place, report, { reports, verbose: options.verbose, accept });
  return 0;
}

/** How what a command found is accepted: what the snapshots show is found again, two named schemas are not. */
function acceptedFrom(command: string): RenderOptions["accept"] {
  if (command === "diff" || command === "check") return "snapshots";
  return command.startsWith("diff ") ? "never" : "report";
}
