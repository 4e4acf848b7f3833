import type { OfSurface } from "../project/surface.ts";
import type { Snapshot, SnapshotFile } from "../snapshots/snapshot.ts";
import type { EntityText } from "./derive-planned.ts";
import type { PlacedOperation } from "./read-operations.ts";

/** What is planned for one protocol in one style. */
export type SurfacePlan = OfSurface & {
  /** The entity schema that is to be deployed, and its path from the project's root. */
  readonly entities: EntityText & { readonly file: string };
  /** What is committed of the API; null where nothing is. */
  readonly snapshot: Snapshot | null;
  /** What some deployments serve instead, and their names: their platforms may not be those of the others. */
  readonly variants: readonly { readonly file: SnapshotFile; readonly deployments: readonly string[] }[];
  /** The entity schema at a git ref, to compare with in place of the snapshot; without text where it was not there. */
  readonly earlier: { readonly name: string; readonly text: string | null } | null;
  /** One of the platform's releases; null for the one that the snapshot shows. */
  readonly release: string | null;
  readonly operations: readonly PlacedOperation[];
};
