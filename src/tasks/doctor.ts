import { LockflowError } from "../base/errors.ts";
import {
  type CheckContext,
  type CheckResult,
  type ProjectContext,
  problem,
  type Status,
  skipped,
} from "./doctor/context.ts";
import { checkConfig, checkDisk, checkGenerated } from "./doctor/disk.ts";
import {
  checkCollation,
  checkEndpoints,
  checkLifecycle,
  checkQuota,
  checkVariables,
} from "./doctor/endpoints.ts";
import { checkEnvFiles, checkKeys, checkPublicKeys } from "./doctor/keys.ts";
import {
  checkCodegen,
  checkGraphql,
  checkModules,
  checkNode,
  checkPackages,
  checkTypescript,
} from "./doctor/tools.ts";

/** A result, and the name of its check. */
export type NamedResult = CheckResult & { readonly check: string };

/** A check says nothing, one thing or several. */
type Check<C = CheckContext> = (context: C) => readonly CheckResult[] | Promise<readonly CheckResult[]>;

/** Every check by name, in the order of the report. */
const CHECKS: readonly (readonly [name: string, check: Check])[] = [
  ["node", checkNode],
  ["packages", checkPackages],
  ["graphql", checkGraphql],
  ["codegen", checkCodegen],
  ["typescript", checkTypescript],
  ["config", checkConfig],
  ["generated", ofProject(checkGenerated, "Without a configuration nothing is known of it.")],
  ["modules", ofProject(checkModules)],
  ["status", ofProject(checkLifecycle)],
  ["keys", ofProject(checkKeys, "Without a configuration no key is known of.")],
  ["variables", ofProject(checkVariables)],
  ["public", ofProject(checkPublicKeys, "Without a configuration no key is known of.")],
  ["env files", checkEnvFiles],
  ["disk", checkDisk],
  ["endpoints", ofProject(checkEndpoints, "Without a configuration no endpoint is known of.")],
  ["quota", ofProject(checkQuota)],
  ["collation", ofProject(checkCollation, "Without a configuration no endpoint is known of.")],
];

/** A check that needs a project, and what is said without one. */
function ofProject(check: Check<ProjectContext>, without?: string): Check {
  return (context) => {
    const { project } = context;
    if (!(project instanceof LockflowError)) return check({ ...context, project });
    return without === undefined ? [] : [skipped(without)];
  };
}

/** Runs every check. One that fails says so and stops no other. */
export async function runChecks(context: CheckContext): Promise<NamedResult[]> {
  const results = await Promise.all(
    CHECKS.map(async ([check, run]) => (await runAlone(run, context)).map((one) => ({ check, ...one }))),
  );
  return results.flat();
}

async function runAlone(run: Check, context: CheckContext): Promise<readonly CheckResult[]> {
  try {
    return await run(context);
  } catch (error) {
    if (error instanceof LockflowError) return [problem(error.sentence, error.hint)];
    const sentence = `It could not be looked at: ${error instanceof Error ? error.message : String(error)}`;
    return [problem(sentence, "report it as a bug of Lockflow, with this line")];
  }
}

const WIDTH = 80;

/** In the order of the report: what is wrong is read first. */
const STATUSES: readonly Status[] = ["problem", "warning", "skipped", "ok"];

/** Renders diagnoses for people: what is wrong, what is not, and at the end what to type. */
export function renderResults(diagnoses: readonly NamedResult[]): string {
  const rows = STATUSES.flatMap((status) => diagnoses.filter((one) => one.status === status));
  const longest = Math.max(...rows.map(({ check }) => check.length));
  const lines = rows.flatMap(({ status, check, sentence }) =>
    hang(`${status.padEnd(7)}  ${check.padEnd(longest)}  `, sentence),
  );
  const fixes = new Set(rows.flatMap(({ fix }) => fix ?? []));
  if (fixes.size > 0) lines.push("", "What to do");
  for (const [index, fix] of [...fixes].entries())
    lines.push(...hang(`${String(index + 1).padStart(3)}. `, fix));
  return `${[...lines, "", summarize(diagnoses)].join("\n")}\n`;
}

function summarize(diagnoses: readonly NamedResult[]): string {
  const counts = (["problem", "warning"] as const).flatMap((status) => {
    const found = diagnoses.filter((one) => one.status === status).length;
    return found === 0 ? [] : [`${found} ${status}${found === 1 ? "" : "s"}`];
  });
  return counts.length === 0 ? "Nothing is wrong." : `${counts.join(", ")}.`;
}

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
