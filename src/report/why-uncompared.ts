import { categoryOf } from "../base/category-of.ts";
import { compareCodeUnits } from "../base/compare-code-units.ts";
import { surfaceId } from "../project/surface.ts";
import type { Severity } from "./finding.ts";
import type { Report } from "./report.ts";

/**
 * Says why nobody knows what findings do to operations: there are none of their protocol and style, or it is not known
 * whose schemas were compared. Null where that is known of all that are breaking or risky.
 */
export function whyUncompared({ findings, operations }: Report): string | null {
  const loud = findings.filter(
    (finding) => !finding.accepted && LOUD.has(finding.severity) && OF_SCHEMAS.has(categoryOf(finding)),
  );
  const compared = new Set(operations.map(surfaceId));
  const places = loud.flatMap((finding) => [finding, ...(finding.elsewhere ?? [])]);
  const without = places.flatMap(({ where }) =>
    where === null || compared.has(surfaceId(where)) ? [] : [surfaceId(where)],
  );
  if (without.length > 0)
    return `there are none of ${[...new Set(without)].sort(compareCodeUnits).join(", ")}`;
  return loud.some(({ where }) => where === null)
    ? "the two schemas are not known to be of one protocol and style"
    : null;
}

const LOUD: ReadonlySet<Severity> = new Set(["breaking", "risky"]);

const OF_SCHEMAS: ReadonlySet<string> = new Set(["drift", "fleet"]);
