import type { DiffOptions } from "../compare/diff-schemas.ts";
import { findDifferences } from "../compare/find-differences.ts";
import { type FleetGroup, type FleetGroups, groupFleet } from "../compare/group-fleet.ts";
import { operationsOnVariants, type SchemaVariant } from "../compare/impact/operations-on-variants.ts";
import { mergeFindings } from "../compare/merge-findings.ts";
import type { ApiSchema } from "../model/api-schema.ts";
import type { Finding } from "../model/finding.ts";
import type { GroupReport, OperationReport } from "../report/report.ts";
import { canonicalize } from "../schema/canonicalize.ts";
import { locateCoordinates } from "../schema/locate-coordinates.ts";
import { parseSdl } from "../schema/parse-sdl.ts";
import type { FleetRow } from "../snapshots/fleet-record.ts";
import { hashEntities } from "../snapshots/hash-entities.ts";
import type { Snapshot } from "../snapshots/snapshot.ts";
import type { Recognized, Style } from "../styles/style.ts";
import { compareCodeUnits } from "../utils/compare-code-units.ts";
import { shortHash } from "../utils/hash.ts";
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
export type FleetComparison = Pick<FleetGroups, "outliers"> & {
  readonly findings: readonly Finding[];
  readonly groups: readonly GroupReport[];
  readonly operations: readonly OperationReport[];
  /** Names of the deployments whose schemas are known. */
  readonly deployments: readonly string[];
};

/** Compares what the deployments of one protocol and style served when they last answered, from the snapshots. */
export function compareFleet(input: FleetInput): FleetComparison {
  const { snapshot, operations } = input;
  const served = readServed(input);
  const base = served.find(({ path }) => path === snapshot.base.path);
  const { groups, outliers } = groupFleet(
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
    outliers,
    findings:
      base === undefined
        ? []
        : mergeFindings(served.flatMap((variant) => judgeVariant(variant, base, input))),
    groups: groups.map((group) => reportGroup(group, served, input)),
    operations: reportOperations(operations, served, input),
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
  // Of another platform only what it does to operations is worth more than a line.
  const felt = findings.filter((finding) => finding.operations.length > 0);
  return [platformVariant(variant, base, findings, where), ...felt];
}

type GroupFinding = Pick<Finding, "code" | "severity" | "layer" | "message" | "derived">;

function inconsistent({ rows }: Served, findings: readonly Finding[], where: Finding["where"]): Finding {
  const hit = new Set(findings.flatMap((finding) => broken(finding)));
  const lacking = findings.filter(({ layer, after }) => layer === "entity" && after === null);
  const lacks = listSome(lacking.map(({ subject }) => subject));
  const parts = [
    `${rows.length === 1 ? "One deployment serves" : `${rows.length} deployments serve`} other entities than the snapshot has`,
    ...(lacks === "" ? [] : [`missing there: ${lacks}`]),
    ...(hit.size === 0 ? [] : [`cannot run there: ${listSome([...hit].sort(compareCodeUnits))}`]),
  ];
  return groupFinding(
    {
      code: "fleet/inconsistent",
      severity: "risky",
      layer: "entity",
      message: `${parts.join("; ")}.`,
      derived: findings.length,
    },
    rows[0]?.entities ?? "",
    where,
  );
}

function broken({ operations }: Finding): string[] {
  return operations.filter(({ impact }) => impact === "broken").map(({ name }) => name);
}

function platformVariant(
  { rows, recognized }: Served,
  base: Served,
  findings: readonly Finding[],
  where: Finding["where"],
): Finding {
  const who = rows.length === 1 ? "One deployment is" : `${rows.length} deployments are`;
  const changes = `${findings.length} ${findings.length === 1 ? "difference" : "differences"} of the platform`;
  const { release } = recognized;
  const known: GroupFinding =
    release === null
      ? {
          code: "fleet/platform-unknown",
          severity: "risky",
          layer: "platform",
          message: `${who} of no known release of the platform: ${changes}, the same entities.`,
          derived: findings.length,
        }
      : {
          code: "fleet/platform-variant",
          severity: "additive",
          layer: "platform",
          message:
            release === base.recognized.release
              ? `${who} of ${release} as the snapshot is, with other settings: ${changes}, the same entities.`
              : `${who} of ${release}, the snapshot of ${base.recognized.release ?? "no known release"}: ${changes}, the same entities.`,
          derived: findings.length,
        };
  return groupFinding(known, rows[0]?.schema ?? "", where);
}

/** Groups are told apart by the hash of what they serve, whoever serves it. */
function groupFinding(facts: GroupFinding, hash: string, where: Finding["where"]): Finding {
  return {
    ...facts,
    subject: `schema ${shortHash(hash)}`,
    coordinate: null,
    before: null,
    after: shortHash(hash),
    where,
    operations: [],
    place: null,
    fix: null,
  };
}

function reportGroup(
  { kind, entities, schema, release, deployments }: FleetGroup,
  served: readonly Served[],
  { snapshot, style }: FleetInput,
): GroupReport {
  const one = served.find(({ rows }) => rows.some((row) => row.name === deployments[0]));
  return {
    id: shortHash(schema),
    protocol: snapshot.protocol,
    style: style.name,
    entities: shortHash(entities),
    release,
    features: one?.recognized.features ?? [],
    kind,
    deployments,
  };
}

function reportOperations(
  operations: readonly PlacedOperation[],
  served: readonly Served[],
  { snapshot, style }: FleetInput,
): OperationReport[] {
  const chainsOf = new Map(served.flatMap(({ rows }) => rows.map(({ name, chains }) => [name, chains])));
  const variants = served.map(
    ({ path, schema, rows }): SchemaVariant => ({
      hash: path,
      schema,
      deployments: rows.map(({ name }) => name),
    }),
  );
  const chains = (names: readonly string[]) =>
    [...new Set(names.flatMap((name) => chainsOf.get(name) ?? []))].sort(compareCodeUnits);
  return operationsOnVariants(operations, variants).map(({ name, deployments, refused }, index) => {
    const place = operations[index]?.place;
    return {
      name,
      protocol: snapshot.protocol,
      style: style.name,
      file: place?.file ?? "",
      line: place?.line ?? 1,
      impact: "unaffected",
      chains: chains(deployments),
      missing: chains(refused.flatMap((refusal) => refusal.deployments)),
    };
  });
}

function listSome(names: readonly string[]): string {
  const shown = names.slice(0, MOST_NAMED).join(", ");
  return names.length > MOST_NAMED ? `${shown} and ${names.length - MOST_NAMED} more` : shown;
}

const MOST_NAMED = 5;
