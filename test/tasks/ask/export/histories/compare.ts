import { readFileSync } from "node:fs";
import { expect } from "vitest";
import { countRows, parseState, statePath } from "../../../../../src/tasks/ask/export/export-state.ts";
import { CHAINS, type ExportRun, listStrays, readLake } from "./lake.ts";
import type { Truth } from "./truth.ts";

/** Compares a lake, its state and the files beside it with the indexers. */
export async function compare(run: ExportRun, truth: Truth) {
  const { question, confirmations, isLatest } = run;
  const lake = await readLake(run);
  const versions = new Map<string, unknown[]>();
  for (const { chain, id, withdrawnAmount, amount, hash } of lake) {
    const key = `${chain} ${id}`;
    versions.set(key, [...(versions.get(key) ?? []), [amount, withdrawnAmount, hash].join()]);
  }
  const wanted = Object.keys(CHAINS).flatMap((chain) =>
    truth
      .rows(question.operation.subgraph, chain, confirmations)
      .map(({ id, amount, withdrawnAmount, hash }) => {
        return [`${chain} ${id}`, [amount, withdrawnAmount, hash].join()] as const;
      }),
  );
  const last = [...versions].map(([key, found]) => [key, found.at(-1)]);
  const keys = new Set<string>(wanted.map(([key]) => key));
  // Without --latest, a row that left the filter keeps its last version.
  const shown =
    isLatest || !/Open/.test(question.operation.name) ? last : last.filter(([key]) => keys.has(String(key)));
  expect(shown.sort()).toEqual([...wanted].sort());
  if (isLatest || question.operation.name === "Actions") expect(lake).toHaveLength(versions.size);
  expect(listStrays(run)).toEqual([]);
  const state = parseState(readFileSync(statePath(run.path), "utf8"), "state");
  expect(countRows(state)).toBe(lake.length);
}
