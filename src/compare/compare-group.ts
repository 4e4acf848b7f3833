import { compareCodeUnits } from "../base/collections.ts";
import { shortHash } from "../base/hash.ts";
import type { ApiSchema } from "../dialects/api-schema.ts";
import { styles } from "../dialects/index.ts";
import { locateCoordinates } from "../dialects/locate.ts";
import type { Recognized } from "../dialects/style.ts";
import { IS_PER_CHAIN } from "../dialects/surface.ts";
import type { PlacedOperation } from "../operations/operation-set.ts";
import { type Finding, SEVERITIES, type Where } from "../report/finding.ts";
import { hashEntities, type Snapshot } from "../workspace/snapshot.ts";
import { parseSnapshot } from "../workspace/snapshot-schema.ts";
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
export type ComparedGroup = Pick<Differences, "renames"> & {
  readonly status: UnexpectedStatus | null;
  readonly found: readonly Finding[];
};

/** Compares deployments that serve the same schema, and have the same reference, with that reference. */
export function compareGroup(group: readonly Observation[], rules: ComparisonRules): ComparedGroup {
  const { snapshot, operations, exhaustiveEnums, fixes, output } = rules;
  const [first] = group;
  if (first === undefined) return { status: null, found: [], renames: [] };
  const { reference, schema, hashes, second } = first;
  const style = styles[snapshot.style];
  const where = { protocol: snapshot.protocol, style: snapshot.style, deployments: namesOf(group) };
  const before = parseSnapshot(reference);
  const differences = (after: ApiSchema) =>
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
  const { findings: found, renames } = differences(after);
  if (second !== null) {
    const releases = [after, second.schema].map((apiSchema) => readSide(apiSchema, style).recognized.release);
    const all = [...found, ...differences(second.schema).findings];
    return { status: "flapping", found: [flappingFinding(all, releases, where)], renames };
  }
  if (found.length === 0) return { status: null, found, renames };
  const [was, is] = [readSide(before, style), readSide(after, style)];
  const [entitiesBefore, entitiesAfter] = style.schemas.findRetyped(was, is).at(-1)?.models ?? [
    was.model,
    is.model,
  ];
  if (hashEntities(entitiesBefore) !== hashEntities(entitiesAfter)) {
    return { status: "drifted", found, renames };
  }
  if (hashes.schema === reference.hash) return { status: "drifted", found, renames };
  if (!IS_PER_CHAIN[style.name]) return { status: "platform-variant", found, renames };
  return {
    renames,
    status: found.every(isExplained) ? "platform-variant" : "drifted",
    found: reportPlatformVariant({
      found,
      before: was.recognized,
      after: is.recognized,
      schema: hashes.schema,
      where,
      fix: fixes.variant,
    }),
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
export function flappingFinding(
  found: readonly Finding[],
  releases: readonly (string | null)[],
  where: Where,
): Finding {
  const [one, other] = releases.map((release) => release ?? "an unknown release").sort(compareCodeUnits);
  const what = one === other ? `two schemas of ${one}` : `${one} and ${other}`;
  const hitting = found.filter(({ operations }) => operations.length > 0);
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
    derived: found.length,
    derivedCoordinates: listSubjects(found),
    where,
    operations: [...operations.values()],
    fix: "use only what both schemas have, and run the command again later.",
  };
}

/**
 * Reports a schema with the same entities on another platform. All differences that a release or setting explains become
 * one finding. Differences that are not explained, or affect operations, are also reported one by one.
 */
export function reportPlatformVariant({
  found,
  before,
  after,
  schema,
  where,
  fix,
}: {
  readonly found: readonly Finding[];
  readonly before: Recognized;
  readonly after: Recognized;
  /** The hash of the schema without descriptions. */
  readonly schema: string;
  readonly where: Where;
  readonly fix: string | null;
}): Finding[] {
  const explained = found.filter(isExplained);
  const reported = found.filter((finding) => !isExplained(finding) || finding.operations.length > 0);
  if (explained.length === 0) return reported;
  const { release } = after;
  const what =
    release === null
      ? "no known release of the platform"
      : release === before.release
        ? `${release} with other settings`
        : `${release} instead of ${before.release ?? "an unknown release"}`;
  const changes = `${explained.length} ${explained.length === 1 ? "difference" : "differences"} of the platform`;
  const variant: Finding = {
    ...FLEET_FINDING,
    code: release === null ? "fleet/platform-unknown" : "fleet/platform-variant",
    severity: release === null ? "risky" : "additive",
    subject: `schema ${shortHash(schema)}`,
    message: `${what}: ${changes}, the same entities.`,
    after: shortHash(schema),
    derived: explained.length,
    derivedCoordinates: listSubjects(explained),
    where,
    fix,
  };
  return [variant, ...reported];
}

/** Returns whether a release or setting of the platform explains a difference. Releases also change descriptions. */
export function isExplained({ code, layer }: Finding): boolean {
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
