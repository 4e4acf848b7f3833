import { compareCodeUnits } from "../base/compare-code-units.ts";
import type { Memory, Remembered } from "./memory.ts";

/** Renders what is kept for the next run: one deployment a line, in code-unit order of name. */
export function renderMemory(memory: Memory): string {
  const lines = byKey(memory).map(([name, remembered]) => `    ${renderDeployment(name, remembered)}`);
  const body = lines.length === 0 ? "" : `\n${lines.join(",\n")}\n  `;
  return `{\n  "version": 1,\n  "deployments": [${body}]\n}\n`;
}

function renderDeployment(name: string, { silentSince, heads }: Remembered): string {
  return JSON.stringify({
    name,
    silentSince,
    heads: byKey(heads).map(([chain, { block, since, furthest }]) => ({ chain, block, since, furthest })),
  });
}

function byKey<T>(map: ReadonlyMap<string, T>): [string, T][] {
  return [...map].sort(([a], [b]) => compareCodeUnits(a, b));
}
