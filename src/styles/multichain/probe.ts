import { isObject } from "../../base/is-object.ts";
import type { ApiSchema } from "../../schema/api-schema.ts";
import { fieldsOf } from "../../schema/fields-of.ts";
import type { Probe, ProbeReading } from "../style.ts";

/** Asks a multichain deployment for its watchers, one per chain, and for its progress by chain. */
export const multichainProbe: Probe = {
  query: (schema) => {
    const parts = [watchersQuery(schema), progressQuery(schema)].filter((part) => part !== null);
    return `{ ${parts.length > 0 ? parts.join(" ") : "__typename"} }`;
  },
  parse: (data) => {
    const progress = progressOf(data);
    return {
      chainIds: hasKey(data, "Watcher")
        ? watchersOf(data)
        : (progress?.map(({ chainId }) => chainId) ?? null),
      heads: (progress ?? []).flatMap(({ chainId, block }) => (block === null ? [] : [{ chainId, block }])),
      // The platform stops at an error and reports none.
      hasIndexingErrors: false,
      deployment: null,
    };
  },
};

/** The most rows of one answer; more chains than this there are not. */
const LIMIT = 1000;

/** Where a release shows its progress, the newer place first (E). */
const PROGRESS = [
  { root: "_meta", chain: "chainId", block: "progressBlock" },
  { root: "chain_metadata", chain: "chain_id", block: "latest_processed_block" },
] as const;

type Progress = { readonly chainId: number; readonly block: number | null };

function watchersQuery(schema: ApiSchema): string | null {
  const asked =
    hasFields(schema, schema.queryType, ["Watcher"]) && hasFields(schema, "Watcher", ["id", "chainId"]);
  return asked ? `Watcher(limit: ${LIMIT}) { id chainId }` : null;
}

function progressQuery(schema: ApiSchema): string | null {
  for (const { root, chain, block } of PROGRESS) {
    if (hasFields(schema, schema.queryType, [root]) && hasFields(schema, root, [chain, block])) {
      return `${root}(order_by: {${chain}: asc}) { ${chain} ${block} }`;
    }
  }
  return null;
}

function hasFields(schema: ApiSchema, typeName: string, names: readonly string[]): boolean {
  const fields = fieldsOf(schema, typeName);
  return names.every((name) => fields.some((field) => field.name === name));
}

/** The chains of the watchers. One that cannot be read leaves all in doubt: null. */
function watchersOf(data: unknown): ProbeReading["chainIds"] {
  const chainIds = rowsOf(data, "Watcher")?.map((row) =>
    isObject(row) ? wholeNumber(row["chainId"]) : null,
  );
  return chainIds?.every((chainId) => chainId !== null) ? chainIds : null;
}

/** The chains of the platform's table; null when the answer has none. */
function progressOf(data: unknown): readonly Progress[] | null {
  for (const { root, chain, block } of PROGRESS) {
    const rows = rowsOf(data, root);
    if (rows === null) continue;
    return rows.flatMap((row) => {
      if (!isObject(row)) return [];
      const chainId = wholeNumber(row[chain]);
      return chainId === null ? [] : [{ chainId, block: wholeNumber(row[block]) }];
    });
  }
  return null;
}

function rowsOf(data: unknown, key: string): readonly unknown[] | null {
  if (!hasKey(data, key)) return null;
  const rows = data[key];
  return Array.isArray(rows) ? rows : null;
}

/** A whole number, sent as such or as decimal text; null for anything else. */
function wholeNumber(value: unknown): number | null {
  const number = typeof value === "string" && /^-?\d{1,16}$/.test(value) ? Number(value) : value;
  return Number.isSafeInteger(number) ? (number as number) : null;
}

function hasKey(value: unknown, key: string): value is Record<string, unknown> {
  return isObject(value) && Object.hasOwn(value, key);
}
