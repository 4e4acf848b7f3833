import * as v from "valibot";
import { compareCodeUnits } from "../base/collections.ts";
import { BaselineError } from "../base/errors.ts";
import { hash } from "../base/hash.ts";
import { closedObject, parseShape, text } from "../base/parse-json.ts";
import { categoryOf, type Finding } from "../report/finding.ts";
import type { Acceptance } from "../report/outcome.ts";
import type { Workspace } from "../workspace/workspace.ts";

/**
 * Reads the accepted findings; none when there is no file.
 *
 * @throws BaselineError
 */
export function readBaseline({ tree }: Pick<Workspace, "tree">): AcceptedEntry[] {
  const file = tree.read(BASELINE_PATH);
  return file === null ? [] : parseBaseline(file.text, BASELINE_PATH);
}

/** What `hashBaseline` returns when there is no file. */
export const NOTHING_ACCEPTED = "none";

/**
 * Hashes the file of accepted findings, together with the entries that have expired: a check that was clean yesterday is
 * not clean if an acceptance ended last night.
 *
 * @param now in milliseconds since the epoch.
 * @throws BaselineError
 */
export function hashBaseline({ tree }: Pick<Workspace, "tree">, now: number): string {
  const file = tree.read(BASELINE_PATH);
  if (file === null) return NOTHING_ACCEPTED;
  const today = new Date(now).toISOString().slice(0, 10);
  const expired = readBaseline({ tree }).filter(({ until }) => until !== null && until < today);
  return hash(JSON.stringify([file.text, expired.map(({ fingerprint, scope }) => [fingerprint, scope])]));
}

/** Where the baseline is, from the project's root. */
export const BASELINE_PATH = "drift-accepted.json";

/** One accepted finding: its identity, its facts for people, and the reason. */
export type AcceptedEntry = Acceptance &
  Pick<Finding, "code" | "coordinate" | "before" | "after"> & {
    /** Twelve hex digits, as `fingerprint` gives them. */
    readonly fingerprint: string;
    /** Names of the deployments it is accepted for, in code-unit order; empty when the finding is about none. */
    readonly scope: readonly string[];
  };

/** A copy in the order of the file: what belongs together for people stands together. */
export function sortEntries(entries: readonly AcceptedEntry[]): AcceptedEntry[] {
  return [...entries].sort(
    (a, b) =>
      compareCodeUnits(a.code, b.code) ||
      compareCodeUnits(a.coordinate ?? "", b.coordinate ?? "") ||
      compareCodeUnits(a.fingerprint, b.fingerprint) ||
      compareCodeUnits(a.scope.join(), b.scope.join()),
  );
}

/** Whether a text is a day of the calendar, as `2027-01-31`. */
export function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const time = Date.parse(`${text}T00:00:00Z`);
  // The 30th of February is parsed by some as the 2nd of March.
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}

/**
 * Parses a baseline. People edit it and merge it by hand, so every error names the entry it is in.
 *
 * @param place the file's path, for messages.
 * @throws BaselineError `BASELINE_INVALID`
 */
export function parseBaseline(content: string, place: string): AcceptedEntry[] {
  const invalid = (reason: string) =>
    new BaselineError({
      code: "BASELINE_INVALID",
      sentence: `${place} is not a list of accepted findings: ${reason}.`,
      hint: "correct it, or restore it from version control; `lockflow accept` writes it.",
    });
  const { accepted } = parseShape(content, BASELINE, { accepted: "entry" }, invalid);
  const overlap = findOverlap(accepted);
  if (overlap !== null) throw invalid(overlap);
  return sortEntries(
    accepted.map(({ scope, until = null, ...entry }) => ({
      ...entry,
      scope: scope.sort(compareCodeUnits),
      until,
    })),
  );
}

const TEXT_OR_NULL = v.nullable(v.string("is not a text or null"));
const NOT_NAMES = "is not a list of deployments' names";
const BASELINE = closedObject({
  version: v.literal(1, "is not 1, the only one there is"),
  accepted: v.array(
    closedObject({
      fingerprint: text((id) => /^[0-9a-f]{12}$/.test(id), "is not twelve hex digits"),
      code: text(
        (code) => /^[a-z]+\/[a-z][a-z-]*$/.test(code),
        'is not a code such as "drift/field-removed"',
      ),
      coordinate: TEXT_OR_NULL,
      before: TEXT_OR_NULL,
      after: TEXT_OR_NULL,
      scope: v.pipe(
        v.array(
          text((name) => /^[a-z0-9-]+$/.test(name), NOT_NAMES),
          NOT_NAMES,
        ),
        v.check((names) => new Set(names).size === names.length, "names a deployment twice"),
      ),
      reason: text((reason) => /\S/.test(reason), "is not a reason"),
      until: v.exactOptional(text(isDay, 'is not a day such as "2027-01-31"')),
    }),
    "is not a list",
  ),
});

/** Two reasons for one thing: a merge that took both sides. */
function findOverlap(entries: readonly Pick<AcceptedEntry, "fingerprint" | "scope">[]): string | null {
  const seen = new Map<string, number>();
  for (const [index, { fingerprint, scope }] of entries.entries()) {
    for (const deployment of scope.length === 0 ? [""] : scope) {
      const key = `${fingerprint} ${deployment}`;
      const first = seen.get(key);
      if (first !== undefined) {
        const of = deployment === "" ? "" : ` of ${deployment}`;
        return `entries ${first + 1} and ${index + 1} both accept ${fingerprint}${of}`;
      }
      seen.set(key, index);
    }
  }
  return null;
}

/** Renders the baseline: one entry a line, so that accepting one finding is a change of one line. */
export function renderBaseline(entries: readonly AcceptedEntry[]): string {
  const lines = sortEntries(entries).map(renderEntry);
  const body = lines.length === 0 ? "" : `\n${lines.map((line) => `    ${line}`).join(",\n")}\n  `;
  return `{\n  "version": 1,\n  "accepted": [${body}]\n}\n`;
}

function renderEntry(entry: AcceptedEntry): string {
  const { fingerprint, code, coordinate, before, after, scope, reason, until } = entry;
  const facts = { fingerprint, code, coordinate, before, after, scope, reason };
  return JSON.stringify(until === null ? facts : { ...facts, until });
}

/**
 * Creates the predicate of accepted findings that a run would have found again if they still existed. What deployments
 * serve is accepted from their answers and from the snapshots, so that only a run that knows both judges it.
 *
 * @param looked categories that the run looked at.
 * @param shown fingerprints of what the snapshots show; null for a run that asks no deployment.
 */
export function judgeEntries(
  looked: readonly string[],
  shown: ReadonlySet<string> | null,
): BaselineContext["judges"] {
  return (entry) => {
    if (!isServed(entry)) return looked.includes(categoryOf(entry));
    if (shown === null) return false;
    // What flaps may answer alike for once, and what was compared with a git ref is not compared with what is served.
    return entry.code !== "fleet/flapping" && entry.scope.length > 0 && !shown.has(entry.fingerprint);
  };
}

/** Whether an accepted finding is of what deployments serve. */
export function isServed(entry: Pick<AcceptedEntry, "code">): boolean {
  return ["drift", "fleet"].includes(categoryOf(entry));
}

/** What a baseline is judged by, besides the findings. */
export type BaselineContext = {
  /** The day of the run, as `2026-11-21`. */
  readonly today: string;
  /** Names of the deployments whose schemas this run knows: an outage never makes an entry look stale. */
  readonly answered: ReadonlySet<string>;
  /** Whether this run would have found it again if it were still so: `check` sees no drift. */
  readonly judges: (entry: AcceptedEntry) => boolean;
};
