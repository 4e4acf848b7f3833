import { SEVERITIES } from "../finding.ts";
import { DRIFT } from "./drift.ts";
import { ENDPOINTS } from "./endpoints.ts";
import type { Explanation } from "./explanation.ts";
import { FILES } from "./files.ts";
import { STYLES } from "./styles.ts";

/** What every code of a finding stands for. */
export const EXPLANATIONS: Readonly<Record<string, Explanation>> = {
  ...DRIFT,
  ...STYLES,
  ...ENDPOINTS,
  ...FILES,
};

/** Explains a code; null when it is none. */
export function explain(code: string): Explanation | null {
  return Object.hasOwn(EXPLANATIONS, code) ? (EXPLANATIONS[code] ?? null) : null;
}

/** Renders the explanation of a code for people; null when it is none. */
export function renderExplanation(code: string): string | null {
  const explanation = explain(code);
  if (explanation === null) return null;
  const { means, matters, act } = explanation;
  return [
    ...[code, `  ${means}`, "", "Why it matters", `  ${matters}`, ""],
    ...renderSeverities(code, explanation),
    ...["What to do", `  ${act}`],
  ].join("\n");
}

function renderSeverities(code: string, { severities = {} }: Explanation): string[] {
  const said = SEVERITIES.flatMap((severity) => {
    const text = severities[severity];
    return text === undefined ? [] : [`  ${severity.padEnd(WIDTH)}  ${text}`];
  });
  if (said.length === 0) return [];
  // What a change is by itself says nothing of what follows from it.
  const worse = code.startsWith("drift/") && severities.breaking === undefined ? [`  ${WORSE}`] : [];
  return ["What its severity says", ...said, ...worse, ""];
}

const WIDTH = Math.max(...SEVERITIES.map((severity) => severity.length));

const WORSE =
  "A worse one comes from what is derived of it: the finding names what that is, and --verbose all of it.";
