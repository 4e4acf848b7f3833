import { join } from "node:path";
import { compareCodeUnits } from "../base/collections.ts";
import type { LockflowError } from "../base/errors.ts";
import { capitalize, displayText, endSentence } from "../base/text.ts";
import { writeFiles } from "../base/write-files.ts";
import { styles } from "../dialects/index.ts";
import { isOf, surfaceId } from "../dialects/surface.ts";
import { findWithoutChainField } from "../fleet/identity.ts";
import { introspectTargets } from "../fleet/introspect-targets.ts";
import {
  type AskingOptions,
  createProgressReporter,
  type OpenTargets,
  withTargets,
} from "../fleet/open-targets.ts";
import { type Introspected, type Outcome, statusOfFailed } from "../fleet/outcome.ts";
import { planSnapshots } from "../fleet/plan-snapshots.ts";
import { secretsOf } from "../project/endpoints.ts";
import { type Lifecycle, pickLifecycle } from "../project/lifecycle.ts";
import { openProject, type ProjectPlace } from "../project/load-project.ts";
import type { Project } from "../project/project.ts";
import type { EndpointStatus } from "../report/outcome.ts";
import type { FleetRow } from "../workspace/fleet-record.ts";
import { knownModels } from "../workspace/models.ts";
import type { Snapshot } from "../workspace/snapshot.ts";
import { allCommitted, openWorkspace, type Workspace } from "../workspace/workspace.ts";

/** Introspects the deployments of a project. See `introspect` in `src/index.ts`. */
export async function introspect(options: IntrospectOptions): Promise<Introspection> {
  const project = await openProject(options);
  return withTargets(project, options, (opened) => introspectProject(project, opened, options.onProgress));
}

/** The options of `introspect`. */
export type IntrospectOptions = AskingOptions;

/** The result of an introspection. Paths are relative to the output folder. */
export type Introspection = ProjectPlace & {
  /** The queried deployments, in the order of the project. */
  readonly deployments: readonly AskedDeployment[];
  /** Remarks about protocols, one sentence each. */
  readonly notes: readonly string[];
  /** The new fleet record. A failed deployment keeps the schema that it served before. */
  readonly rows: readonly FleetRow[];
  /** Files that are new or have changed, in code-unit order. */
  readonly written: readonly string[];
  /** Files that were current. */
  readonly unchanged: readonly string[];
  /** Snapshots of variants that no deployment serves any more. */
  readonly removed: readonly string[];
  /** Whether operations are not valid for the snapshots, and `adapt` repairs some. */
  readonly isAdaptable: boolean;
};

/** The result for one deployment. */
export type AskedDeployment = {
  /** As in the manifest: `protocol-lockup-mainnet`. */
  readonly name: string;
  /** `introspected`, or why its schema was not used: `wrong-chain`, `wrong-protocol`, `unreachable`, `refused`, … */
  readonly status: "introspected" | EndpointStatus;
  /** Why its schema was not used and what to do; null if it was used. Contains no secret. */
  readonly message: string | null;
  /** Remarks about it. */
  readonly notes: readonly string[];
  /** Its lifecycle in the configuration; left out if it is active. */
  readonly lifecycle?: Lifecycle;
};

/** Introspects the targets and updates the snapshots. A failed deployment changes no snapshot. */
export async function introspectProject(
  project: Project,
  { targets }: OpenTargets,
  onProgress?: AskingOptions["onProgress"],
): Promise<Introspection> {
  // An unreadable snapshot ends the run before it costs a request.
  const workspace = openWorkspace(project);
  const committed = allCommitted(workspace);
  const count = createProgressReporter(targets.length, onProgress);
  const outcomes = await introspectTargets(targets, workspace, {
    snapshots: committed.snapshots,
    onOutcome: ({ deployment }) => count(deployment.name),
  });
  const { root, output, deployments, follow } = project;
  const { rows, files, removals } = planSnapshots({ ...committed, deployments, outcomes, follow });
  // If no deployment answered, not even an empty record is written.
  const { written, unchanged, removed } =
    rows.length > 0
      ? await writeFiles(join(root, output), files, { removals })
      : { written: [], unchanged: [], removed: [] };
  const secrets = secretsOf(targets);
  return {
    root,
    output,
    deployments: outcomes.map((outcome) => describeOutcome(outcome, secrets)),
    notes: [
      ...findWithoutChainField(outcomes, project.definitions).map(
        ({ sentence, fix }) => `${sentence} ${capitalize(fix)}`,
      ),
      ...(await findMergers(outcomes, workspace, committed.snapshots)),
    ],
    rows,
    written: written.toSorted(compareCodeUnits),
    unchanged: unchanged.toSorted(compareCodeUnits),
    removed: removed.toSorted(compareCodeUnits),
    // The files are read again, because some were written.
    isAdaptable: await (await import("../compare/is-adaptable.ts")).isAdaptable(openWorkspace(project)),
  };
}

/** Describes protocols that one indexer serves now. Schemas as in the snapshots only show it by identifying fields. */
async function findMergers(
  outcomes: readonly Outcome[],
  workspace: Workspace,
  snapshots: readonly Snapshot[],
): Promise<string[]> {
  const { definitions } = workspace.project;
  const isKnown = ({ deployment, reading }: Introspected) =>
    snapshots.find(isOf(deployment))?.base.hash === reading.hashes.schema;
  const suspects = new Map(
    outcomes
      .filter((outcome) => outcome.kind === "introspected")
      .filter((outcome) => outcome.reading.plainProtocols.length > 1 || !isKnown(outcome))
      .map((outcome) => [`${surfaceId(outcome.deployment)} ${outcome.reading.entities}`, outcome] as const),
  );
  if (suspects.size === 0) return [];
  const { describeMergers } = await import("../compare/describe-mergers.ts");
  const modelOf = knownModels(workspace, snapshots);
  const served = [...suspects.values()].map(({ deployment: { protocol, style }, reading }) => {
    const model = styles[style].schemas.read(reading.schema);
    return { protocol, style, model, protocols: reading.plainProtocols };
  });
  return describeMergers(served, (surface) => modelOf(surface)?.model ?? null, definitions);
}

/** Whether a deployment serves another chain or protocol than the manifest claims. */
export function hasWrongIdentity({ status }: AskedDeployment): boolean {
  return status === "wrong-chain" || status === "wrong-protocol";
}

/** Whether a deployment returned no schema and is configured as dormant. */
export function isExcused({ status, lifecycle }: AskedDeployment): boolean {
  return status === "dormant" && lifecycle?.status === "dormant";
}

function describeOutcome(outcome: Outcome, secrets: readonly string[]): AskedDeployment {
  const { name, status } = outcome.deployment;
  const lifecycle = status === "active" ? {} : { lifecycle: pickLifecycle(outcome.deployment) };
  if (outcome.kind === "failed") {
    const message = displayText(oneLine(outcome.error), secrets);
    return { name, status: statusOfFailed(outcome), message, notes: [], ...lifecycle };
  }
  const notes = outcome.notes.map((note) => displayText(note, secrets));
  return { name, status: "introspected", message: null, notes, ...lifecycle };
}

/** Renders an error on one line. Sentences of servers may lack the full stop. */
export function oneLine({ sentence, context, hint }: LockflowError): string {
  const where = context.length > 0 ? ` (${context.join("; ")})` : "";
  return `${endSentence(`${sentence}${where}`)}${hint ? ` ${endSentence(capitalize(hint))}` : ""}`;
}
