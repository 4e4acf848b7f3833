import type { RowSource } from "../../emulator/dataset/dataset.ts";
import { createProtocolDatasets } from "../../emulator/indexers/protocol-dataset.ts";
import type { Row } from "../../emulator/styles/read-view.ts";
import { capitalize } from "../../src/base/text.ts";
import { BUILT_IN_PROTOCOLS } from "../../src/project/protocols.ts";

/** The entities that the merged indexer has once per protocol. */
const FAMILIES: readonly string[] = ["Stream", "Action", "Batch"];

/** The counters that shared entities of the merged indexer have once per protocol. */
const COUNTERS: Readonly<Record<string, readonly string[]>> = {
  Watcher: ["actionCounter", "streamCounter"],
  Batcher: ["batchCounter"],
};

/** The seeded rows of Lockup and Flow on one chain, as the merged indexer of `examples/merged` would store them. */
export function createMergedRows(chainId: number, source: RowSource): Record<string, readonly Row[]> {
  const datasets = createProtocolDatasets(source);
  const merged = new Map<string, Map<string, Row>>();
  for (const protocol of BUILT_IN_PROTOCOLS) {
    const { model, chain } = datasets(protocol, "subgraph");
    const { storeAt, firstHead } = chain(chainId);
    for (const { kind, name } of model.definitions) {
      if (kind !== "entity") continue;
      const entity = FAMILIES.includes(name) ? `${capitalize(protocol)}${name}` : name;
      const rows = merged.get(entity) ?? new Map<string, Row>();
      merged.set(entity, rows);
      for (const row of storeAt(firstHead).rows(name)) {
        const id = String(row["id"]);
        rows.set(id, { ...(rows.get(id) ?? noCounts(name)), ...withCounters(name, protocol, row) });
      }
    }
  }
  return Object.fromEntries([...merged].map(([entity, rows]) => [entity, [...rows.values()]]));
}

function noCounts(entity: string): Row {
  const counters = COUNTERS[entity] ?? [];
  return Object.fromEntries(
    BUILT_IN_PROTOCOLS.flatMap((protocol) => counters.map((name) => [prefixed(protocol, name), "0"])),
  );
}

function withCounters(entity: string, protocol: string, row: Row): Row {
  const counters = COUNTERS[entity] ?? [];
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      counters.includes(name) ? prefixed(protocol, name) : name,
      value,
    ]),
  );
}

function prefixed(protocol: string, name: string): string {
  return `${protocol}${capitalize(name)}`;
}
