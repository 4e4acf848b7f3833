import { groupBy } from "../base/collections.ts";
import type { ApiSchema } from "../dialects/api-schema.ts";
import { styles } from "../dialects/index.ts";
import type { Style } from "../dialects/style.ts";
import { isOf, type Protocol } from "../dialects/surface.ts";
import { STYLES } from "../report/codes/surfaces.ts";
import { type Finding, messageOf, type Severity } from "../report/finding.ts";
import type { Parity, ProtocolParity, Verdict } from "../report/outcome.ts";
import { requireDefinitions } from "../workspace/check-definitions.ts";
import { checkSnapshots } from "../workspace/check-snapshots.ts";
import type { Snapshot } from "../workspace/snapshot.ts";
import { snapshotModel, writtenSchema } from "../workspace/snapshot-schema.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { compareModels, type ParitySide } from "./compare-models.ts";

/** Compares the styles of every protocol by their snapshots. Protocols without both are left out. */
export function compareStyles(
  protocols: readonly Protocol[],
  snapshots: readonly Snapshot[],
): ProtocolParity[] {
  return protocols.flatMap((protocol) => {
    const [multichain, subgraph] = (["multichain", "subgraph"] as const).map((style) => {
      const snapshot = snapshots.find(isOf({ protocol, style }));
      return snapshot && snapshotSide(snapshot);
    });
    return multichain && subgraph ? [{ protocol, ...compareModels(multichain, subgraph) }] : [];
  });
}

function snapshotSide(snapshot: Snapshot): ParitySide {
  const style = styles[snapshot.style];
  return { model: snapshotModel(snapshot), schema: writtenSchema(snapshot.base), style };
}

/** What a schema of a style is compared by with one of another. */
export function paritySide(schema: ApiSchema, style: Style): ParitySide {
  return { model: style.schemas.read(schema), schema, style };
}

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

/** What was found wrong in the snapshots. */
export type CheckedSchemas = {
  readonly findings: readonly Finding[];
  /** Whether a snapshot is not as introspection wrote it. */
  readonly isSpoilt: boolean;
  /** How the styles of each protocol agree; none where a snapshot is spoilt. */
  readonly parities: readonly ProtocolParity[];
};

/**
 * Checks that the snapshots are as introspection wrote them, and that the styles agree.
 *
 * @throws ConfigError for a definition that names a field which no snapshot has.
 */
export function checkSchemas(workspace: Workspace): CheckedSchemas {
  const findings = checkSnapshots(workspace);
  if (findings.some(({ code }) => code === "snapshot/edited")) {
    return { findings, isSpoilt: true, parities: [] };
  }
  requireDefinitions(workspace);
  const parities = compareStyles(workspace.project.protocols, workspace.snapshots);
  // A field that only one style has is not an error of the repository, so only `diff` reports it.
  const disagreements = parities
    .flatMap((parity) => parityFindings(parity, parity.protocol))
    .filter(({ severity }) => severity !== "additive");
  return { findings: [...findings, ...disagreements], isSpoilt: false, parities };
}
