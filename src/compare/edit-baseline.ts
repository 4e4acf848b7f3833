import { compareCodeUnits, groupBy } from "../base/collections.ts";
import { BaselineError, UsageError } from "../base/errors.ts";
import { displayText, nearestName } from "../base/text.ts";
import type { Finding } from "../report/finding.ts";
import { isAboutFile } from "../report/finding.ts";
import { type AcceptedFinding, hasSchema } from "../report/outcome.ts";
import { parseReportAs } from "../report/parse-report.ts";
import { type AcceptedEntry, isDay, sortEntries } from "../workspace/baseline.ts";
import type { StaleEntry } from "./apply-baseline.ts";
import { fingerprint, joinProtocols } from "./join-findings.ts";
import type { ReportedRun } from "./judge-run.ts";

/** Which findings to accept, and why. */
export type AcceptRequest = {
  readonly fingerprints: readonly string[];
  readonly reason: string;
  readonly until: string | null;
  /** The deployments to accept it for; null for all that have it now. */
  readonly scope: readonly string[] | null;
  /** The current day, as `2026-11-21`. */
  readonly today: string;
  /** The fingerprints of the other places of each finding of a report; omitted without a report. */
  readonly places?: ReportedRun["places"];
};

/**
 * Adds entries for findings of a run. Earlier entries of the same findings and deployments get the new reason.
 *
 * @throws UsageError for an empty reason or an invalid day.
 * @throws BaselineError for a fingerprint or deployment that is not in the run, and for findings about files.
 */
export function acceptFindings(
  entries: readonly AcceptedEntry[],
  findings: readonly AcceptedFinding[],
  request: AcceptRequest,
): AcceptedEntry[] {
  const reason = request.reason.trim();
  if (reason === "")
    throw new UsageError({ sentence: "--reason must not be empty: say why the finding is accepted." });
  const { until, today } = request;
  if (until !== null && !isDay(until)) {
    throw new UsageError({ sentence: `--until must be a day such as 2027-01-31; got "${until}".` });
  }
  if (until !== null && until < today) {
    throw new UsageError({ sentence: `--until ${until} is in the past, so nothing would be accepted.` });
  }
  const shown = groupBy(findings, (finding) => finding.fingerprint);
  const deploymentsOf = (id: string) =>
    (shown.get(id) ?? []).flatMap(({ where }) => where?.deployments ?? []);
  const joined = joinProtocols(findings);
  let edited: readonly AcceptedEntry[] = entries;
  for (const id of new Set(request.fingerprints)) {
    findAcceptable(id, shown);
    const elsewhere = joined.find(({ fingerprint }) => fingerprint === id)?.elsewhere ?? [];
    // A finding with several places is accepted in all of them, or in those in --scope.
    const ids = [
      ...new Set([
        id,
        ...elsewhere.map(({ fingerprint }) => fingerprint),
        ...(request.places?.get(id) ?? []),
      ]),
    ];
    checkScope(id, ids.flatMap(deploymentsOf), request.scope);
    for (const fingerprint of ids) {
      const { code, coordinate, before, after } = findAcceptable(fingerprint, shown);
      const scope = [...new Set(deploymentsOf(fingerprint))]
        .filter((name) => request.scope?.includes(name) ?? true)
        .sort(compareCodeUnits);
      if (request.scope !== null && scope.length === 0) continue;
      const added = { fingerprint, code, coordinate, before, after, scope, reason, until };
      edited = add(without(edited, fingerprint, scope), added);
    }
  }
  return sortEntries(edited);
}

/** Removes stale entries, and stale deployments from the scope of others. */
export function pruneBaseline(
  entries: readonly AcceptedEntry[],
  stale: readonly StaleEntry[],
): AcceptedEntry[] {
  const staleBy = new Map(stale.map((item) => [item.entry, item]));
  return entries.flatMap((entry) => {
    const item = staleBy.get(entry);
    if (item === undefined) return [entry];
    if (item.isWhole) return [];
    return [{ ...entry, scope: entry.scope.filter((name) => !item.scope.includes(name)) }];
  });
}

function findAcceptable(id: string, shown: ReadonlyMap<string, readonly AcceptedFinding[]>): AcceptedFinding {
  const [finding] = shown.get(id) ?? [];
  if (finding === undefined) {
    const near = nearestName(id, shown.keys());
    throw new BaselineError({
      code: "BASELINE_UNKNOWN_FINGERPRINT",
      sentence: `No finding has the fingerprint "${id}".`,
      hint:
        near === null
          ? "copy it from a report. Findings of `lockflow drift` and `lockflow check --against` exist only in the report of that run: save it with `--report json=<file>`, and pass it with --from. Differences between two schemas given to `lockflow diff` cannot be accepted."
          : `did you mean ${near}?`,
    });
  }
  if (!isAboutFile(finding)) return finding;
  throw new BaselineError({
    code: "BASELINE_NOT_ACCEPTABLE",
    sentence: `${id} (${finding.code}) is about a file of the project. It has to be corrected and cannot be accepted.`,
    hint: finding.fix ?? `run \`lockflow explain ${finding.code}\``,
  });
}

