import { join } from "node:path";
import { type WriteSummary, writeFiles } from "../base/disk/write-files.ts";
import type { Project } from "../project/project.ts";
import { readCommittedSchemas } from "../snapshots/read-snapshots.ts";
import { introspectTargets } from "./introspect-targets.ts";
import type { Outcome } from "./outcome.ts";
import { planSnapshots, type SnapshotPlan } from "./plan-snapshots.ts";
import type { Target } from "./resolve-targets.ts";

/** What an introspection of all deployments did. */
export type IntrospectionRun = {
  readonly outcomes: readonly Outcome[];
  readonly plan: SnapshotPlan;
  readonly summary: WriteSummary;
};

/** Introspects the targets and updates the snapshots. */
export async function runIntrospection(
  project: Project,
  targets: readonly Target[],
  onOutcome: (outcome: Outcome) => void,
): Promise<IntrospectionRun> {
  // An unreadable snapshot ends the run before it costs a request.
  const committed = await readCommittedSchemas(project);
  const outcomes = await introspectTargets(targets, project, committed.snapshots, onOutcome);
  const plan = planSnapshots({
    ...committed,
    deployments: project.deployments,
    outcomes,
    follow: project.follow,
  });
  // A run in which nobody answered has nothing to say, not even an empty record.
  const worthWriting = plan.rows.length > 0;
  const summary = worthWriting
    ? await writeFiles(join(project.root, project.output), plan.files, plan.removals)
    : { written: [], unchanged: [], removed: [] };
  return { outcomes, plan, summary };
}
