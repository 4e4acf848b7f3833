import { compareCodeUnits } from "../base/compare-code-units.ts";
import { shortHash } from "../base/hash.ts";
import type { Finding, Where } from "../report/finding.ts";
import type { Recognized } from "../styles/style.ts";

/** A schema with the same entities as the one it is compared with, on another platform. */
export type PlatformVariant = {
  /** What differs. */
  readonly found: readonly Finding[];
  readonly before: Recognized;
  readonly after: Recognized;
  /** Hash of its shape. */
  readonly schema: string;
  readonly where: Where;
  readonly fix: string | null;
};

/**
 * Tells of a variant what is worth telling: in a line what the platform is known to bring along, and by itself what
 * operations feel of it and what no release or setting explains.
 */
export function reportPlatformVariant(variant: PlatformVariant): Finding[] {
  const { found } = variant;
  const explained = found.filter(isExplained);
  const reported = found.filter((finding) => !isExplained(finding) || finding.operations.length > 0);
  return explained.length === 0 ? reported : [platformFinding(variant, explained), ...reported];
}

/** Whether a release or a setting of the platform brings a difference along, as releases do with descriptions. */
export function isExplained({ code, layer }: Finding): boolean {
  return layer === "docs" || EXPLAINED.has(code);
}

/** Not `drift/platform-feature-changed`: of what that tells, nothing that is known of the platform is the reason. */
const EXPLAINED: ReadonlySet<string> = new Set([
  "drift/platform-feature-added",
  "drift/platform-feature-removed",
  "drift/platform-release-changed",
]);

/** The coordinates of findings that are reported as one, with what was derived from each. */
export function listSubjects(findings: readonly Finding[]): string[] {
  const all = findings.flatMap(({ coordinate, derivedCoordinates = [] }) => [
    ...(coordinate === null ? [] : [coordinate]),
    ...derivedCoordinates,
  ]);
  return [...new Set(all)].sort(compareCodeUnits);
}

function platformFinding(
  { before, after, schema, where, fix }: PlatformVariant,
  explained: readonly Finding[],
): Finding {
  const { release } = after;
  const what =
    release === null
      ? "no known release of the platform"
      : release === before.release
        ? `${release} with other settings`
        : `${release} instead of ${before.release ?? "an unknown release"}`;
  const changes = `${explained.length} ${explained.length === 1 ? "difference" : "differences"} of the platform`;
  return {
    code: release === null ? "fleet/platform-unknown" : "fleet/platform-variant",
    severity: release === null ? "risky" : "additive",
    layer: "platform",
    subject: `schema ${shortHash(schema)}`,
    message: `${what}: ${changes}, the same entities.`,
    coordinate: null,
    before: null,
    after: shortHash(schema),
    derived: explained.length,
    derivedCoordinates: listSubjects(explained),
    where,
    operations: [],
    place: null,
    fix,
  };
}
