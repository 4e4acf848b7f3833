import * as v from "valibot";
import { compareCodeUnits } from "../base/collections.ts";
import { BaselineError } from "../base/errors.ts";
import { hash } from "../base/hash.ts";
import { closedObject, parseShape, text } from "../base/parse-json.ts";
import type { Finding } from "../report/finding.ts";
import type { Acceptance } from "../report/outcome.ts";
import type { Workspace } from "./workspace.ts";

/**
 * Reads the accepted findings. Returns none if the file does not exist.
 *
 * @throws BaselineError
 */
export function readBaseline({ tree }: Pick<Workspace, "tree">): AcceptedEntry[] {
  const file = tree.read(BASELINE_PATH);
  return file === null ? [] : parseBaseline(file.text, BASELINE_PATH);
}

/** The result of `hashBaseline` without entries. */
export const NOTHING_ACCEPTED = "none";

/**
 * Hashes the accepted findings and whether each is expired: a check that was clean yesterday is not clean if an acceptance
 * expired last night.
 *
 * @param now in milliseconds since the epoch.
 */
export function hashBaseline(entries: readonly AcceptedEntry[], now: number): string {
  if (entries.length === 0) return NOTHING_ACCEPTED;
  const today = new Date(now).toISOString().slice(0, 10);
  return hash(JSON.stringify(entries.map((entry) => [entry, entry.until !== null && entry.until < today])));
}

/** The path of the baseline from the project's root. */
export const BASELINE_PATH = "drift-accepted.json";

/** An accepted finding: its fingerprint, its facts for readers of the file, and the reason. */
export type AcceptedEntry = Acceptance &
  Pick<Finding, "code" | "coordinate" | "before" | "after"> & {
    /** Twelve hex digits, as `fingerprint` returns them. */
    readonly fingerprint: string;
    /** The deployments it is accepted for, in code-unit order; empty if the finding is not about deployments. */
    readonly scope: readonly string[];
  };

/** Returns a copy in the order of the file: by code, then by coordinate. */
export function sortEntries(entries: readonly AcceptedEntry[]): AcceptedEntry[] {
  return [...entries].sort(
    (a, b) =>
      compareCodeUnits(a.code, b.code) ||
      compareCodeUnits(a.coordinate ?? "", b.coordinate ?? "") ||
      compareCodeUnits(a.fingerprint, b.fingerprint) ||
      compareCodeUnits(a.scope.join(), b.scope.join()),
  );
}

/** Returns whether a text is a calendar day such as `2027-01-31`. */
export function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const time = Date.parse(`${text}T00:00:00Z`);
  // Some engines parse the 30th of February as the 2nd of March.
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}

/**
 * Parses a baseline. It may be edited and merged by hand, so every error names the entry.
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
const NOT_NAMES = "is not a list of deployment names";
const BASELINE = closedObject({
  version: v.literal(1, "is not 1, the only supported version"),
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

/** Finds a finding with two entries, as after a merge that kept both sides. */
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

/** Renders the baseline with one entry per line, so that accepting a finding changes one line. */
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
