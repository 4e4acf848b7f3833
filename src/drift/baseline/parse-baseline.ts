import { compareCodeUnits } from "../../base/compare-code-units.ts";
import { BaselineError } from "../../base/errors/baseline-error.ts";
import { isObject } from "../../base/is-object.ts";
import { parseJson } from "../../base/parse-json.ts";
import { type AcceptedEntry, isDay, sortEntries } from "./accepted-entry.ts";

/**
 * Parses a baseline. People edit it and merge it by hand, so every error names the entry it is in.
 *
 * @param place the file's path, for messages.
 * @throws BaselineError `BASELINE_INVALID`
 */
export function parseBaseline(text: string, place: string): AcceptedEntry[] {
  try {
    const value = parseJson(text);
    if (value === undefined) throw new Invalid("it is no JSON");
    const root = objectOf(value, ["version", "accepted"], "the file");
    if (root["version"] !== 1) throw new Invalid('"version" is not 1, the only one there is');
    const list = root["accepted"];
    if (!Array.isArray(list)) throw new Invalid('"accepted" is not a list');
    const entries = list.map((value: unknown, index) => parseEntry(value, `entry ${index + 1}`));
    refuseOverlaps(entries);
    return sortEntries(entries);
  } catch (cause) {
    if (!(cause instanceof Invalid)) throw cause;
    throw new BaselineError({
      code: "BASELINE_INVALID",
      sentence: `${place} is not a list of accepted findings: ${cause.message}.`,
      hint: "correct it, or restore it from version control; `lockflow accept` writes it.",
      cause,
    });
  }
}

class Invalid extends Error {}

const KEYS = ["fingerprint", "code", "coordinate", "before", "after", "scope", "reason", "until"];

function parseEntry(value: unknown, where: string): AcceptedEntry {
  const entry = objectOf(value, KEYS, where);
  const text = (key: string, form: RegExp, want: string): string => {
    const member = Object.hasOwn(entry, key) ? entry[key] : undefined;
    if (typeof member === "string" && form.test(member)) return member;
    throw new Invalid(`in ${where}, "${key}" is not ${want}`);
  };
  const textOrNull = (key: string): string | null => {
    if (!Object.hasOwn(entry, key)) throw new Invalid(`${where} has no "${key}"`);
    return entry[key] === null ? null : text(key, /^/, "a text or null");
  };
  return {
    fingerprint: text("fingerprint", /^[0-9a-f]{12}$/, "twelve hex digits"),
    code: text("code", /^[a-z]+\/[a-z][a-z-]*$/, 'a code such as "drift/field-removed"'),
    coordinate: textOrNull("coordinate"),
    before: textOrNull("before"),
    after: textOrNull("after"),
    scope: parseScope(entry["scope"], where),
    reason: text("reason", /\S/, "a reason"),
    until: parseUntil(entry, where),
  };
}

function parseScope(value: unknown, where: string): string[] {
  const isName = (name: unknown): name is string => typeof name === "string" && DEPLOYMENT.test(name);
  if (!Array.isArray(value) || !value.every(isName)) {
    throw new Invalid(`in ${where}, "scope" is not a list of deployments' names`);
  }
  if (new Set(value).size < value.length) throw new Invalid(`in ${where}, "scope" names a deployment twice`);
  return [...value].sort(compareCodeUnits);
}

const DEPLOYMENT = /^[a-z0-9-]+$/;

function parseUntil(entry: Readonly<Record<string, unknown>>, where: string): string | null {
  if (!Object.hasOwn(entry, "until")) return null;
  const { until } = entry;
  if (typeof until === "string" && isDay(until)) return until;
  throw new Invalid(`in ${where}, "until" is not a day such as "2027-01-31"`);
}

function objectOf(value: unknown, keys: readonly string[], where: string): Record<string, unknown> {
  if (!isObject(value)) {
    throw new Invalid(`${where} is not an object`);
  }
  const unknown = Object.keys(value).find((key) => !keys.includes(key));
  if (unknown !== undefined) throw new Invalid(`${where} has an unknown key ${JSON.stringify(unknown)}`);
  return value as Record<string, unknown>;
}

/** Two reasons for one thing: a merge that took both sides. */
function refuseOverlaps(entries: readonly AcceptedEntry[]): void {
  const seen = new Map<string, number>();
  for (const [index, { fingerprint, scope }] of entries.entries()) {
    for (const deployment of scope.length === 0 ? [""] : scope) {
      const key = `${fingerprint} ${deployment}`;
      const first = seen.get(key);
      if (first !== undefined) {
        const of = deployment === "" ? "" : ` of ${deployment}`;
        throw new Invalid(`entries ${first + 1} and ${index + 1} both accept ${fingerprint}${of}`);
      }
      seen.set(key, index);
    }
  }
}
