import { displayText } from "../base/display-text.ts";
import { MemoryError } from "../base/errors/memory-error.ts";
import { isObject } from "../base/is-object.ts";
import { parseJson } from "../base/parse-json.ts";
import type { Memory, Remembered, RememberedHead } from "./memory.ts";

/**
 * Parses what an earlier run kept. It comes out of a cache that others may write to, so nothing in it is taken on
 * trust.
 *
 * @param place the file's path, for messages.
 * @throws MemoryError `MEMORY_INVALID`
 */
export function parseMemory(text: string, place: string): Memory {
  try {
    const value = parseJson(text);
    if (value === undefined) throw new Fault("it is no JSON");
    const root = objectOf(value, ["version", "deployments"], "the file");
    if (root["version"] !== 1) throw new Fault('"version" is not 1, the only one there is');
    return mapOf(root["deployments"], "deployments", "deployment", "name", parseDeployment);
  } catch (cause) {
    if (!(cause instanceof Fault)) throw cause;
    throw new MemoryError({
      code: "MEMORY_INVALID",
      sentence: `${place} is not what \`lockflow drift --memory\` keeps: ${cause.message}.`,
      hint: "name another file, or delete this one: the run after that is the first again.",
      cause,
    });
  }
}

class Fault extends Error {}

function parseDeployment(value: unknown, where: string): Remembered {
  const { silentSince, heads } = objectOf(value, ["name", "silentSince", "heads"], where);
  if (silentSince !== null && !isDay(silentSince)) {
    throw new Fault(`in ${where}, "silentSince" is neither null nor a day such as "2026-11-21"`);
  }
  return { silentSince, heads: mapOf(heads, "heads", `${where}, head`, "chain", parseHead) };
}

function parseHead(value: unknown, where: string): RememberedHead {
  const { block, since, furthest } = objectOf(value, ["chain", "block", "since", "furthest"], where);
  if (!isMoment(since)) {
    throw new Fault(`in ${where}, "since" is not a moment such as "2026-11-21T03:17:00.000Z"`);
  }
  const head = {
    block: blockOf(block, "block", where),
    since,
    furthest: blockOf(furthest, "furthest", where),
  };
  if (head.furthest < head.block) throw new Fault(`in ${where}, "furthest" is less than "block"`);
  return head;
}

/** A list of objects that each have a name, as a map by it. */
function mapOf<T>(
  list: unknown,
  listed: string,
  what: string,
  key: string,
  parse: (value: unknown, where: string) => T,
): ReadonlyMap<string, T> {
  if (!Array.isArray(list)) throw new Fault(`"${listed}" is not a list`);
  const map = new Map<string, T>();
  for (const [index, value] of list.entries()) {
    const where = `${what} ${index + 1}`;
    const parsed = parse(value, where);
    const name: unknown = (value as Readonly<Record<string, unknown>>)[key];
    if (typeof name !== "string" || !NAME.test(name)) throw new Fault(`in ${where}, "${key}" is no name`);
    if (map.has(name)) throw new Fault(`in ${where}, ${name} is there again`);
    map.set(name, parsed);
  }
  return map;
}

/** As configurations have the names of deployments and the keys of chains. */
const NAME = /^[a-z0-9-]{1,200}$/;

function objectOf(value: unknown, keys: readonly string[], where: string): Readonly<Record<string, unknown>> {
  if (!isObject(value)) {
    throw new Fault(`${where} is not an object`);
  }
  const unknown = Object.keys(value).find((key) => !keys.includes(key));
  if (unknown !== undefined) throw new Fault(`${where} has an unknown key "${displayText(unknown, [])}"`);
  return value as Readonly<Record<string, unknown>>;
}

function blockOf(value: unknown, key: string, where: string): number {
  if (typeof value === "number" && Number.isSafeInteger(value)) return value;
  throw new Fault(`in ${where}, "${key}" is not the number of a block`);
}

function isDay(value: unknown): value is string {
  return typeof value === "string" && isMoment(`${value}T00:00:00.000Z`);
}

function isMoment(value: unknown): value is string {
  if (typeof value !== "string" || !/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(value)) return false;
  const time = Date.parse(value);
  // The 30th of February is parsed by some as the 2nd of March.
  return !Number.isNaN(time) && new Date(time).toISOString() === value;
}
