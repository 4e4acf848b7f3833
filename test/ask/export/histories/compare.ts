import { readdirSync } from "node:fs";
import { expect } from "vitest";
import { readLogState } from "../../../../src/ask/export/log-state.ts";
import { type ExportRun, readView } from "./lake.ts";
import type { Truth } from "./truth.ts";

/** Compares the view of a log, for some chains, with the indexers at the blocks that the log names. */
export async function compare(run: ExportRun, truth: Pick<Truth, "rows">, chains: readonly string[]) {
  const { question, path } = run;
  const state = readLogState(path, "lake");
  const view = chains.length > 0 ? await readView(run) : new Map<string, string>();
  for (const chain of chains) {
    const head = state?.chains.find((one) => one.chain === chain)?.head;
    const rows = head === undefined ? [] : truth.rows(question.operation.subgraph, chain, head);
    const wanted = rows?.map(({ id, amount, withdrawnAmount, hash }) => {
      const shown = question.operation.name === "Actions" ? hash : `${amount},${withdrawnAmount}`;
      return [`${chain} ${id}`, String(shown)];
    });
    const found = [...view].filter(([key]) => key.startsWith(`${chain} `));
    expect(Object.fromEntries(found)).toEqual(Object.fromEntries(wanted ?? []));
  }
  const names = readdirSync(path).filter((name) => !/^(part-\d{6}\.\w+|_lockflow\.json)$/.test(name));
  // A process that is killed while it takes over a lock leaves the unused old one.
  expect(names.filter((name) => !/\.lock-\d+$/.test(name))).toEqual([]);
}
