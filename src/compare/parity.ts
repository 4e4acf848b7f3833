import { groupBy } from "../base/collections.ts";
import type { ApiSchema } from "../dialects/api-schema.ts";
import { styles } from "../dialects/index.ts";
import type { Style } from "../dialects/style.ts";
import { isOf, type Protocol } from "../dialects/surface.ts";
import { STYLES } from "../report/codes/surfaces.ts";
import { type Finding, messageOf } from "../report/finding.ts";
import type { Parity, ParityRename, ProtocolParity } from "../report/outcome.ts";
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

/** Prepares a schema for comparing it with one of the other style. */
export function paritySide(schema: ApiSchema, style: Style): ParitySide {
  return { model: style.schemas.read(schema), schema, style };
}

/** Builds findings for differences that no rule names. `before` is the multichain side, `after` the subgraph side. */
export function parityFindings({ rows, renames }: Parity, protocol: Protocol | null): Finding[] {
  const renamed = new Map<string, ParityRename>(
    renames.flatMap((rename) =>
      [rename.multichain, rename.subgraph].map((name) => [`${rename.entity}.${name}`, rename] as const),
    ),
  );
  const byEntity = groupBy(rows, ({ entity }) => entity);
  return rows.flatMap(({ entity, field, multichain, subgraph, verdict }): Finding[] => {
    if (verdict === "equal" || verdict === "mapped") return [];
    const code = `parity/${verdict}` as const;
    const ofEntity = byEntity.get(entity) ?? [];
    if (field === null) {
      const fields = ofEntity.flatMap((row) => row.field ?? []);
      // Unlike a missing field, an entity of one style only does not break operations for the other.
      return [{ ...toFinding(code, [entity, multichain, subgraph], fields), severity: "additive" }];
    }
    // The row of the entity is the first.
    if (ofEntity[0]?.verdict !== "equal") return [];
    const coordinate = `${entity}.${field}`;
    const rename = renamed.get(coordinate);
    if (rename === undefined) return [toFinding(code, [coordinate, multichain, subgraph], [])];
    if (field !== rename.multichain) return [];
    return [toFinding("parity/renamed", [coordinate, field, rename.subgraph], [rename.subgraph])];
  });

  /** Builds a finding. `fields` are the names of fields that are reported with it. */
  function toFinding(
    code: keyof typeof STYLES,
    [coordinate, multichain, subgraph]: readonly [string, string | null, string | null],
    fields: readonly string[],
  ): Finding {
    const [entity] = coordinate.split(".");
    // The style that has it; multichain if both have it.
    const style = multichain === null ? "subgraph" : "multichain";
    return {
      code,
      severity: STYLES[code].severity,
      layer: "entity",
      subject: coordinate,
      message: messageOf(STYLES[code], [coordinate, multichain ?? "", subgraph ?? ""]),
      coordinate,
      before: multichain,
      after: subgraph,
      derived: fields.length,
      ...(fields.length > 0 && { derivedCoordinates: fields.map((field) => `${entity}.${field}`) }),
      where: protocol === null ? null : { protocol, style, deployments: [] },
      operations: [],
      place: null,
      fix: STYLES[code].fix,
    };
  }
}

/** The findings of the snapshots and their parity. */
export type CheckedSchemas = {
  readonly findings: readonly Finding[];
  /** Whether a snapshot was edited after introspection wrote it. */
  readonly hasEditedSnapshot: boolean;
  /** The parity of each protocol; empty if a snapshot was edited. */
  readonly parities: readonly ProtocolParity[];
};

/**
 * Checks that the snapshots are unchanged since introspection, and that the styles agree.
 *
 * @throws ConfigError for a protocol definition with a field that no snapshot has.
 */
export function checkSchemas(workspace: Workspace): CheckedSchemas {
  const findings = checkSnapshots(workspace);
  if (findings.some(({ code }) => code === "snapshot/edited")) {
    return { findings, hasEditedSnapshot: true, parities: [] };
  }
  requireDefinitions(workspace);
  const parities = compareStyles(workspace.project.protocols, workspace.snapshots);
  // A difference that only adds something is not an error of the repository, so only `diff` reports it.
  const disagreements = parities
    .flatMap((parity) => parityFindings(parity, parity.protocol))
    .filter(({ severity }) => severity !== "additive");
  return { findings: [...findings, ...disagreements], hasEditedSnapshot: false, parities };
}
