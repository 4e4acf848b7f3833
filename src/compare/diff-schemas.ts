import { compareCodeUnits } from "../base/compare-code-units.ts";
import { SEVERITIES, type Severity } from "../report/finding.ts";
import type { ApiSchema } from "../schema/api-schema.ts";
import type { Style } from "../styles/style.ts";
import { alignEntities } from "./align-entities.ts";
import { compareSchemas } from "./compare-schemas.ts";
import { listDerived } from "./list-derived.ts";
import { mergeRenames } from "./merge-renames.ts";
import type { Renames } from "./rename-entities.ts";
import { type RolledUp, rollUp } from "./roll-up.ts";
import type { RootCause } from "./root-cause.ts";
import { readSide } from "./schema-side.ts";
import { createJudge } from "./severity-rules.ts";

/** How differences are judged. */
export type DiffOptions = {
  /** Whether clients are taken to list every member of an enum: a new one breaks them. */
  readonly exhaustiveEnums: boolean;
};

/**
 * Finds what differs between two canonical schemas of one style: root causes with what follows from them, judged
 * for a client nobody knows, in code-unit order of their coordinates.
 */
export function diffSchemas(
  before: ApiSchema,
  after: ApiSchema,
  style: DiffStyle,
  options: DiffOptions,
): RootCause[] {
  return diffAligned(before, after, style, options).causes;
}

/** What of a style comparing takes. */
export type DiffStyle = Pick<Style, "provenance" | "derive" | "read" | "recognize" | "renameDerived">;

/**
 * The same, with the schema that what is no renaming of entities was compared with: `aligned` has the names of after.
 */
export function diffAligned(
  before: ApiSchema,
  after: ApiSchema,
  style: DiffStyle,
  options: DiffOptions,
): { readonly causes: RootCause[]; readonly aligned: ApiSchema; readonly renames: Renames | null } {
  const changes = compareSchemas(before, after);
  if (changes.length === 0) return { causes: [], aligned: before, renames: null };
  const { schema: aligned, causes: renamed, renames } = alignEntities(before, after, style);
  const others = rollUp(renames ? compareSchemas(aligned, after) : changes, aligned, after, style);
  const merged = mergeRenames(others, readSide(aligned, style).model, readSide(after, style).model);
  const causes = [
    ...(renames ? judgeAll(renamed, before, aligned, style, options) : []),
    ...judgeAll(merged, aligned, after, style, options),
  ].sort(
    (a, b) =>
      compareCodeUnits(a.change.coordinate, b.change.coordinate) ||
      compareCodeUnits(a.change.kind, b.change.kind) ||
      compareCodeUnits(a.change.after ?? "", b.change.after ?? ""),
  );
  return { causes, aligned, renames };
}

function judgeAll(
  causes: readonly RolledUp[],
  before: ApiSchema,
  after: ApiSchema,
  style: DiffStyle,
  options: DiffOptions,
): RootCause[] {
  const judge = createJudge(before, after, options);
  return causes.map(({ origin, change, layer, derived, derivedCoordinates, moves }): RootCause => {
    const severities = derived.map(judge);
    const own = judge(change);
    const severity = worst([own, ...severities]);
    const worstDerived = severity === own ? [] : derived.filter((_, index) => severities[index] === severity);
    return {
      origin,
      change,
      layer,
      severity,
      derived,
      worstDerived,
      derivedCoordinates,
      coordinates: listDerived(change, derived, readSide(before, style).types, readSide(after, style).types),
      ...(moves ? { moves } : {}),
    };
  });
}

function worst(severities: readonly Severity[]): Severity {
  return SEVERITIES.find((severity) => severities.includes(severity)) ?? "cosmetic";
}
