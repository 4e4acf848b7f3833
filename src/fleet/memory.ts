import * as v from "valibot";
import { compareCodeUnits } from "../base/compare-code-units.ts";
import { displayText } from "../base/display-text.ts";
import { MemoryError } from "../base/errors/memory-error.ts";
import { isObject } from "../base/is-object.ts";
import { parseJson } from "../base/parse-json.ts";
import type { Chain } from "../project/chain.ts";
import type { Deployment } from "../project/deployment.ts";
import { collectHeads, furthestHeads } from "./collect-heads.ts";
import { isSilent } from "./failure.ts";
import type { Outcome } from "./outcome.ts";

/**
 * What runs leave for later ones, outside the repository: who answers, and how far they were. By the names of
 * deployments; empty before the first run.
 */
export type Memory = ReadonlyMap<string, DeploymentMemory>;

export type DeploymentMemory = {
  /** The day since which it has not answered, as `2026-11-21`; null for one that answered last time. */
  readonly silentSince: string | null;
  /** The newest block it had when it last answered, by the key of the chain. */
  readonly heads: ReadonlyMap<string, HeadMemory>;
};

type HeadMemory = {
  readonly block: number;
  /** When a run first saw this block as the newest, as `2026-11-21T03:17:00.000Z`. */
  readonly since: string;
  /** The furthest block that any deployment had of the chain then. */
  readonly furthest: number;
};

/**
 * Adds a run to the memory. A deployment that was not asked keeps its entry; one that does not exist any more, or is
 * retired, loses it.
 *
 * @param now when the run began, in milliseconds since the epoch.
 */
export function updateMemory(
  earlier: Memory,
  outcomes: readonly Outcome[],
  project: { readonly chains: readonly Chain[]; readonly deployments: readonly Deployment[] },
  now: number,
): Memory {
  const time = new Date(now).toISOString();
  const heads = collectHeads(outcomes, project.chains);
  const furthest = furthestHeads(heads);
  const byName = new Map(outcomes.map((outcome) => [outcome.deployment.name, outcome]));
  const memory = new Map<string, DeploymentMemory>();
  for (const { name, status } of project.deployments) {
    const known = earlier.get(name);
    const outcome = byName.get(name);
    if (status === "retired" || (outcome === undefined && known === undefined)) continue;
    if (outcome === undefined) {
      if (known !== undefined) memory.set(name, known);
      continue;
    }
    const own = heads.filter(({ deployment }) => deployment.name === name);
    memory.set(name, {
      silentSince: isSilent(outcome) ? earliest(known?.silentSince ?? null, time.slice(0, 10)) : null,
      heads:
        outcome.kind === "failed"
          ? (known?.heads ?? new Map())
          : new Map(
              own.map(({ chain, block }) => {
                const before = known?.heads.get(chain);
                return before?.block === block
                  ? [chain, { ...before, since: earliest(before.since, time) }]
                  : [chain, { block, since: time, furthest: furthest.get(chain) ?? block }];
              }),
            ),
    });
  }
  return memory;
}

/** A clock that was ahead once must not put off for ever what is counted from then. */
function earliest(known: string | null, now: string): string {
  return known !== null && known < now ? known : now;
}

/** Renders a memory: one deployment a line, in code-unit order of name. */
export function renderMemory(memory: Memory): string {
  const lines = sorted(memory).map(([name, { silentSince, heads }]) => {
    const list = sorted(heads).map(([chain, { block, since, furthest }]) => ({
      chain,
      block,
      since,
      furthest,
    }));
    return `    ${JSON.stringify({ name, silentSince, heads: list })}`;
  });
  const body = lines.length === 0 ? "" : `\n${lines.join(",\n")}\n  `;
  return `{\n  "version": 1,\n  "deployments": [${body}]\n}\n`;
}

function sorted<T>(map: ReadonlyMap<string, T>): [string, T][] {
  return [...map].sort(([a], [b]) => compareCodeUnits(a, b));
}

