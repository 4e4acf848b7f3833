import { join } from "node:path";
import { writeFiles } from "../base/disk/write-files.ts";
import type { Outcome } from "../fleet/outcome.ts";
import { planSnapshots } from "../fleet/plan-snapshots.ts";
import type { Project } from "../project/project.ts";
import { type OfSurface, type SurfaceId, surfaceId } from "../project/surface.ts";
import type { MovedFile } from "../report/report.ts";
import { FLEET_RECORD_PATH, renderFleetRecord } from "../snapshots/fleet-record.ts";
import type { CommittedSchemas } from "../snapshots/read-snapshots.ts";

/**
 * Moves the snapshots to what was answered, all in one writing. What did not answer keeps what it served last.
 *
 * @param outcomes without those that no snapshot may follow.
 * @param moving the surfaces of which enough answered; of any other nothing changes at all.
 */
export async function moveSnapshots(
  project: Project,
  known: CommittedSchemas,
  outcomes: readonly Outcome[],
  moving: ReadonlySet<SurfaceId>,
): Promise<MovedFile[]> {
  const isMoving = (one: OfSurface) => moving.has(surfaceId(one));
  const { files, removals, rows } = planSnapshots({
    ...known,
    deployments: project.deployments.filter(isMoving),
    outcomes,
    follow: project.follow,
  });
  if (rows.length === 0) return [];
  const record = renderFleetRecord([...rows, ...known.rows.filter((row) => !isMoving(row))]);
  const { written, removed } = await writeFiles(
    join(project.root, project.output),
    files.map((file) => (file.path === FLEET_RECORD_PATH ? { ...file, content: record } : file)),
    removals,
  );
  const moved = (paths: readonly string[], change: MovedFile["change"]) =>
    paths.map((path) => ({ file: `${project.output}/${path}`, change }));
  return [...moved(written, "written"), ...moved(removed, "removed")];
}
