import { capitalize } from "../../base/identifier.ts";
import { SEVERITIES } from "../finding.ts";
import type { Code } from "./code.ts";
import { DRIFT } from "./drift.ts";
import { ENDPOINTS } from "./endpoints.ts";
import { FILES } from "./files.ts";
import { STYLES } from "./styles.ts";

/** Every code that a finding can have. */
export const CODES: ReadonlyMap<string, Code> = new Map(
  Object.entries({ ...DRIFT, ...STYLES, ...ENDPOINTS, ...FILES }),
);

/** What to do about findings of a code, whatever their facts. */
export function actOn({ act, fix }: Code): string {
  return act ?? capitalize(fix ?? "");
}

/** Renders the explanation of a code for people; null when it is none. */
export function renderExplanation(name: string): string | null {
  const code = CODES.get(name);
  if (code === undefined) return null;
  return [
    ...[name, `  ${code.means}`, "", "Why it matters", `  ${code.matters}`, ""],
    ...renderSeverities(name, code),
    ...["What to do", `  ${actOn(code)}`],
  ].join("\n");
}

function renderSeverities(name: string, { severities = {} }: Code): string[] {
  const said = SEVERITIES.flatMap((severity) => {
    const text = severities[severity];
    return text === undefined ? [] : [`  ${severity.padEnd(WIDTH)}  ${text}`];
  });
  if (said.length === 0) return [];
  // What a change is by itself says nothing of what follows from it.
  const worse = name.startsWith("drift/") && severities.breaking === undefined ? [`  ${WORSE}`] : [];
  return ["What its severity says", ...said, ...worse, ""];
}

const WIDTH = Math.max(...SEVERITIES.map((severity) => severity.length));

const WORSE =
  "A worse one comes from what is derived of it: the finding names what that is, and --verbose all of it.";
