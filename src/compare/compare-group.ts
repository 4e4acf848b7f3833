import { compareCodeUnits } from "../base/collections.ts";
import { shortHash } from "../base/hash.ts";
import type { ApiSchema } from "../dialects/api-schema.ts";
import { styles } from "../dialects/index.ts";
import { locateCoordinates } from "../dialects/locate.ts";
import { IS_PER_CHAIN } from "../dialects/surface.ts";
import type { PlacedOperation } from "../operations/operation-set.ts";
import { type Finding, SEVERITIES, type Where } from "../report/finding.ts";
import { hashEntities, type Snapshot } from "../workspace/snapshot.ts";
import { parseSnapshot } from "../workspace/snapshot-schema.ts";
import type { Sides } from "./expect-changes.ts";
import { type Differences, findDifferences } from "./find-differences.ts";
import { readSide } from "./indexed-schema.ts";
import { namesOf, type Observation } from "./observation.ts";
import type { DiffOptions } from "./severity-rules.ts";

/** The snapshot and options with which the deployments of one surface are compared. */
export type ComparisonRules = DiffOptions & {
  readonly snapshot: Snapshot;
  readonly operations: readonly PlacedOperation[];
  /** The commands to suggest, the last one if most deployments still accept the affected operations. */
  readonly fixes: {
    readonly difference: string | null;
    readonly variant: string | null;
    readonly minority: string;
  };
  /** The path of the output folder from the project's root. */
  readonly output: string;
};

export type UnexpectedStatus = "drifted" | "flapping" | "platform-variant";

/** The findings of deployments that serve the same schema. */
export type ComparedGroup = Pick<Differences, "findings" | "renames"> & {
  readonly status: UnexpectedStatus | null;
};

/** Compares deployments that serve the same schema, and have the same reference, with that reference. */
export function compareGroup(group: readonly Observation[], rules: ComparisonRules): ComparedGroup {
  const { snapshot, operations, exhaustiveEnums, fixes, output } = rules;
  const [first] = group;
  if (first === undefined) return { status: null, findings: [], renames: [] };
  const { reference, schema, hashes, second } = first;
  const style = styles[snapshot.style];
  const where = { protocol: snapshot.protocol, style: snapshot.style, deployments: namesOf(group) };
  const before = parseSnapshot(reference);
  const compareWith = (after: ApiSchema) =>
    findDifferences({
      before,
      after,
      style,
      where,
      operations,
      exhaustiveEnums,
      renames: rules.renames,
      locate: locateCoordinates(reference.text, `${output}/${reference.path}`),
      fix: fixes.difference,
    });
  const after = schema();
  const { findings, renames } = compareWith(after);
  if (second !== null) {
    const releases = [after, second.schema].map((apiSchema) => readSide(apiSchema, style).recognized.release);
    const all = [...findings, ...compareWith(second.schema).findings];
    return { status: "flapping", findings: [flappingFinding(all, releases, where)], renames };
  }
  if (findings.length === 0) return { status: null, findings, renames };
  const [was, is] = [readSide(before, style), readSide(after, style)];
  const models = style.schemas.findRetyped(was, is).at(-1)?.models ?? [was.model, is.model];
  if (hashEntities(models[0]) !== hashEntities(models[1]) || hashes.schema === reference.hash) {
    return { status: "drifted", findings, renames };
  }
  if (!IS_PER_CHAIN[style.name]) return { status: "platform-variant", findings, renames };
  const releases = { before: was.recognized.release, after: is.recognized.release };
  return {
    renames,
    status: findings.every(isExplained) ? "platform-variant" : "drifted",
    findings: reportPlatformVariant(findings, releases, { hash: hashes.schema, where, fix: fixes.variant }),
  };
}

const FLEET_FINDING = {
  layer: "platform",
  coordinate: null,
  before: null,
  operations: [],
  place: null,
} as const;

/** Builds the finding of deployments that return two schemas in turn, with the effects of both on operations. */
function flappingFinding(
  findings: readonly Finding[],
  releases: readonly (string | null)[],
  where: Where,
): Finding {
  const [first, second] = releases.map((release) => release ?? "an unknown release").sort(compareCodeUnits);
  const what = first === second ? `two schemas of ${first}` : `${first} and ${second}`;
  const hitting = findings.filter(({ operations }) => operations.length > 0);
  const operations = new Map(
    hitting.flatMap((finding) => finding.operations.map((hit) => [JSON.stringify(hit), hit] as const)),
  );
  return {
    ...FLEET_FINDING,
    code: "fleet/flapping",
    severity:
      SEVERITIES.find((level) => level === "risky" || hitting.some(({ severity }) => severity === level)) ??
      "risky",
    subject: what,
    message: `It returned ${what} in turn.`,
    after: what,
    derived: findings.length,
    derivedCoordinates: listSubjects(findings),
    where,
    operations: [...operations.values()],
    fix: "use only what both schemas have, and run the command again later.",
  };
}

/**
 * Reports a schema with the same entities on another platform. All differences that a release or setting explains become
 * one finding. Differences that are not explained, or affect operations, are also reported one by one.
 */
function reportPlatformVariant(
  findings: readonly Finding[],
  releases: Sides<string | null>,
  { hash, where, fix }: { readonly hash: string; readonly where: Where; readonly fix: string | null },
): Finding[] {
  const explained = findings.filter(isExplained);
  const reported = findings.filter((finding) => !isExplained(finding) || finding.operations.length > 0);
  if (explained.length === 0) return reported;
  const { before, after: release } = releases;
  const what =
    release === null
      ? "no known release of the platform"
      : release === before
        ? `${release} with other settings`
        : `${release} instead of ${before ?? "an unknown release"}`;
  const changes = `${explained.length} ${explained.length === 1 ? "difference" : "differences"} of the platform`;
  const variant: Finding = {
    ...FLEET_FINDING,
    code: release === null ? "fleet/platform-unknown" : "fleet/platform-variant",
    severity: release === null ? "risky" : "additive",
    subject: `schema ${shortHash(hash)}`,
    message: `${what}: ${changes}, the same entities.`,
    after: shortHash(hash),
    derived: explained.length,
    derivedCoordinates: listSubjects(explained),
    where,
    fix,
  };
  return [variant, ...reported];
}

/** Returns whether a release or setting of the platform explains a difference. Releases also change descriptions. */
function isExplained({ code, layer }: Finding): boolean {
  return layer === "docs" || EXPLAINED.has(code);
}

// Without `drift/platform-feature-changed`, which no known release or setting explains.
const EXPLAINED: ReadonlySet<string> = new Set([
  "drift/platform-feature-added",
  "drift/platform-feature-removed",
  "drift/platform-release-changed",
]);

/** Returns the coordinates of findings that are reported as one, with their derived coordinates. */
function listSubjects(findings: readonly Finding[]): string[] {
  const all = findings.flatMap(({ coordinate, derivedCoordinates = [] }) => [
    ...(coordinate === null ? [] : [coordinate]),
    ...derivedCoordinates,
  ]);
  return [...new Set(all)].sort(compareCodeUnits);
}
