import { compareCodeUnits } from "../base/compare-code-units.ts";
import { type Finding, SEVERITIES, type Where } from "../report/finding.ts";
import { listSubjects } from "./platform-variant.ts";

/** Builds the finding of deployments that answer with two schemas by turns, with all that either does to operations. */
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
    code: "fleet/flapping",
    severity:
      SEVERITIES.find((level) => level === "risky" || hitting.some(({ severity }) => severity === level)) ??
      "risky",
    layer: "platform",
    subject: what,
    message: `It answered as ${what} by turns.`,
    coordinate: null,
    before: null,
    after: what,
    derived: found.length,
    derivedCoordinates: listSubjects(found),
    where,
    operations: [...operations.values()],
    place: null,
    fix: hitting[0]?.fix ?? "keep to what both have, and ask again later.",
  };
}
