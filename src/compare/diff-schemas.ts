import type { ApiSchema } from "../model/api-schema.ts";
import { SEVERITIES, type Severity } from "../model/finding.ts";
import type { Style } from "../styles/style.ts";
import { compareCodeUnits } from "../utils/compare-code-units.ts";
import { compareSchemas } from "./compare-schemas.ts";
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
  return mergeRenames(causes, readSide(before, style).model, readSide(after, style).model)
    .map((rolled): RootCause => {
      const { origin, change, layer, derived, derivedCoordinates } = rolled;
      const severity = worst([change, ...derived].map(judge));
      return { origin, change, layer, severity, derived, derivedCoordinates };
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
