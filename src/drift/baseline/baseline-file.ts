import * as v from "valibot";
import { compareCodeUnits } from "../../base/compare-code-units.ts";
import { BaselineError } from "../../base/errors/baseline-error.ts";
import { closedObject, parseShape, text } from "../../base/parse-shape.ts";
import { type AcceptedEntry, isDay, sortEntries } from "./accepted-entry.ts";

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
