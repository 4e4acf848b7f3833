import * as v from "valibot";
import { displayText } from "../../base/display-text.ts";
import { BaselineError } from "../../base/errors/baseline-error.ts";
import { object, parseShape, text } from "../../base/parse-shape.ts";
import { fingerprint } from "../../compare/fingerprint.ts";
import { STYLE_NAMES } from "../../project/vocabulary.ts";
import { isMended } from "../../report/build-file-finding.ts";
import { type Finding, LAYERS, SEVERITIES } from "../../report/finding.ts";
import { ENDPOINT_STATUSES, hasSchema } from "../../report/outcome.ts";

/** What a run found, as far as accepting needs it. */
export type ReportedRun = {
  /** Without what was found of the baseline, which is applied to the findings anew. */
  readonly findings: readonly Finding[];
  /** Names of the deployments whose schemas it knows. */
  readonly answered: ReadonlySet<string>;
  /** Categories that were looked at. */
  readonly categories: readonly string[];
  /** Fingerprints of the further places of findings, by those of the findings; left out where nothing was reported. */
  readonly places?: ReadonlyMap<string, readonly string[]>;
};

/**
 * Parses a report of `--report json=<file>`. It may have come over a network or from another branch, so nothing in it
 * is taken on trust: every finding must have the fingerprint that its facts give, and name deployments of this project.
 *
 * @param place the file's path, for messages.
 * @param deployments names of the project's deployments.
 * @throws BaselineError `BASELINE_REPORT_INVALID`
 */
export function parseReportedRun(
  content: string,
  place: string,
  deployments: ReadonlySet<string>,
): ReportedRun {
  const invalid = (
    reason: string,
    hint = "write it with `--report json=<file>` of `lockflow drift`, `lockflow diff`, `lockflow check` or `lockflow plan`.",
  ) => new BaselineError({ code: "BASELINE_REPORT_INVALID", sentence: `${place} ${reason}.`, hint });
  const isNone = (reason: string) => invalid(`is not a report of this project: ${reason}`);
  const { run, outcome, findings, endpoints } = parseShape(content, reportOf(deployments), NOUNS, isNone);
  if (run.command.startsWith("diff ")) {
    throw invalid(
      "compares two schemas that somebody named, and no other run finds that again",
      "accept what `lockflow drift`, `lockflow check` or `lockflow diff` without arguments reports.",
    );
  }
  return {
    findings: findings.flatMap(({ elsewhere = [], fingerprint: id, ...facts }, index) => {
      // What it does to operations plays no part in accepting it.
      const finding: Finding = { ...facts, operations: [] };
      checkFingerprint(id, finding, `finding ${index + 1}`, isNone);
      if (finding.layer === "baseline") return [];
      // The same elsewhere is a finding of its own again: that is how it is accepted.
      const others = elsewhere.map(({ fingerprint: id, where, place, before, after }, at) => {
        const words = {
          before: before === undefined ? finding.before : before,
          after: after === undefined ? finding.after : after,
        };
        const other = { ...finding, ...words, where, place };
        checkFingerprint(id, other, `place ${at + 1} of finding ${index + 1}`, isNone);
        return other;
      });
      return [finding, ...others];
    }),
    answered: new Set(endpoints.filter(hasSchema).map(({ deployment }) => deployment)),
    categories: outcome.categories.map(({ name }) => name),
    places: new Map(
      findings.map(({ fingerprint: id, elsewhere = [] }) => [id, elsewhere.map((one) => one.fingerprint)]),
    ),
  };
}

/** A finding about a file is corrected, not accepted, and its fingerprint depends on the others. */
function checkFingerprint(
  id: string,
  finding: Finding,
  what: string,
  invalid: (reason: string) => Error,
): void {
  if (isMended(finding) || id === fingerprint(finding)) return;
  throw invalid(`the fingerprint of ${what} is not that of its facts`);
}

const NOUNS = {
  findings: "finding",
  elsewhere: "place",
  endpoints: "endpoint",
  categories: "category",
};
const NO_LIST = "is not a list";
const TEXT = v.string("is not a text");
const TEXT_OR_NULL = v.nullable(TEXT);
const FINGERPRINT = text((id) => /^[0-9a-f]{12}$/.test(id), "is not twelve hex digits");
const COUNT = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
const PLACE = v.nullable(
  object({
    file: TEXT,
    line: v.fallback(v.nullable(COUNT), null),
    column: v.fallback(v.nullable(COUNT), null),
  }),
);

function reportOf(deployments: ReadonlySet<string>) {
  const deployment = text(
    (name) => deployments.has(name),
    ({ input }) => `names ${shown(input)}, which is no deployment of this project`,
  );
  const where = v.nullable(
    object({
      protocol: text((key) => /^[a-z][a-z0-9-]*$/.test(key), "is no protocol"),
      style: v.picklist(STYLE_NAMES, "is no style"),
      deployments: v.array(deployment, NO_LIST),
    }),
  );
  const samePlace = object({
    fingerprint: FINGERPRINT,
    where,
    place: PLACE,
    // Earlier releases join only what is said in the same words.
    before: v.optional(TEXT_OR_NULL),
    after: v.optional(TEXT_OR_NULL),
  });
  return object({
    version: v.literal(1, "is not 1"),
    run: object({ command: TEXT }),
    outcome: object({
      exit: v.optional(
        v.pipe(
          v.unknown(),
          v.check((exit) => exit !== 2, "is 2: the run could not be done, so it tells nothing"),
        ),
      ),
      categories: v.array(object({ name: text((name) => /^[a-z]+$/.test(name), "is no category") }), NO_LIST),
    }),
    findings: v.array(
      object({
        code: text((code) => /^[a-z]+\/[a-z][a-z-]*$/.test(code), "is no code"),
        severity: v.picklist(SEVERITIES, "is an unknown severity"),
        layer: v.picklist(LAYERS, ({ input }) => `is an unknown layer ${shown(input)}`),
        subject: TEXT,
        message: TEXT,
        coordinate: TEXT_OR_NULL,
        before: TEXT_OR_NULL,
        after: TEXT_OR_NULL,
        derived: v.fallback(COUNT, 0),
        where,
        place: PLACE,
        fix: TEXT_OR_NULL,
        fingerprint: FINGERPRINT,
        // Reports of earlier releases tell each by itself.
        elsewhere: v.optional(v.array(samePlace, NO_LIST)),
      }),
      NO_LIST,
    ),
    endpoints: v.array(
      object({ status: v.picklist(ENDPOINT_STATUSES, "is an unknown status"), deployment }),
      NO_LIST,
    ),
  });
}

function shown(value: unknown): string {
  return typeof value === "string" ? `"${displayText(value, [])}"` : "something";
}