/**
 * Parses what an earlier run wrote. It comes out of a cache that others may write to, so nothing in it is trusted.
 *
 * @param place the file's path, for messages.
 * @throws MemoryError `MEMORY_INVALID`
 */
export function parseMemory(text: string, place: string): Memory {
  const value = parseJson(text);
  const result = v.safeParse(MEMORY, value);
  if (!result.success)
    throw invalid(place, value === undefined ? "it is no JSON" : describe(result.issues[0]));
  return toMap(result.output.deployments, "name", "deployment", place, ({ silentSince, heads }, where) => ({
    silentSince,
    heads: toMap(heads, "chain", `${where}, head`, place, ({ chain: _, ...head }) => head),
  }));
}

/** As configurations have the names of deployments and the keys of chains. */
const NAME = v.pipe(v.string(), v.regex(/^[a-z0-9-]{1,200}$/));
const BLOCK = v.pipe(v.number(), v.safeInteger());
const TIME = v.pipe(v.string(), v.check(isTime));
const DAY = v.pipe(
  v.string(),
  v.check((day) => isTime(`${day}T00:00:00.000Z`)),
);
const MEMORY = object({
  version: v.literal(1),
  deployments: v.array(
    object({
      name: NAME,
      silentSince: v.nullable(DAY),
      heads: v.array(
        v.pipe(
          object({ chain: NAME, block: BLOCK, since: TIME, furthest: BLOCK }),
          v.check(({ block, furthest }) => furthest >= block),
        ),
      ),
    }),
  ),
});

const FORMS: ReadonlyMap<unknown, string> = new Map([
  ["version", "is not 1, the only one there is"],
  ["deployments", "is not a list"],
  ["name", "is no name"],
  ["silentSince", 'is neither null nor a day such as "2026-11-21"'],
  ["heads", "is not a list"],
  ["chain", "is no name"],
  ["block", "is not the number of a block"],
  ["since", 'is not a moment such as "2026-11-21T03:17:00.000Z"'],
  ["furthest", "is not the number of a block"],
]);

/** What is wrong, and where: the path is `deployments`, an index, `heads`, an index and a key, or the first of these. */
function describe(issue: v.BaseIssue<unknown>): string {
  const keys = issue.path?.map(({ key }) => key) ?? [];
  const [, deployment, , head] = keys;
  const where =
    typeof deployment !== "number"
      ? "the file"
      : `deployment ${deployment + 1}${typeof head === "number" ? `, head ${head + 1}` : ""}`;
  const last = keys.at(-1);
  if (issue.expected === "never") return `${where} has an unknown key "${displayText(String(last), [])}"`;
  const start = where === "the file" ? "" : `in ${where}, `;
  if (typeof last === "string") return `${start}"${last}" ${FORMS.get(last)}`;
  return issue.type === "check" ? `${start}"furthest" is less than "block"` : `${where} is not an object`;
}

/** An object with these keys and no others; to `strictObject` alone a list is an object. */
function object<const T extends v.ObjectEntries>(entries: T) {
  return v.pipe(v.custom<Record<string, unknown>>(isObject), v.strictObject(entries));
}

/** The 30th of February is parsed by some as the 2nd of March. */
function isTime(text: string): boolean {
  const time = Date.parse(text);
  return !Number.isNaN(time) && new Date(time).toISOString() === text;
}

function toMap<T extends { readonly [key in K]: string }, K extends string, R>(
  list: readonly T[],
  key: K,
  what: string,
  place: string,
  resultOf: (item: T, where: string) => R,
): ReadonlyMap<string, R> {
  const map = new Map<string, R>();
  for (const [index, item] of list.entries()) {
    const where = `${what} ${index + 1}`;
    if (map.has(item[key])) throw invalid(place, `in ${where}, ${item[key]} is there again`);
    map.set(item[key], resultOf(item, where));
  }
  return map;
}

function invalid(place: string, reason: string): MemoryError {
  return new MemoryError({
    code: "MEMORY_INVALID",
    sentence: `${place} is not what \`lockflow drift --memory\` keeps: ${reason}.`,
    hint: "name another file, or delete this one: the run after that is the first again.",
  });
}
