import { entitiesOf, PUBLIC_AGGREGATES } from "../../../emulator/dataset/entities/index.ts";
import { editModel, type ModelEdit } from "../../../emulator/faults/edit-model.ts";
import {
  EndpointError,
  type EndpointErrorCode,
  LockflowError,
  SchemaError,
} from "../../../src/base/errors.ts";
import { resolveJudging } from "../../../src/compare/judge-run.ts";
import type { ApiSchema } from "../../../src/dialects/api-schema.ts";
import { canonicalize, hashSchema } from "../../../src/dialects/canonicalize.ts";
import type { EntityModel } from "../../../src/dialects/entity-model.ts";
import { styles } from "../../../src/dialects/index.ts";
import { parseEntities } from "../../../src/dialects/parse-entities.ts";
import type { DeriveOptions } from "../../../src/dialects/platform.ts";
import type { ProbeReading } from "../../../src/dialects/prober.ts";
import type { Protocol, StyleName } from "../../../src/dialects/surface.ts";
import { checkIdentity } from "../../../src/fleet/identity.ts";
import { parseMemory } from "../../../src/fleet/memory.ts";
import type { Introspected, Outcome } from "../../../src/fleet/outcome.ts";
import type { SchemaReading } from "../../../src/fleet/read-schema.ts";
import type { Deployment } from "../../../src/project/deployment.ts";
import { type Project, resolveProject } from "../../../src/project/project.ts";
import type { Finding } from "../../../src/report/finding.ts";
import type { Report } from "../../../src/report/report.ts";
import { type AcceptResult, acceptAt } from "../../../src/tasks/accept.ts";
import { diffSnapshots } from "../../../src/tasks/diff.ts";
import { type DriftRules, type DriftRun, judgeAnswers } from "../../../src/tasks/drift/judge-answers.ts";
import { readOperationCache } from "../../../src/tasks/drift/operation-cache.ts";
import { renderFleetRecord } from "../../../src/workspace/fleet-record.ts";
import { readOperations } from "../../../src/workspace/operations.ts";
import { hashEntities, snapshotPath } from "../../../src/workspace/snapshot.ts";
import { renderSnapshot } from "../../../src/workspace/snapshot-schema.ts";
import { allCommitted, openWorkspace } from "../../../src/workspace/workspace.ts";
import { PLAIN, RENDERERS } from "../../report/fixtures.ts";
import { IS_THOROUGH } from "../../support/is-thorough.ts";
import { inFolder, readRepositoryTree } from "../../support/repository.ts";
import { type TempProject, tempProject } from "../../support/temp-project.ts";

/** A small version of the entities of lockup. */
const SMALL = parseEntities(
  `
  enum StreamCategory { LockupLinear LockupDynamic }
  type Asset @entity { id: String! symbol: String! }
  type Batch @entity { id: String! hash: Bytes! sender: Bytes }
  type Stream @entity {
    id: String! alias: String! asset: Asset! category: StreamCategory! depositAmount: BigInt! sender: Bytes!
  }
  type Watcher @entity { id: String! chainId: BigInt! }
  `,
  "entities.graphql",
);

const OPERATIONS: Readonly<Record<string, string>> = {
  "multichain/recent-streams.graphql":
    "query RecentStreams {\n  Stream(limit: 5) { id alias category sender asset { id } }\n}\n",
  "subgraph/fragments/stream-fields.graphql":
    "fragment StreamFields on Stream {\n  id alias category sender asset { id }\n}\n",
  "subgraph/recent-streams.graphql": "query RecentStreams {\n  streams(first: 5) { ...StreamFields }\n}\n",
  "subgraph/all-streams.graphql":
    "query AllStreams($first: Int!) {\n  streams(first: $first) { ...StreamFields }\n}\n",
  "subgraph/filtered.graphql":
    "query Filtered($where: Stream_filter!) {\n  streams(where: $where) { id }\n}\n",
  "subgraph/of-asset.graphql": 'query OfAsset {\n  streams(where: { and: [{ asset: "1" }] }) { id }\n}\n',
  "subgraph/of-sender.graphql":
    "query OfSender($sender: Bytes!) {\n  streams(where: { sender: $sender }) { id }\n}\n",
  "subgraph/health.graphql": "query Health {\n  _meta { block { number timestamp } hasIndexingErrors }\n}\n",
};

/** The entities of a fleet: a small version, or those of the emulator, which are as large as real ones. */
type Size = "small" | "real";

/** The differences in a deployment's answer. */
export type Given = {
  /** Edits of its entities. */
  readonly edits?: readonly ModelEdit[];
  /** The settings of its operator, and its release. */
  readonly options?: DeriveOptions;
  /** Another change of its schema. */
  readonly change?: (schema: ApiSchema) => ApiSchema;
  readonly probe?: Partial<ProbeReading>;
  /** The key of a chain that it does not have. */
  readonly without?: string;
  /** The lag of its head, in blocks. */
  readonly behind?: number;
  /** Its answer to a second request. */
  readonly again?: Given;
};

