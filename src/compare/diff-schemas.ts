import type { ApiSchema } from "../model/api-schema.ts";
import { SEVERITIES, type Severity } from "../model/finding.ts";
import type { Style } from "../styles/style.ts";
import { compareCodeUnits } from "../utils/compare-code-units.ts";
import { compareSchemas } from "./compare-schemas.ts";
import { listDerived } from "./list-derived.ts";
import { mergeRenames } from "./merge-renames.ts";
import { rollUp } from "./roll-up.ts";
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
  style: Pick<Style, "attribute" | "derive" | "read" | "recognize">,
  options: DiffOptions,
): RootCause[] {
  const changes = compareSchemas(before, after);
  const judge = createJudge(before, after, options);
  if (changes.length === 0) return [];
  const causes = rollUp(changes, before, after, style);
  const [sideBefore, sideAfter] = [readSide(before, style), readSide(after, style)];
  return mergeRenames(causes, sideBefore.model, sideAfter.model)
    .map((rolled): RootCause => {
      const { origin, change, layer, derived, derivedCoordinates } = rolled;
      const severities = derived.map(judge);
      const own = judge(change);
      const severity = worst([own, ...severities]);
      const worstDerived =
        severity === own ? [] : derived.filter((_, index) => severities[index] === severity);
      const coordinates = listDerived(change, derived, sideBefore.types, sideAfter.types);
      return { origin, change, layer, severity, derived, worstDerived, derivedCoordinates, coordinates };
    })
    .sort(
      (a, b) =>
        compareCodeUnits(a.change.coordinate, b.change.coordinate) ||
        compareCodeUnits(a.change.kind, b.change.kind) ||
        compareCodeUnits(a.change.after ?? "", b.change.after ?? ""),
    );
}

function worst(severities: readonly Severity[]): Severity {
  return SEVERITIES.find((severity) => severities.includes(severity)) ?? "cosmetic";
}
