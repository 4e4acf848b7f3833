import { compareCodeUnits } from "../base/compare-code-units.ts";
import { shortHash } from "../base/hash.ts";
import { listSome } from "../base/list-some.ts";
import type { Finding, Where } from "../report/finding.ts";
import type { Observation } from "./observation.ts";

/** Builds the finding of deployments that serve other entities than the rest of their fleet. */
export function inconsistentFinding(
  [first]: readonly Observation[],
  found: readonly Finding[],
  where: Where,
): Finding {
  const count = where.deployments.length;
  const lacking = found.filter(({ layer, after }) => layer === "entity" && after === null);
  const broken = found.flatMap(({ operations }) => operations.filter(({ impact }) => impact === "broken"));
  const names = [...new Set(broken.map(({ name }) => name))].sort(compareCodeUnits);
  const some = (texts: readonly string[]) => listSome(texts, MOST_NAMED);
  const parts = [
    `${count === 1 ? "One deployment serves" : `${count} deployments serve`} other entities than the snapshot has`,
    ...(lacking.length === 0 ? [] : [`missing there: ${some(lacking.map(({ subject }) => subject))}`]),
    ...(names.length === 0 ? [] : [`cannot run there: ${some(names)}`]),
  ];
  // The hash identifies the finding, whichever deployments serve it.
  const entities = shortHash(first?.entities ?? "");
  return {
    code: "fleet/inconsistent",
    severity: "risky",
    layer: "entity",
    subject: `entities ${entities}`,
    message: `${parts.join("; ")}.`,
    coordinate: null,
    before: null,
    after: entities,
    derived: found.length,
    where,
    operations: [],
    place: null,
    fix: null,
  };
}

const MOST_NAMED = 5;