/** The answers or errors of deployments, by name, by the last part of the name, or by style. */
export type Answers = Readonly<Record<string, Given | LockflowError>>;

export const NO_SENDER: Given = { edits: [{ kind: "drop-field", field: "Stream.sender" }] };
export const EXTRA: Given = { edits: [{ kind: "add-field", field: "Stream.extra", type: "String" }] };
export const RENAMED: Given = {
  edits: [{ kind: "rename-field", field: "Stream.sender", to: "senderAddress" }],
};
export const MEMBER: Given = { edits: [{ kind: "add-enum-member", member: "StreamCategory.Vesting" }] };
export const NEWER: Given = { options: { release: "0.44" } };

export function failure(code: EndpointErrorCode, facts: { status?: number; isDormant?: boolean } = {}) {
  return new EndpointError({ code, sentence: "It did not go well.", hint: "try again later.", ...facts });
}

export const DOWN = failure("ENDPOINT_STATUS", { status: 500 });
export const PART = new SchemaError({
  code: "SCHEMA_INCOMPLETE",
  sentence: "It is half of one.",
  hint: "wait.",
});

/** The name of the lockup deployment of a suffix. */
export const nameOf = (suffix: string) => `protocol-lockup-${suffix}`;

/** The summary of a finding: `code severity layer subject`, and the operations by impact. */
export function summaryOf({ code, severity, layer, subject, operations }: Finding): string {
  const hit = [...new Set(operations.map(({ name, impact }) => `${impact} ${name}`))];
  return [`${code} ${severity} ${layer} ${subject}`, ...hit].join("; ");
}

/** A project whose whole fleet serves its snapshots. */
export type JudgedFleet = {
  readonly files: TempProject;
  readonly project: Project;
  readonly size: Size;
};

/** Creates a project with all chains, in the state after a run. */
export function judgedFleet(protocols: readonly Protocol[] = ["lockup"], size: Size = "small"): JudgedFleet {
  const files = tempProject(
    inFolder("operations", size === "small" ? smallOperations(protocols) : realOperations()),
  );
  files.write("lockflow.config.json", JSON.stringify({ protocols }));
  const project = resolveProject({ protocols }, files.root);
  const rows = project.deployments.map((deployment) => {
    const { name, protocol, style, chains } = deployment;
    const { hashes, entities } = readingOf(size, deployment, {});
    return { name, protocol, style, chains, ...hashes, entities, snapshot: snapshotPath(deployment) };
  });
  for (const surface of project.surfaces) {
    const { schema } = readingOf(size, surface, {});
    files.write(`generated/${snapshotPath(surface)}`, renderSnapshot(schema, surface));
  }
  files.write("generated/schemas/deployments.json", renderFleetRecord(rows));
  return { files, project, size };
}

/** The operations of this repository; by default with few portable ones, because each is read and validated. */
function realOperations(): Record<string, string> {
  const all = Object.entries(readRepositoryTree("operations"));
  const isFew = (path: string) =>
    /fragments|recent-streams|all-streams/.test(path) || !path.includes("/portable/");
  return Object.fromEntries(all.filter(([path]) => IS_THOROUGH || isFew(path)));
}

function smallOperations(protocols: readonly Protocol[]): Record<string, string> {
  return Object.assign({}, ...protocols.map((protocol) => inFolder(protocol, OPERATIONS)));
}

/** How a fleet is queried and judged. */
type Asking = Partial<Pick<DriftRules, "update" | "require" | "failOn" | "failOnHealth">> & {
  /** The start of the run, as `2026-11-21T03:00:00Z`. */
  readonly at?: string;
  /** The head block of deployments that are not behind. */
  readonly head?: number;
  /** The memory of the run before. */
  readonly memory?: string | null;
  /** The last parts of the names to query; the others have no URL. */
  readonly only?: readonly string[];
};

/** The result and output of a run, and whether it read the operations. */
type JudgedRun = DriftRun & {
  readonly out: string;
  readonly code: number;
  readonly report: Report;
  readonly hasRead: boolean;
};