function checkScope(id: string, deployments: readonly string[], scope: readonly string[] | null): void {
  const unknown = scope?.find((name) => !deployments.includes(name));
  if (unknown === undefined) return;
  throw new BaselineError({
    code: "BASELINE_UNKNOWN_SCOPE",
    sentence: `${unknown} in --scope does not have finding ${id}.`,
    context: [
      deployments.length === 0
        ? "The finding is not about deployments."
        : `Deployments with it: ${deployments.join(", ")}`,
    ],
    hint: "omit --scope to accept it for all deployments that have it.",
  });
}

function without(entries: readonly AcceptedEntry[], id: string, scope: readonly string[]): AcceptedEntry[] {
  return entries.flatMap((entry) => {
    if (entry.fingerprint !== id) return [entry];
    if (entry.scope.length === 0) return scope.length === 0 ? [] : [entry];
    const left = entry.scope.filter((name) => !scope.includes(name));
    return left.length === 0 ? [] : [{ ...entry, scope: left }];
  });
}

function add(entries: readonly AcceptedEntry[], added: AcceptedEntry): AcceptedEntry[] {
  const index = entries.findIndex(
    ({ fingerprint, reason, until, scope }) =>
      fingerprint === added.fingerprint &&
      reason === added.reason &&
      until === added.until &&
      scope.length > 0 === added.scope.length > 0,
  );
  const twin = entries[index];
  if (twin === undefined) return [...entries, added];
  return entries.with(index, { ...twin, scope: [...twin.scope, ...added.scope].sort(compareCodeUnits) });
}

/**
 * Parses a report of `--report json=<file>`. The file may come from a network or another branch and is not trusted: the
 * fingerprint of each finding must match its facts, and its deployments must exist in this project.
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
  const notAReport = (reason: string) => invalid(`is not a report of this project: ${reason}`);
  const { run, outcome, findings, endpoints } = parseReportAs(content, notAReport);
  if (outcome.exit === 2) throw notAReport('"exit" is 2, so the run did not finish');
  if (run.command.startsWith("diff ")) {
    throw invalid(
      "compares two given schemas, and findings of such a run cannot be accepted",
      "accept what `lockflow drift`, `lockflow check` or `lockflow diff` without arguments reports.",
    );
  }
  const checkNames = (names: readonly string[], at: string) => {
    const unknown = names.find((name) => !deployments.has(name));
    if (unknown === undefined) return;
    throw notAReport(`${at} names "${displayText(unknown, [])}", which is not a deployment of this project`);
  };
  for (const [index, { deployment }] of endpoints.entries()) {
    checkNames([deployment], `in endpoint ${index + 1}, "deployment"`);
  }
  const checkFingerprint = (id: string, finding: Finding, at: string) => {
    // Findings about files cannot be accepted, and their fingerprints depend on each other.
    if (isAboutFile(finding) || id === fingerprint(finding)) return;
    throw notAReport(`the fingerprint of ${at} does not match its facts`);
  };
  const acceptable: Finding[] = [];
  for (const [index, { elsewhere = [], fingerprint: id, ...facts }] of findings.entries()) {
    const at = `finding ${index + 1}`;
    // Effects on operations do not matter for accepting a finding.
    const finding: Finding = { ...facts, operations: [] };
    checkNames(facts.where?.deployments ?? [], `in ${at}, "deployments"`);
    checkFingerprint(id, finding, at);
    // Each further place is accepted as a separate finding.
    const others = elsewhere.map(({ fingerprint: id, ...placed }, place) => {
      const other = { ...finding, ...placed };
      checkNames(placed.where.deployments, `in ${at}, place ${place + 1}, "deployments"`);
      checkFingerprint(id, other, `place ${place + 1} of ${at}`);
      return other;
    });
    if (finding.layer !== "baseline") acceptable.push(finding, ...others);
  }
  return {
    findings: acceptable,
    answered: new Set(endpoints.filter(hasSchema).map(({ deployment }) => deployment)),
    categories: outcome.categories.map(({ name }) => name),
    places: new Map(
      findings.map(({ fingerprint: id, elsewhere = [] }) => [
        id,
        elsewhere.map((samePlace) => samePlace.fingerprint),
      ]),
    ),
  };
}
