import { dirname } from "node:path";
import { findConfig } from "../../project/load-project.ts";
import { createProgress, wrapBehind } from "../../report/terminal.ts";
import type { Status } from "../../tasks/doctor/context.ts";
import { type Diagnosis, diagnose } from "../../tasks/doctor.ts";
import { findPackageManager } from "../../tasks/init/detect-repository.ts";
import type { CommandContext, ExitCode } from "../context.ts";
import type { Options } from "../options.ts";
import { projectOptions, renderJson } from "../task-options.ts";

/** `lockflow doctor`: reports problems of the setup and how to fix them. Changes nothing. */
export async function runDoctor(context: CommandContext, options: Options<"doctor">): Promise<ExitCode> {
  const { cwd, env, node, err, isTerminal } = context;
  // Throws if --config names a missing file: that is a usage error, not a diagnosis.
  const configPath = findConfig(cwd, options.config);
  const root = configPath === null ? cwd : dirname(configPath);
  const diagnoses = await diagnose({
    ...projectOptions(context, options),
    configPath,
    env,
    node,
    environment: options.environment,
    isOffline: options.offline,
    packageManager: await findPackageManager(root, env["npm_config_user_agent"]),
    startProgress: (total) => createProgress({ total, what: "endpoints", write: err, isTerminal }),
  });
  context.out(options.json ? renderJson({ version: 1, diagnoses }) : renderDiagnoses(diagnoses));
  return diagnoses.some(({ status }) => status === "problem") ? 1 : 0;
}

/** Renders diagnoses as text: problems first, then the fixes as a numbered list. */
function renderDiagnoses(diagnoses: readonly Diagnosis[]): string {
  const rows = STATUSES.flatMap((status) => diagnoses.filter((diagnosis) => diagnosis.status === status));
  const longest = Math.max(...rows.map(({ check }) => check.length));
  const lines = rows.flatMap(({ status, check, sentence }) =>
    wrapBehind(`${status.padEnd(7)}  ${check.padEnd(longest)}  `, sentence, WIDTH),
  );
  const fixes = new Set(rows.map(({ fix }) => fix).filter((fix) => fix !== null));
  if (fixes.size > 0) lines.push("", "What to do");
  for (const [index, fix] of [...fixes].entries()) {
    lines.push(...wrapBehind(`${String(index + 1).padStart(3)}. `, fix, WIDTH));
  }
  return `${[...lines, "", summarize(diagnoses)].join("\n")}\n`;
}

const STATUSES: readonly Status[] = ["problem", "warning", "skipped", "ok"];

const WIDTH = 80;

function summarize(diagnoses: readonly Diagnosis[]): string {
  const counts = (["problem", "warning"] as const)
    .map((status) => ({ status, count: diagnoses.filter((diagnosis) => diagnosis.status === status).length }))
    .filter(({ count }) => count > 0)
    .map(({ status, count }) => `${count} ${status}${count === 1 ? "" : "s"}`);
  return counts.length === 0 ? "Nothing is wrong." : `${counts.join(", ")}.`;
}
