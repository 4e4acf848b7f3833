import { join } from "node:path";
import { type WriteSummary, writeFiles } from "../base/disk/write-files.ts";
import type { Outcome } from "../fleet/outcome.ts";
import { planSnapshots } from "../fleet/plan-snapshots.ts";
import type { Deployment } from "../project/deployment.ts";
import type { Project } from "../project/project.ts";
import { FLEET_RECORD_PATH, renderFleetRecord } from "../snapshots/fleet-record.ts";
import type { CommittedSchemas } from "../snapshots/read-snapshots.ts";

/**
 * Moves the snapshots to what was answered, a protocol and style at a time and all of them in one writing. What did
 * not answer keeps what it served last, and of a group that is not to move nothing changes at all.
 *
 * @param outcomes without those that no snapshot may follow.
 * @param isMoving tells whether enough of a deployment's protocol and style answered.
 */
export async function moveSnapshots(
  project: Project,
  known: CommittedSchemas,
  outcomes: readonly Outcome[],
  isMoving: (deployment: Pick<Deployment, "protocol" | "style">) => boolean,
): Promise<WriteSummary> {
  const deployments = project.deployments.filter(isMoving);
  const { files, removals, rows } = planSnapshots({
    ...known,
    deployments,
    outcomes,
    follow: project.follow,
  });
  if (rows.length === 0) return { written: [], unchanged: [], removed: [] };
  const record = renderFleetRecord([...rows, ...known.rows.filter((row) => !isMoving(row))]);
  return writeFiles(
    join(project.root, project.output),
    files.map((file) => (file.path === FLEET_RECORD_PATH ? { ...file, content: record } : file)),
    removals,
  );
}
