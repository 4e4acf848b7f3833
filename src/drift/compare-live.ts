import { compareCodeUnits } from "../base/compare-code-units.ts";
import { findDifferences } from "../compare/find-differences.ts";
import { mergeFindings } from "../compare/merge-findings.ts";
import type { Introspected } from "../fleet/outcome.ts";
import type { SchemaReading } from "../fleet/read-schema.ts";
import type { Deployment } from "../project/deployment.ts";
import { IS_PER_CHAIN } from "../project/vocabulary.ts";
import { type Finding, SEVERITIES, type Where } from "../report/finding.ts";
import type { GroupReport, OperationReport } from "../report/report.ts";
import type { ApiSchema } from "../schema/api-schema.ts";
import { canonicalize } from "../schema/canonicalize.ts";
import { locateCoordinates } from "../schema/locate-coordinates.ts";
import { parseSdl } from "../schema/parse-sdl.ts";
import type { FleetRow } from "../snapshots/fleet-record.ts";
import { hashEntities } from "../snapshots/hash-entities.ts";
import type { Snapshot, SnapshotFile } from "../snapshots/snapshot.ts";
import type { Style } from "../styles/style.ts";
import { buildOperationReports } from "./build-operation-reports.ts";
import { isExplained, listSubjects, tellPlatformVariant } from "./platform-variant.ts";
import type { PlacedOperation } from "./read-assessed-operations.ts";
import { reportLiveGroups } from "./report-live-groups.ts";
import { servesWhatIsKnown } from "./serves-what-is-known.ts";

/** The deployments of one protocol and style: what they answered, and what was known of them. */
export type LiveGroup = {
  readonly snapshot: Snapshot;
  readonly style: Style;
  /** The fleet record's, by deployment. */
  readonly rows: ReadonlyMap<string, FleetRow>;
  /** Every deployment of the group that is not retired. */
  readonly deployments: readonly Deployment[];
  readonly answered: readonly Introspected[];
  /** What a deployment answered when it was asked again, where that was another schema. */
  readonly flapping: ReadonlyMap<string, SchemaReading>;
  readonly operations: readonly PlacedOperation[];
  /** Which snapshots the run moves to what was answered: of protocols and styles of which enough answered. */
  readonly moving: "none" | "some" | "all";
  readonly exhaustiveEnums: boolean;
  /** The output folder from the project's root. */
  readonly output: string;
};

export type LiveComparison = {
  readonly findings: readonly Finding[];
  readonly groups: readonly GroupReport[];
  /** Without what the findings do to them. */
  readonly operations: readonly OperationReport[];
  /** What each deployment that serves something unexpected is. */
  readonly statuses: ReadonlyMap<string, "drifted" | "flapping" | "platform-variant">;
};

/** Compares every distinct answer once with the snapshot of those who gave it. */
export function compareLive(group: LiveGroup): LiveComparison {
  const known = createCommittedSchemas(group);
  const findings: Finding[] = [];
  const statuses = new Map<string, "drifted" | "flapping" | "platform-variant">();
  for (const variant of groupAnswers(group)) {
    const file = known.fileOf(variant.members);
    const { status, found } = judgeAnswer(variant, file, known, group);
    // One by one: there may be more of them than a call can have arguments.
    for (const finding of found) findings.push(finding);
    if (status !== null) for (const { deployment } of variant.members) statuses.set(deployment.name, status);
  }
  return {
    findings: mergeFindings(findings),
    groups: reportLiveGroups(group.answered, group.style, group.snapshot.protocol),
    operations: reportOperations(group, known),
    statuses,
  };
}

/** One answer, or two by turns, and everybody who gave it and was known to serve the same before. */
type Answer = { readonly members: readonly Introspected[]; readonly second: SchemaReading | null };

function groupAnswers({ answered, rows, flapping, snapshot }: LiveGroup): Answer[] {
  const groups = new Map<string, { members: Introspected[]; second: SchemaReading | null }>();
  for (const one of answered) {
    const second = flapping.get(one.deployment.name) ?? null;
    if (second === null && servesWhatIsKnown(one, rows)) continue;
    const { schema, docs } = one.reading.hashes;
    const before = rows.get(one.deployment.name)?.snapshot ?? snapshot.base.path;
    const key = [schema, docs, second?.hashes.schema, before].join(" ");
    const others = groups.get(key);
    if (others) others.members.push(one);
    else groups.set(key, { members: [one], second });
  }
  return [...groups.values()];
}

type KnownSchema = { readonly file: SnapshotFile; readonly schema: ApiSchema; readonly entities: string };

type CommittedSchemas = {
  readonly fileOf: (members: readonly Introspected[]) => SnapshotFile;
  readonly read: (file: SnapshotFile) => KnownSchema;
};

/** Snapshots are parsed when something has to be compared with them, which in most runs is never. */
function createCommittedSchemas({ snapshot, style, rows }: LiveGroup): CommittedSchemas {
  const files = [snapshot.base, ...snapshot.variants];
  const read = new Map<SnapshotFile, KnownSchema>();
  return {
    fileOf: ([first]) => {
      const path = rows.get(first?.deployment.name ?? "")?.snapshot;
      return files.find((file) => file.path === path) ?? snapshot.base;
    },
    read: (file) => {
      const done = read.get(file);
      if (done) return done;
      const schema = canonicalize(parseSdl(file.text, file.path));
      const known = { file, schema, entities: hashEntities(style.read(schema)) };
      read.set(file, known);
      return known;
    },
  };
}

