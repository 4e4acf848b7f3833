import { join } from "node:path";
import { groupBy, type Memo } from "../base/collections.ts";
import type { ApiSchema } from "../dialects/api-schema.ts";
import { styles } from "../dialects/index.ts";
import type { Style } from "../dialects/style.ts";
import { isOf, type Protocol, type StyleName } from "../dialects/surface.ts";
import type { Project } from "../project/project.ts";
import { STYLES } from "../report/codes/surfaces.ts";
import { type Finding, messageOf, type Severity } from "../report/finding.ts";
import type { Parity, ProtocolParity, Verdict } from "../report/outcome.ts";
import { requireDefinitions } from "../workspace/check-definitions.ts";
import { checkSnapshots } from "../workspace/check-snapshots.ts";
import { readSchemaFiles, readSnapshots } from "../workspace/read-snapshots.ts";
import { parseSnapshot, parseSnapshotText, type Snapshot, type SnapshotText } from "../workspace/snapshot.ts";
import { compareModels, type ParitySide } from "./compare-models.ts";

/**
 * Compares the styles of every protocol, from the snapshots. A protocol without both is passed over.
 *
 * @param sideOf for those who have read the snapshots already.
 */
export function compareStyles(
  protocols: readonly Protocol[],
  snapshots: readonly Snapshot[],
  sideOf: (snapshot: Snapshot) => ParitySide = ({ style, base }) =>
    paritySide(parseSnapshot(base), styles[style]),
): ProtocolParity[] {
  return protocols.flatMap((protocol) => {
    const [multichain, subgraph] = (["multichain", "subgraph"] as const).map((name) => {
      const snapshot = snapshots.find(isOf({ protocol, style: name }));
      return snapshot && sideOf(snapshot);
    });
    return multichain && subgraph ? [{ protocol, ...compareModels(multichain, subgraph) }] : [];
  });
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
  readonly schemaFiles: Awaited<ReturnType<typeof readSchemaFiles>>;
  /** Whether a snapshot is not as introspection wrote it. */
  readonly isSpoilt: boolean;
  /** How the styles of each protocol agree; none where a snapshot is spoilt. */
  readonly parities: readonly ProtocolParity[];
};

/**
 * Checks that the snapshots are as introspection wrote them, and that the styles agree.
 *
 * @param memo what a generation has parsed and read already.
 * @throws ConfigError for a definition that names a field which no snapshot has.
 */
export async function checkSchemas(project: Project, memo: Memo): Promise<CheckedSchemas> {
  const { root, output, protocols, surfaces, waiting, deployments } = project;
  const parse = (file: SnapshotText) =>
    memo(`snapshot ${file.path}`, [file.text], () => parseSnapshotText(file));
  const read = (style: StyleName, file: SnapshotText) =>
    memo(`model ${file.path}`, [file.text], () => styles[style].schemas.read(parse(file)));
  const schemaFiles = await readSchemaFiles(join(root, output));
  const files = { files: schemaFiles, surfaces, waiting, deployments, output };
  const snapshots = checkSnapshots({ ...files, parse, read });
  const isSpoilt = snapshots.some(({ code }) => code === "snapshot/edited");
  const committed = isSpoilt ? [] : await readSnapshots(join(root, output), surfaces);
  if (!isSpoilt) await requireDefinitions(project, committed, ({ style, base }) => read(style, base));
  const parities = compareStyles(protocols, committed, ({ style, base }) => ({
    ...{ schema: parse(base), model: read(style, base) },
    style: styles[style],
  }));
  // What one style has more is for `diff` to tell: nothing in this repository can be wrong about it.
  const disagreements = parities
    .flatMap((parity) => parityFindings(parity, parity.protocol))
    .filter(({ severity }) => severity !== "additive");
  return { findings: [...snapshots, ...disagreements], schemaFiles, isSpoilt, parities };
}
