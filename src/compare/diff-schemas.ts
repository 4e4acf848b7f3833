import { compareCodeUnits } from "../base/compare-code-units.ts";
import { SEVERITIES, type Severity } from "../report/finding.ts";
import type { ApiSchema } from "../schema/api-schema.ts";
import type { Change } from "../schema/change.ts";
import { visitMembers } from "../schema/members.ts";
import type { Style } from "../styles/style.ts";
import { alignEntities } from "./align-entities.ts";
import { compareSchemas } from "./compare-schemas.ts";
import { mergeRenames } from "./merge-renames.ts";
import type { Renames } from "./rename-entities.ts";
import { type ComparedTypes, type RolledUp, rollUp, wholeType } from "./roll-up.ts";
import { readSide, type SchemaReader } from "./schema-side.ts";
import { createJudge, type DiffOptions } from "./severity-rules.ts";

/** One thing that happened, with everything that changed because of it, judged. */
export type RootCause = RolledUp & {
  readonly severity: Severity;
  /** Of what is derived, the changes that make it as severe as it is, where the change itself is less; else empty. */
  readonly worstDerived: readonly Change[];
  /** The coordinates that changed because of it, each once, in code-unit order. */
  readonly coordinates: readonly string[];
};

/** The root causes of all differences, by coordinate, and the schema before with the entity names of the one after. */
export function diffSchemas(
  before: ApiSchema,
  after: ApiSchema,
  style: Pick<Style, "provenance" | "derive" | "read" | "recognize" | "renameDerived">,
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
  style: SchemaReader,
  options: DiffOptions,
): RootCause[] {
  const judge = createJudge(before, after, options);
  const types = { typesBefore: readSide(before, style).types, typesAfter: readSide(after, style).types };
  return causes.map((cause): RootCause => {
    const severities = cause.derived.map(judge);
    const own = judge(cause.change);
    const severity = SEVERITIES.find((one) => one === own || severities.includes(one)) ?? own;
    return {
      ...cause,
      severity,
      worstDerived:
        severity === own ? [] : cause.derived.filter((_, index) => severities[index] === severity),
      coordinates: listCoordinates(cause, types),
    };
  });
}

/** The coordinates of derived changes, and the members of every type or root that came or went. */
function listCoordinates({ change, derived }: RolledUp, types: ComparedTypes): readonly string[] {
  const coordinates = new Set(derived.map(({ coordinate }) => coordinate));
  for (const one of [change, ...derived]) {
    const type = wholeType(one, types);
    if (type) visitMembers(type, (coordinate) => coordinates.add(coordinate));
  }
  return [...coordinates].sort(compareCodeUnits);
}