function judgeAnswer(
  { members, second }: Answer,
  file: SnapshotFile,
  known: CommittedSchemas,
  group: LiveGroup,
): {
  readonly status: "drifted" | "flapping" | "platform-variant" | null;
  readonly found: readonly Finding[];
} {
  const [first] = members;
  if (first === undefined) return { status: null, found: [] };
  const { style, snapshot } = group;
  const before = known.read(file);
  const where = {
    protocol: snapshot.protocol,
    style: style.name,
    deployments: members.map(({ deployment }) => deployment.name).sort(compareCodeUnits),
  };
  const differences = (after: ApiSchema) =>
    findDifferences({
      before: before.schema,
      after,
      style,
      where,
      operations: group.operations,
      exhaustiveEnums: group.exhaustiveEnums,
      placeOf: locateCoordinates(file.text, `${group.output}/${file.path}`),
      fix: FIXES[group.moving] ?? "if this is to stay, run `lockflow drift --update`.",
    }).findings;
  const found = differences(first.reading.schema);
  if (second !== null) {
    const releases = [first.reading, second].map(({ schema }) => releaseOf(schema, style));
    const all = [...found, ...differences(second.schema)];
    return { status: "flapping", found: [flappingFinding(all, releases, where)] };
  }
  if (found.length === 0) return { status: null, found: [] };
  const isPlatformOnly =
    first.reading.entities === before.entities && first.reading.hashes.schema !== file.hash;
  if (!isPlatformOnly) return { status: "drifted", found };
  if (!IS_PER_CHAIN[style.name]) return { status: "platform-variant", found };
  const told = tellPlatformVariant({
    found,
    before: style.recognize(before.schema),
    after: style.recognize(first.reading.schema),
    schema: first.reading.hashes.schema,
    where,
    fix: FIXES[group.moving] ?? "nothing has to be done; `lockflow drift --update` records it.",
  });
  return { status: found.every(isExplained) ? "platform-variant" : "drifted", found: told };
}

/** What goes on from a move. One finding may be of a protocol whose snapshot moved and of one whose snapshot stayed. */
const FIXES: Readonly<Record<LiveGroup["moving"], string | null>> = {
  none: null,
  some: "where its snapshot has moved, run `lockflow generate`, then `lockflow check`; where it stayed, move it once enough answer.",
  all: "its snapshot has moved: run `lockflow generate`, then `lockflow check`.",
};

function releaseOf(schema: ApiSchema, style: Style): string {
  return style.recognize(schema).release ?? "an unknown release";
}

function flappingFinding(found: readonly Finding[], releases: readonly string[], where: Where): Finding {
  const [one, other] = [...releases].sort(compareCodeUnits);
  const what = one === other ? `two schemas of ${one}` : `${one} and ${other}`;
  return joinFindings(found, {
    code: "fleet/flapping",
    severity: "risky",
    subject: one === other ? `two schemas of ${one}` : what,
    message: `It answered as ${what} by turns.`,
    before: null,
    after: what,
    where,
    fix: "keep to what both have, and ask again later.",
  });
}

/** Many findings as one of the platform, with all they do to operations. */
function joinFindings(
  found: readonly Finding[],
  facts: Pick<Finding, "after" | "before" | "code" | "fix" | "message" | "severity" | "subject" | "where">,
): Finding {
  const operations = new Map(
    found.flatMap((finding) => finding.operations.map((one) => [JSON.stringify(one), one] as const)),
  );
  const hitting = found.filter((finding) => finding.operations.length > 0);
  return {
    ...facts,
    severity: worstOf([facts.severity, ...hitting.map(({ severity }) => severity)]),
    layer: "platform",
    coordinate: null,
    derived: found.length,
    derivedCoordinates: listSubjects(found),
    operations: [...operations.values()],
    place: null,
    fix: hitting[0]?.fix ?? facts.fix,
  };
}

function worstOf(severities: readonly Finding["severity"][]): Finding["severity"] {
  return SEVERITIES.find((severity) => severities.includes(severity)) ?? "cosmetic";
}

/** Where operations are valid: by what deployments answered, and of the others by what they served last. */
function reportOperations(group: LiveGroup, known: CommittedSchemas): OperationReport[] {
  const { operations, answered, deployments, rows, snapshot, style } = group;
  if (operations.length === 0) return [];
  const variants = new Map<string, { hash: string; schema: ApiSchema; deployments: string[] }>();
  const live = new Map(answered.map((one) => [one.deployment.name, one.reading]));
  const add = (hash: string, name: string, schema: () => ApiSchema) => {
    const variant = variants.get(hash);
    if (variant) variant.deployments.push(name);
    else variants.set(hash, { hash, schema: schema(), deployments: [name] });
  };
  for (const [name, reading] of live) add(reading.hashes.schema, name, () => reading.schema);
  for (const { name } of deployments) {
    const row = live.has(name) ? undefined : rows.get(name);
    const file = [snapshot.base, ...snapshot.variants].find(({ path }) => path === row?.snapshot);
    if (row && file) add(row.schema, name, () => known.read(file).schema);
  }
  const chainsOf = new Map(deployments.map(({ name, chains }) => [name, chains]));
  const where = { protocol: snapshot.protocol, style: style.name };
  return buildOperationReports(operations, [...variants.values()], chainsOf, where);
}
