import { findDifferences } from "../compare/find-differences.ts";
import { readSide } from "../compare/schema-side.ts";
import type { DiffOptions } from "../compare/severity-rules.ts";
import { IS_PER_CHAIN } from "../project/vocabulary.ts";
import type { Finding } from "../report/finding.ts";
import type { ApiSchema } from "../schema/api-schema.ts";
import { locateCoordinates } from "../schema/locate-coordinates.ts";
import { parseSnapshot } from "../snapshots/parse-snapshot.ts";
import { hashEntities, type Snapshot } from "../snapshots/snapshot.ts";
import { styles } from "../styles/index.ts";
import {
  flappingFinding,
  inconsistentFinding,
  isExplained,
  reportPlatformVariant,
} from "./fleet-findings.ts";
import { namesOf, type Observation } from "./observation.ts";
import type { PlacedOperation } from "./read-operations.ts";

/** How the deployments of one surface are compared with its snapshot. */
export type ComparisonRules = DiffOptions & {
  readonly snapshot: Snapshot;
  readonly operations: readonly PlacedOperation[];
  /** Whether the fleet is compared with itself, and not each deployment with what it served before. */
  readonly isFleet: boolean;
  /** What to type where no operation is hit. */
  readonly fixes: { readonly difference: string | null; readonly variant: string | null };
  /** The output folder from the project's root. */
  readonly output: string;
};

export type UnexpectedStatus = "drifted" | "flapping" | "platform-variant";

/** Compares what deployments that serve the same serve with what they are expected to, which is the same too. */
export function compareGroup(
  group: readonly Observation[],
  rules: ComparisonRules,
): { readonly status: UnexpectedStatus | null; readonly found: readonly Finding[] } {
  const { snapshot, operations, exhaustiveEnums, isFleet, fixes, output } = rules;
  const [first] = group;
  if (first === undefined) return { status: null, found: [] };
  const { reference, schema, hashes, entities, second } = first;
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
      placeOf: locateCoordinates(reference.text, `${output}/${reference.path}`),
      fix: fixes.difference,
    }).findings;
  const after = schema();
  const found = differences(after);
  if (second !== null) {
    const releases = [after, second.schema].map((one) => readSide(one, style).recognized.release);
    const all = [...found, ...differences(second.schema)];
    return { status: "flapping", found: [flappingFinding(all, releases, where)] };
  }
  if (found.length === 0) return { status: null, found };
  const [was, is] = [readSide(before, style), readSide(after, style)];
  if (hashEntities(was.model) !== hashEntities(is.model)) {
    return {
      status: "drifted",
      found: isFleet ? [inconsistentFinding(entities, found, where), ...found] : found,
    };
  }
  if (hashes.schema === reference.hash) return { status: "drifted", found };
  if (!IS_PER_CHAIN[style.name]) return { status: "platform-variant", found };
  return {
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
