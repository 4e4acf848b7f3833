import { groupBy } from "../base/group-by.ts";
import type { Protocol } from "../project/vocabulary.ts";
import { messageOf } from "../report/codes/code.ts";
import { STYLES } from "../report/codes/styles.ts";
import type { Finding, Severity } from "../report/finding.ts";
import type { Parity, Verdict } from "../report/parity.ts";

/** What the styles disagree on, beyond named rules: `before` is multichain, `after` subgraph. */
export function parityFindings({ rows, renames }: Parity, protocol: Protocol | null): Finding[] {
  const renamed = new Map<string, (typeof renames)[number]>(
    renames.flatMap((rename) =>
      [rename.multichain, rename.subgraph].map((name) => [`${rename.entity}.${name}`, rename] as const),
    ),
  );
  const entities = new Map(rows.flatMap((row) => (row.field === null ? [[row.entity, row] as const] : [])));
  const fields = groupBy(rows, ({ entity }) => entity);
  return rows.flatMap((row): Finding[] => {
    const { entity, field, multichain, subgraph, verdict } = row;
    if (verdict === "equal" || verdict === "mapped") return [];
    const code = `parity/${verdict}` as const;
    if (field === null) {
      const derived = (fields.get(entity) ?? []).flatMap((one) => one.field ?? []);
      // An entity more is another question that one style answers; a field less is one that it cannot.
      return [toFinding(code, entity, [multichain, subgraph], "additive", derived, protocol)];
    }
    if (entities.get(entity)?.verdict !== "equal") return [];
    const coordinate = `${entity}.${field}`;
    const rename = renamed.get(coordinate);
    if (rename === undefined) {
      return [toFinding(code, coordinate, [multichain, subgraph], STYLES[code].severity, [], protocol)];
    }
    if (field !== rename.multichain) return [];
    const names = [field, rename.subgraph] as const;
    return [toFinding("parity/renamed", coordinate, names, "breaking", [rename.subgraph], protocol)];
  });
}

function toFinding(
  code: `parity/${Exclude<Verdict, "equal" | "mapped"> | "renamed"}`,
  coordinate: string,
  [multichain, subgraph]: readonly [string | null, string | null],
  severity: Severity,
  derivedFields: readonly string[],
  protocol: Protocol | null,
): Finding {
  const [entity] = coordinate.split(".");
  const derivedCoordinates = derivedFields.map((field) => `${entity}.${field}`);
  return {
    code,
    severity,
    layer: "entity",
    subject: coordinate,
    message: messageOf(STYLES[code], [coordinate, multichain ?? "", subgraph ?? ""]),
    coordinate,
    before: multichain,
    after: subgraph,
    derived: derivedFields.length,
    ...(derivedFields.length > 0 ? { derivedCoordinates } : {}),
    where:
      protocol === null
        ? null
        : {
            protocol,
            // The style that has it; the first of them where both have.
            style: multichain === null ? "subgraph" : "multichain",
            deployments: [],
          },
    operations: [],
    place: null,
    fix: STYLES[code].fix,
  };
}