/** Judges the answers of a fleet and renders the report, as `drift` does after its requests. */
export async function judge(
  { files, project, size }: JudgedFleet,
  answers: Answers = {},
  { at = TODAY, head = HEAD, memory = null, only, update = false, ...judging }: Asking = {},
): Promise<JudgedRun> {
  const startedAt = Date.parse(at);
  const partOf = ({ name }: Deployment) => name.replace(/^protocol-[a-z]+-/, "");
  const givenOf = (one: Deployment) => answers[one.name] ?? answers[partOf(one)] ?? answers[one.style] ?? {};
  const asked = project.deployments.filter((one) => only?.includes(partOf(one)) ?? true);
  let hasRead = false;
  const workspace = openWorkspace(project);
  const run = await judgeAnswers({
    workspace,
    opened: {
      targets: asked.map((deployment) => ({ ...NOWHERE, deployment })),
      unconfigured: project.deployments.filter((one) => !asked.includes(one)),
    },
    committed: allCommitted(workspace),
    rules: {
      ...resolveJudging({ details: false, ...judging }),
      update,
      earlier: memory === null ? new Map() : parseMemory(memory, "the memory"),
      startedAt,
    },
    outcomes: asked.map((deployment) => outcomeOf({ size, project, head }, deployment, givenOf(deployment))),
    retired: [],
    operations: {
      cache: await readOperationCache(workspace),
      read: () => {
        hasRead = true;
        return readOperations(workspace, project.surfaces);
      },
    },
    askAgain: async (suspects) =>
      new Map(suspects.flatMap((one) => answersAgain(size, one, givenOf(one.deployment)))),
  });
  const { report } = run;
  files.write("out.json", JSON.stringify(report));
  const out = RENDERERS.text.render(report, PLAIN);
  return { ...run, out, code: report.outcome.exit, hasRead };
}

const NOWHERE = { url: "http://127.0.0.1/", headers: {}, secrets: [], proxy: null };

/** The start of runs whose time does not matter. */
const TODAY = "2026-11-21T03:00:00Z";

const HEAD = 5000;

/** Judges the snapshots, as `diff` does. */
export async function judgeSnapshots({ project }: JudgedFleet): Promise<Report> {
  return (await diffSnapshots(project, { ...resolveJudging({}), startedAt: Date.parse(TODAY) })).report;
}

/** Accepts findings of the last run, or prunes the stale ones. */
export function acceptFrom(
  { project }: JudgedFleet,
  fingerprints: readonly string[] | null,
  { until, from = "out.json" }: { readonly until?: string | null; readonly from?: string | null } = {},
): Promise<AcceptResult> {
  const change = fingerprints
    ? { fingerprints, reason: "it is being redeployed", until: until ?? undefined }
    : { prune: true };
  const options = { ...change, cwd: project.root, from: from ?? undefined };
  return acceptAt(project, options, Date.parse(TODAY));
}

function outcomeOf(
  { size, project: { chains }, head }: Pick<JudgedFleet, "size" | "project"> & { readonly head: number },
  deployment: Deployment,
  given: Given | LockflowError,
): Outcome {
  if (given instanceof LockflowError) return { kind: "failed", deployment, error: given, probe: null };
  const own = chains
    .filter(({ key }) => deployment.chains.includes(key) && key !== given.without)
    .map(({ chainId }) => chainId);
  const block = head - (given.behind ?? 0);
  const probe: ProbeReading = {
    chainIds: own,
    heads:
      deployment.style === "subgraph"
        ? [{ chainId: null, block }]
        : own.map((chainId) => ({ chainId, block })),
    hasIndexingErrors: false,
    deployment: null,
    ...given.probe,
  };
  try {
    const notes = checkIdentity(deployment, { chains, chainField: CHAIN }, probe);
    return { kind: "introspected", deployment, reading: readingOf(size, deployment, given), probe, notes };
  } catch (error) {
    if (!(error instanceof LockflowError)) throw error;
    return { kind: "failed", deployment, error, probe };
  }
}

const CHAIN = { entity: "Watcher", field: "chainId" };

function answersAgain(
  size: Size,
  { deployment, reading }: Introspected,
  given: Given | LockflowError,
): [string, SchemaReading][] {
  if (given instanceof LockflowError || given.again === undefined) return [];
  const second = readingOf(size, deployment, given.again);
  return second.hashes.schema === reading.hashes.schema ? [] : [[deployment.name, second]];
}

const readings = new Map<string, SchemaReading>();

/** Returns the answer of an indexer, which is built once for all tests. */
function readingOf(
  size: Size,
  { protocol, style: name }: { readonly protocol: Protocol; readonly style: StyleName },
  { edits = [], options = {}, change }: Given,
): SchemaReading {
  const key = change ? null : JSON.stringify([size, size === "real" && protocol, name, edits, options]);
  const known = key === null ? undefined : readings.get(key);
  if (known !== undefined) return known;
  const style = styles[name];
  const model = edits.reduce(editEntities, size === "small" ? SMALL : entitiesOf(protocol, name));
  const aggregates = size === "real" && name === "multichain" ? { aggregates: PUBLIC_AGGREGATES } : {};
  const derived = style.deriver.derive(model, { ...aggregates, ...options });
  const schema = canonicalize(change?.(derived) ?? derived);
  const reading = {
    schema,
    hashes: hashSchema(schema),
    entities: hashEntities(style.schemas.read(schema)),
    plainProtocols: [protocol],
    errors: [],
  };
  if (key !== null) readings.set(key, reading);
  return reading;
}

function editEntities(model: EntityModel, edit: ModelEdit): EntityModel {
  const edited = editModel(model, edit);
  if ("problem" in edited) throw new Error(edited.problem);
  return edited;
}
