import { cached, groupBy } from "../base/collections.ts";
import { buildFileFinding, PRUNE_FROM } from "../report/codes/files.ts";
import type { Finding } from "../report/finding.ts";
import type { AcceptedFinding } from "../report/outcome.ts";
import { type AcceptedEntry, BASELINE_PATH } from "../workspace/baseline.ts";
import { type BaselineContext, isOfSnapshots } from "./coverage.ts";
import { fingerprintAll } from "./join-findings.ts";

/** Findings, each accepted or not, and the entries that are not needed. */
export type AppliedBaseline = {
  /** All given findings, and those about the baseline itself. */
  readonly findings: readonly AcceptedFinding[];
  readonly stale: readonly StaleEntry[];
};

/** An entry that is not needed, or not for its whole scope. */
export type StaleEntry = {
  readonly entry: AcceptedEntry;
  readonly why: "expired" | "unmatched";
  /** The deployments that are not needed in its scope; the whole scope if the entry can be removed. */
  readonly scope: readonly string[];
  readonly isWhole: boolean;
};

/**
 * Marks the findings that were accepted. A finding accepted for some of its deployments is split in two, so that a
 * deployment with a known difference is reported when the difference first appears there.
 */
export function applyBaseline(
  findings: readonly Finding[],
  entries: readonly AcceptedEntry[],
  context: BaselineContext,
): AppliedBaseline {
  const unexpired = groupBy(
    entries.filter((entry) => !isExpired(entry, context)),
    ({ fingerprint }) => fingerprint,
  );
  const matched = new Map<AcceptedEntry, Set<string>>();
  const applied = identify(findings).flatMap((finding) =>
    acceptBy(unexpired.get(finding.fingerprint) ?? [], finding, matched),
  );
  const stale = entries
    .map((entry) => findStale(entry, matched.get(entry), context))
    .filter((item) => item !== null);
  return { findings: [...applied, ...identify(stale.map(staleFinding))], stale };
}

function identify(findings: readonly Finding[]): AcceptedFinding[] {
  const ids = fingerprintAll(findings);
  return findings.map((finding, index) => ({
    ...finding,
    fingerprint: ids[index] ?? "",
    accepted: false,
    acceptance: null,
  }));
}

function isExpired({ until }: AcceptedEntry, { today }: BaselineContext): boolean {
  return until !== null && until < today;
}

function acceptBy(
  entries: readonly AcceptedEntry[],
  finding: AcceptedFinding,
  matched: Map<AcceptedEntry, Set<string>>,
): AcceptedFinding[] {
  const { where } = finding;
  let left = where?.deployments ?? [];
  if (where === null || left.length === 0) {
    const entry = entries.find(({ scope }) => scope.length === 0);
    if (entry === undefined) return [finding];
    matched.set(entry, new Set());
    return [accepted(finding, entry)];
  }
  const parts: AcceptedFinding[] = [];
  for (const entry of entries) {
    const scope = new Set(entry.scope);
    const deployments = left.filter((name) => scope.has(name));
    if (deployments.length === 0) continue;
    left = left.filter((name) => !scope.has(name));
    const names = cached(matched, entry, () => new Set());
    for (const name of deployments) names.add(name);
    parts.push(accepted({ ...finding, where: { ...where, deployments } }, entry));
  }
  return left.length === 0 ? parts : [{ ...finding, where: { ...where, deployments: left } }, ...parts];
}

function accepted(finding: AcceptedFinding, { reason, until }: AcceptedEntry): AcceptedFinding {
  return { ...finding, accepted: true, acceptance: { reason, until } };
}

function findStale(
  entry: AcceptedEntry,
  matched: ReadonlySet<string> | undefined,
  context: BaselineContext,
): StaleEntry | null {
  const { scope } = entry;
  if (isExpired(entry, context)) return { entry, why: "expired", scope, isWhole: true };
  if (!context.covers(entry)) return null;
  const unmatched = scope.filter((name) => context.answered.has(name) && matched?.has(name) !== true);
  const isStale = scope.length === 0 ? matched === undefined : unmatched.length > 0;
  if (!isStale) return null;
  return { entry, why: "unmatched", scope: unmatched, isWhole: unmatched.length === scope.length };
}

function staleFinding({ entry, why, scope, isWhole }: StaleEntry): Finding {
  const what = `${entry.code}${entry.coordinate === null ? "" : ` of ${entry.coordinate}`}`;
  const place = { file: BASELINE_PATH, line: null, column: null };
  const isOfReport = why === "unmatched" && !isOfSnapshots(entry);
  const facts = { subject: entry.fingerprint, place, ...(isOfReport && { fix: PRUNE_FROM }) };
  // Deployments are updated one after the other, so a partly stale entry must not fail every nightly run.
  return isWhole
    ? buildFileFinding("baseline/stale", [what, why === "expired" ? entry.until : null], facts)
    : buildFileFinding("baseline/partly-stale", [what, scope.join(", ")], facts);
}
