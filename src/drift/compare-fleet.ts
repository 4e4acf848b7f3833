import { compareCodeUnits } from "../base/compare-code-units.ts";
import { shortHash } from "../base/hash.ts";
import { listSome } from "../base/list-some.ts";
import type { DiffOptions } from "../compare/diff-schemas.ts";
import { findDifferences } from "../compare/find-differences.ts";
import { groupFleet } from "../compare/group-fleet.ts";
import type { SchemaVariant } from "../compare/impact/operations-on-variants.ts";
import { mergeFindings } from "../compare/merge-findings.ts";
import type { Finding, Where } from "../report/finding.ts";
import type { GroupReport, OperationReport } from "../report/report.ts";
import type { ApiSchema } from "../schema/api-schema.ts";
import { canonicalize } from "../schema/canonicalize.ts";
import { locateCoordinates } from "../schema/locate-coordinates.ts";
import { parseSdl } from "../schema/parse-sdl.ts";
import type { FleetRow } from "../snapshots/fleet-record.ts";
import { hashEntities } from "../snapshots/hash-entities.ts";
import type { Snapshot } from "../snapshots/snapshot.ts";
import type { Recognized, Style } from "../styles/style.ts";
import { buildGroupReports } from "./build-group-reports.ts";
import { buildOperationReports } from "./build-operation-reports.ts";
import { tellPlatformVariant } from "./platform-variant.ts";
import type { PlacedOperation } from "./read-assessed-operations.ts";

export type FleetInput = DiffOptions & {
  readonly snapshot: Snapshot;
  readonly style: Style;
  /** The fleet record; rows of others are passed over. */
  readonly rows: readonly FleetRow[];
  readonly operations: readonly PlacedOperation[];
  /** The output folder from the project's root. */
  readonly output: string;
};

/** What the deployments of one protocol and style serve, held against their snapshot. */
export type FleetComparison = {
  readonly findings: readonly Finding[];
  readonly groups: readonly GroupReport[];
  readonly operations: readonly OperationReport[];
  /** Names of the deployments whose schemas are known. */
  readonly deployments: readonly string[];
};

/** Compares what the deployments of one protocol and style served when they last answered, from the snapshots. */
export function compareFleet(input: FleetInput): FleetComparison {
  const { snapshot, style, operations } = input;
  const group = { protocol: snapshot.protocol, style: style.name };
  const served = readServed(input);
  const base = served.find(({ path }) => path === snapshot.base.path);
  const recognized = new Map(
    served.flatMap(({ rows, recognized }) => rows.map(({ schema }) => [schema, recognized])),
  );
  const { groups } = groupFleet(
    served.flatMap(({ rows, recognized }) =>
      rows.map(({ name, entities, schema, docs }) => ({
        deployment: name,
        entities,
        schema,
        docs,
        release: recognized.release,
      })),
    ),
  );
  return {
    findings:
      base === undefined
        ? []
        : mergeFindings(served.flatMap((variant) => judgeVariant(variant, base, input))),
    groups: buildGroupReports(groups, recognized, group),
    operations: reportOperations(operations, served, group),
    deployments: served.flatMap(({ rows }) => rows.map(({ name }) => name)).sort(compareCodeUnits),
  };
}

/** A schema of the snapshots, and who serves it. The base counts also where nobody is known to serve it. */
type Served = {
  readonly path: string;
  readonly schema: ApiSchema;
  readonly recognized: Recognized;
  readonly rows: readonly FleetRow[];
};

function readServed({ snapshot, style, rows }: FleetInput): Served[] {
  return [snapshot.base, ...snapshot.variants].flatMap(({ path, text }): Served[] => {
    const own = rows.filter((row) => row.snapshot === path);
    if (own.length === 0 && path !== snapshot.base.path) return [];
    const schema = canonicalize(parseSdl(text, path));
    return [{ path, schema, recognized: style.recognize(schema), rows: own }];
  });
}

function judgeVariant(variant: Served, base: Served, input: FleetInput): Finding[] {
  if (variant === base) return [];
  const { snapshot, style, operations, exhaustiveEnums, output } = input;
  const { protocol } = snapshot;
  const where = {
    protocol,
    style: style.name,
    deployments: variant.rows.map(({ name }) => name).sort(compareCodeUnits),
  };
  const { findings } = findDifferences({
    before: base.schema,
    after: variant.schema,
    style,
    where,
    operations,
    exhaustiveEnums,
    placeOf: locateCoordinates(snapshot.base.text, `${output}/${snapshot.base.path}`),
    fix: null,
  });
  if (findings.length === 0) return [];
  if (hashEntities(style.read(base.schema)) !== hashEntities(style.read(variant.schema))) {
    return [inconsistent(variant, findings, where), ...findings];
  }
  return tellPlatformVariant({
    found: findings,
    before: base.recognized,
    after: variant.recognized,
    schema: variant.rows[0]?.schema ?? "",
    where,
    fix: null,
  });
}

function inconsistent({ rows }: Served, findings: readonly Finding[], where: Where): Finding {
  const hit = new Set(findings.flatMap((finding) => broken(finding)));
  const lacking = findings.filter(({ layer, after }) => layer === "entity" && after === null);
  const lacks = listSome(
    lacking.map(({ subject }) => subject),
    MOST_NAMED,
  );
  const parts = [
    `${rows.length === 1 ? "One deployment serves" : `${rows.length} deployments serve`} other entities than the snapshot has`,
    ...(lacks === "" ? [] : [`missing there: ${lacks}`]),
    ...(hit.size === 0 ? [] : [`cannot run there: ${listSome([...hit].sort(compareCodeUnits), MOST_NAMED)}`]),
  ];
  // Who serves them is no part of it: groups are told apart by the hash of what they serve.
  const entities = shortHash(rows[0]?.entities ?? "");
  return {
    code: "fleet/inconsistent",
    severity: "risky",
    layer: "entity",
    subject: `entities ${entities}`,
    message: `${parts.join("; ")}.`,
    coordinate: null,
    before: null,
    after: entities,
    derived: findings.length,
    where,
    operations: [],
    place: null,
    fix: null,
  };
}

function broken({ operations }: Finding): string[] {
  return operations.filter(({ impact }) => impact === "broken").map(({ name }) => name);
}

function reportOperations(
  operations: readonly PlacedOperation[],
  served: readonly Served[],
  where: Pick<Where, "protocol" | "style">,
): OperationReport[] {
  const chainsOf = new Map(served.flatMap(({ rows }) => rows.map(({ name, chains }) => [name, chains])));
  const variants = served.map(
    ({ path, schema, rows }): SchemaVariant => ({
      hash: path,
      schema,
      deployments: rows.map(({ name }) => name),
    }),
  );
  return buildOperationReports(operations, variants, chainsOf, where);
}

const MOST_NAMED = 5;
