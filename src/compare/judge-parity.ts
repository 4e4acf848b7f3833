import { STYLES } from "../report/codes/styles.ts";
import type { Severity } from "../report/finding.ts";
import type { Parity } from "../report/parity.ts";

/** Something of two styles that does not agree and is not bound to differ. */
export type ParityIssue = {
  readonly code:
    | "parity/conflict"
    | "parity/nullability"
    | "parity/only-multichain"
    | "parity/only-subgraph"
    | "parity/renamed";
  readonly severity: Severity;
  /** `Asset`, `Asset.symbol`; of a renamed field the one of the multichain style. */
  readonly coordinate: string;
  /** Type expressions, of a renamed field the names; null where the style has nothing. */
  readonly multichain: string | null;
  readonly subgraph: string | null;
  /** How many more rows it accounts for: the fields of an entity that only one style has. */
  readonly derived: number;
  /** The coordinates of these rows. */
  readonly derivedCoordinates: readonly string[];
};

/**
 * Judges what two styles of one protocol do not agree on. What is bound to differ by a named rule is none of it, and
 * an entity that only one style has is one issue, not one a field.
 */
export function judgeParity({ rows, renames }: Parity): ParityIssue[] {
  const renamed = new Map<string, (typeof renames)[number]>();
  for (const rename of renames) {
    renamed.set(`${rename.entity}.${rename.multichain}`, rename);
    renamed.set(`${rename.entity}.${rename.subgraph}`, rename);
  }
  const entities = new Map(rows.filter((row) => row.field === null).map((row) => [row.entity, row]));
  const fields = new Map<string, string[]>();
  for (const { entity, field } of rows) {
    if (field === null) continue;
    const others = fields.get(entity);
    if (others) others.push(`${entity}.${field}`);
    else fields.set(entity, [`${entity}.${field}`]);
  }
  return rows.flatMap((row): ParityIssue[] => {
    const { entity, field, multichain, subgraph, verdict } = row;
    if (verdict === "equal" || verdict === "mapped") return [];
    const whole = entities.get(entity);
    if (field !== null && whole?.verdict !== "equal") return [];
    const coordinate = field === null ? entity : `${entity}.${field}`;
    const rename = renamed.get(coordinate);
    if (rename) {
      return field === rename.multichain
        ? [
            {
              code: "parity/renamed",
              severity: "breaking",
              coordinate,
              multichain: rename.multichain,
              subgraph: rename.subgraph,
              derived: 1,
              derivedCoordinates: [`${entity}.${rename.subgraph}`],
            },
          ]
        : [];
    }
    const derivedCoordinates = field === null ? (fields.get(entity) ?? []) : [];
    // An entity more is another question that one style answers; a field less is a question that one of them cannot.
    const severity = field === null ? "additive" : STYLES[`parity/${verdict}`].severity;
    const facts = {
      coordinate,
      multichain,
      subgraph,
      derived: derivedCoordinates.length,
      derivedCoordinates,
    };
    return [{ code: `parity/${verdict}`, severity, ...facts }];
  });
}
