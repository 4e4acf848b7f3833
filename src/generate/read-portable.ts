import { join } from "node:path";
import { DISK, type TextSource } from "../base/disk/read-tree.ts";
import { SchemaError } from "../base/errors/schema-error.ts";
import type { Project } from "../project/project.ts";
import { surfaceId } from "../project/surface.ts";
import { type Protocol, STYLE_NAMES, type StyleName } from "../project/vocabulary.ts";
import { readSnapshots, requireSnapshot } from "../snapshots/read-snapshots.ts";
import type { Snapshot } from "../snapshots/snapshot.ts";
import { type OperationSource, readOperationSources } from "./operation-source.ts";

/** Where a protocol's operations are that are written once, beside the folders of its styles. */
export const PORTABLE_FOLDER = "portable";

/** The style whose GraphQL they are written in. */
export const AUTHORED_STYLE: StyleName = "subgraph";

/** What a protocol has written once for both styles, and what compiling it takes. */
export type PortableInputs = {
  readonly protocol: Protocol;
  readonly sources: readonly OperationSource[];
  /** Both are needed, also where a run is about one style. */
  readonly snapshots: { readonly [S in StyleName]: Snapshot };
  /** What is in the folders of the styles, which may use its fragments. */
  readonly users: readonly OperationSource[];
};

/**
 * Reads the portable operations of a protocol, and the snapshots of both styles.
 *
 * @returns null where there are none, or the protocol has one style only.
 * @throws SchemaError when a snapshot is missing.
 */
export async function readPortable(
  project: Pick<Project, "root" | "output" | "operations" | "surfaces" | "unread">,
  protocol: Protocol,
  source: TextSource = DISK,
): Promise<PortableInputs | null> {
  if (!hasBothStyles(project, protocol)) return null;
  const sources = await readOperationSources(project, `${protocol}/${PORTABLE_FOLDER}`, source);
  if (sources.length === 0) return null;
  const users = await Promise.all(
    STYLE_NAMES.map((style) => readOperationSources(project, surfaceId({ protocol, style }), source)),
  );
  const snapshots = await requirePortableSnapshots(project, protocol, source);
  return { protocol, sources, snapshots, users: users.flat() };
}

/**
 * Reads the snapshots of both styles of a protocol.
 *
 * @throws SchemaError when one is missing.
 */
export async function requirePortableSnapshots(
  project: Pick<Project, "root" | "output" | "unread">,
  protocol: Protocol,
  source: TextSource = DISK,
): Promise<PortableInputs["snapshots"]> {
  const [multichain, subgraph] = await Promise.all([
    requireOf(project, protocol, "multichain", source),
    requireOf(project, protocol, "subgraph", source),
  ]);
  return { multichain, subgraph };
}

/** Whether a protocol has both styles, whatever `only` leaves out of them. */
export function hasBothStyles(
  { surfaces, unread }: Pick<Project, "surfaces" | "unread">,
  protocol: Protocol,
): boolean {
  const known = new Set<string>([...surfaces.map(({ id }) => id), ...unread]);
  return STYLE_NAMES.every((style) => known.has(surfaceId({ protocol, style })));
}

async function requireOf(
  { root, output, unread }: Pick<Project, "root" | "output" | "unread">,
  protocol: Protocol,
  style: StyleName,
  source: TextSource,
): Promise<Snapshot> {
  const surface = { protocol, style };
  if (!unread.includes(surfaceId(surface))) return requireSnapshot(join(root, output), surface, source);
  const [snapshot] = await readSnapshots(join(root, output), [surface], source);
  if (snapshot) return snapshot;
  throw new SchemaError({
    code: "SCHEMA_SNAPSHOT_MISSING",
    sentence: `The portable operations of ${protocol} need its snapshot in ${style} style, which "only" leaves out.`,
    hint: 'run `lockflow introspect` once without "only" to make it, or move them to the folder of the other style.',
  });
}
