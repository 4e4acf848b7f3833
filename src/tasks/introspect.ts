import { join } from "node:path";
import { compareCodeUnits } from "../base/collections.ts";
import type { LockflowError } from "../base/errors.ts";
import { capitalize, displayText, endSentence } from "../base/text.ts";
import { writeFiles } from "../base/write-files.ts";
import { findWithoutChainField } from "../fleet/identity.ts";
import { introspectTargets } from "../fleet/introspect-targets.ts";
import {
  type AskingOptions,
  createProgressReporter,
  type OpenTargets,
  withTargets,
} from "../fleet/open-targets.ts";
import { type Outcome, statusOfFailed } from "../fleet/outcome.ts";
import { planSnapshots } from "../fleet/plan-snapshots.ts";
import { secretsOf } from "../project/endpoints.ts";
import { type Lifecycle, pickLifecycle } from "../project/lifecycle.ts";
import type { ProjectPlace } from "../project/load-project.ts";
import { openProject } from "../project/load-project.ts";
import type { Project } from "../project/project.ts";
import type { EndpointStatus } from "../report/outcome.ts";
import type { FleetRow } from "../workspace/fleet-record.ts";
import { allCommitted, openWorkspace } from "../workspace/workspace.ts";

/** Introspects the deployments of a project: see `introspect` of `src/index.ts`. */
export async function introspect(options: IntrospectOptions): Promise<Introspection> {
  const project = await openProject(options);
  return withTargets(project, options, (opened) => introspectProject(project, opened, options.onProgress));
}

/** The options of `introspect`. */
export type IntrospectOptions = AskingOptions;

/** What an introspection of all deployments did. Paths are relative to the output folder. */
export type Introspection = ProjectPlace & {
  /** Everyone who was asked, in the order of the project. */
  readonly deployments: readonly AskedDeployment[];
  /** What is worth knowing of a protocol: one sentence each. */
  readonly notes: readonly string[];
  /** What every deployment serves now, as the fleet record says: of one that failed, what it served before. */
  readonly rows: readonly FleetRow[];
  /** Files that are new or have changed, in code-unit order. */
  readonly written: readonly string[];
  /** Files that were current. */
  readonly unchanged: readonly string[];
  /** Snapshots of variants that nobody serves any more. */
  readonly removed: readonly string[];
};

/** What became of one deployment. */
export type AskedDeployment = {
  /** As the manifest has it: `protocol-lockup-mainnet`. */
  readonly name: string;
  /** `introspected`, or why its schema was not taken: `wrong-chain`, `wrong-protocol`, `unreachable`, `refused`, … */
  readonly status: "introspected" | EndpointStatus;
  /** Why its schema was not taken, with what to do; null when it was. It holds no secret. */
  readonly message: string | null;
  /** What else is worth knowing of it. */
  readonly notes: readonly string[];
  /** What the configuration tells became of it; left out while it is in use. */
  readonly lifecycle?: Lifecycle;
};

/** Introspects the targets and updates the snapshots. A deployment that fails changes none. */
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
  // A run in which nobody answered has nothing to say, not even an empty record.
  const { written, unchanged, removed } =
    rows.length > 0
      ? await writeFiles(join(root, output), files, { removals })
      : { written: [], unchanged: [], removed: [] };
  const secrets = secretsOf(targets);
  return {
    root,
    output,
    deployments: outcomes.map((outcome) => describeOutcome(outcome, secrets)),
    notes: findWithoutChainField(outcomes, project.definitions).map(
      ({ sentence, fix }) => `${sentence} ${capitalize(fix)}`,
    ),
    rows,
    written: written.toSorted(compareCodeUnits),
    unchanged: unchanged.toSorted(compareCodeUnits),
    removed: removed.toSorted(compareCodeUnits),
  };
}

/** Whether a deployment answered as another one than the manifest says. */
export function hasWrongIdentity({ status }: AskedDeployment): boolean {
  return status === "wrong-chain" || status === "wrong-protocol";
}

/** Whether it gave no schema, and nobody expects that it does: it is called dormant. */
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

/** Renders an error on one line; a server's words have no full stop. */
export function oneLine({ sentence, context, hint }: LockflowError): string {
  const where = context.length > 0 ? ` (${context.join("; ")})` : "";
  return `${endSentence(`${sentence}${where}`)}${hint ? ` ${endSentence(capitalize(hint))}` : ""}`;
}
