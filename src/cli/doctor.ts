import { dirname } from "node:path";
import { jsonWithoutCommands } from "../base/clean-text.ts";
import { findConfig } from "../project/load-project.ts";
import { createProgress } from "../report/terminal.ts";
import type { Status } from "../tasks/doctor/context.ts";
import { type Diagnosis, diagnose } from "../tasks/doctor.ts";
import { findPackageManager } from "../tasks/init/detect-repository.ts";
import type { CommandContext, ExitCode } from "./context.ts";
import type { Options } from "./options.ts";
import { projectOptions } from "./task-options.ts";

/** `lockflow doctor`: reports what is wrong around Lockflow, and what to type. It changes nothing. */
export async function runDoctor(context: CommandContext, options: Options<"doctor">): Promise<ExitCode> {
  const { cwd, env, node, err, isTerminal } = context;
  // A missing file that the command line names is an error of the command line, not of the project.
  const configPath = findConfig(cwd, options.config);
  const root = configPath === null ? cwd : dirname(configPath);
  const diagnoses = await diagnose({
    ...projectOptions(context, options),
    ...{ configPath, env, node, environment: options.environment, isOffline: options.offline },
    packageManager: await findPackageManager(root, env["npm_config_user_agent"]),
    startProgress: (total) => createProgress({ total, what: "endpoints", write: err, isTerminal }),
  });
  context.out(options.json ? renderJson(diagnoses) : renderDiagnoses(diagnoses));
  return diagnoses.some(({ status }) => status === "problem") ? 1 : 0;
}

function renderJson(diagnoses: readonly Diagnosis[]): string {
  return `${jsonWithoutCommands(JSON.stringify({ version: 1, diagnoses }, null, 2))}\n`;
}

/** Renders diagnoses for people: first what is wrong, last what to type. */
function renderDiagnoses(diagnoses: readonly Diagnosis[]): string {
  const rows = STATUSES.flatMap((status) => diagnoses.filter((one) => one.status === status));
  const longest = Math.max(...rows.map(({ check }) => check.length));
  const lines = rows.flatMap(({ status, check, sentence }) =>
    hang(`${status.padEnd(7)}  ${check.padEnd(longest)}  `, sentence),
  );
  const fixes = new Set(rows.map(({ fix }) => fix).filter((fix) => fix !== null));
  if (fixes.size > 0) lines.push("", "What to do");
  for (const [index, fix] of [...fixes].entries())
    lines.push(...hang(`${String(index + 1).padStart(3)}. `, fix));
  return `${[...lines, "", summarize(diagnoses)].join("\n")}\n`;
}

const STATUSES: readonly Status[] = ["problem", "warning", "skipped", "ok"];

/** Wraps a text behind a head, between words only: a path that is longer than a line stays whole, to be copied. */
function hang(head: string, text: string): string[] {
  let line = head;
  const lines: string[] = [];
  for (const word of text.split(/\s+/)) {
    if (line.length > head.length && line.length + 1 + word.length > WIDTH) {
      lines.push(line);
      line = " ".repeat(head.length);
    }
    line += line.length > head.length ? ` ${word}` : word;
  }
  return [...lines, line];
}

const WIDTH = 80;

function summarize(diagnoses: readonly Diagnosis[]): string {
  const counts = (["problem", "warning"] as const)
    .map((status) => ({ status, found: diagnoses.filter((one) => one.status === status).length }))
    .filter(({ found }) => found > 0)
    .map(({ status, found }) => `${found} ${status}${found === 1 ? "" : "s"}`);
  return counts.length === 0 ? "Nothing is wrong." : `${counts.join(", ")}.`;
}
