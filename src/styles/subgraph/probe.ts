import { baseTypeName, isList } from "../../base/type-expression.ts";
import type { ApiField, ApiSchema } from "../../schema/api-schema.ts";
import { fieldsOf } from "../../schema/fields-of.ts";
import type { Probe, ProbeReading } from "../style.ts";

/** Asks for a subgraph's progress and its one `Watcher` per chain: two, so that a second one shows. */
export const subgraphProbe: Probe = { query: probeQuery, parse: parseProbe };

/** A content hash, as the platform names what is deployed. */
const HASH = /^[A-Za-z0-9]{1,100}$/;

/** What the watchers come back as, whatever the root field is called. */
const WATCHERS = "watchers";

function probeQuery(schema: ApiSchema): string {
  const field = watchersField(schema);
  const names = fieldsOf(schema, "_Block_").map(({ name }) => name);
  const block = names.includes("timestamp") ? "number timestamp" : "number";
  const meta = `_meta { block { ${block} } deployment hasIndexingErrors }`;
  if (field === undefined) return `{ ${meta} }`;
  const name = field.name === WATCHERS ? WATCHERS : `${WATCHERS}: ${field.name}`;
  return `{ ${meta} ${name}(first: 2) { id chainId } }`;
}

/** The root collection of watchers, found by its type: how plurals are made is not guessed here. */
function watchersField(schema: ApiSchema): ApiField | undefined {
  const names = fieldsOf(schema, "Watcher").map((field) => field.name);
  if (!names.includes("id") || !names.includes("chainId")) return undefined;
  return fieldsOf(schema, schema.queryType).find(
    (field) =>
      isList(field.type) &&
      baseTypeName(field.type) === "Watcher" &&
      field.args.some((argument) => argument.name === "first"),
  );
}

function parseProbe(data: unknown): ProbeReading {
  const meta = member(data, "_meta");
  const newest = member(meta, "block");
  const block = member(newest, "number");
  const timestamp = member(newest, "timestamp");
  const deployment = member(meta, "deployment");
  return {
    chainIds: parseChainIds(member(data, WATCHERS)),
    heads: isCount(block) ? [{ chainId: null, block, ...(isTime(timestamp) ? { timestamp } : {}) }] : [],
    hasIndexingErrors: member(meta, "hasIndexingErrors") === true,
    deployment: typeof deployment === "string" && HASH.test(deployment) ? deployment : null,
  };
}

/** One watcher that cannot be read makes the identity unknown, not smaller. */
function parseChainIds(watchers: unknown): readonly number[] | null {
  if (!Array.isArray(watchers) || watchers.length === 0) return null;
  const ids = new Set<number>();
  for (const watcher of watchers) {
    const id = parseChainId(member(watcher, "chainId"));
    if (id === null) return null;
    ids.add(id);
  }
  return [...ids];
}

/** Chain ids travel as decimal strings, or as numbers where the authors declared an `Int`. */
function parseChainId(value: unknown): number | null {
  if (typeof value === "number") return Number.isSafeInteger(value) && value > 0 ? value : null;
  if (typeof value !== "string" || !/^[1-9]\d{0,15}$/.test(value)) return null;
  const id = Number(value);
  return Number.isSafeInteger(id) ? id : null;
}

function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}

/** Unix seconds that a date can be made of. */
function isTime(value: unknown): value is number {
  return isCount(value) && value > 0 && value < 8_640_000_000_000;
}

function member(value: unknown, key: string): unknown {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return undefined;
  return Reflect.get(value, key);
}
