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
  return [code, `  ${means}`, "", "Why it matters", `  ${matters}`, "", "What to do", `  ${act}`].join("\n");
}
