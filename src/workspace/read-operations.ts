import { join, relative, resolve, sep } from "node:path";
import { FileError, SchemaError, UsageError } from "../base/errors.ts";
import { DISK, readText, type TextSource } from "../base/read-files.ts";
import { type Protocol, STYLE_NAMES, type StyleName, surfaceId } from "../dialects/surface.ts";
import type { OperationSource } from "../operations/operation-set.ts";
import type { PortableInputs } from "../operations/portable/prepare-portable.ts";
import type { Project } from "../project/project.ts";
import { readSnapshots, requireSnapshot } from "./read-snapshots.ts";
import type { Snapshot } from "./snapshot.ts";

/** Where a protocol's operations are that are written once, beside the folders of its styles. */
export const PORTABLE_FOLDER = "portable";

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

/**
 * Reads a file that is named on the command line, wherever it lies.
 *
 * @returns its text, and its path from the root of the project.
 * @throws FileError where there is none.
 */
export async function readGivenFile(project: Project, given: string, cwd: string): Promise<OperationSource> {
  const absolute = resolve(cwd, given);
  const text = await readText(absolute);
  if (text === null) {
    throw new FileError({
      code: "FILE_UNREADABLE",
      sentence: `There is no file "${given}".`,
      hint: "name a file of operations, or an operation by its name alone.",
    });
  }
  return { path: relative(project.root, absolute).split(sep).join("/"), text };
}

/**
 * The protocol that a file is of: that of its folder, else the only one there is.
 *
 * @throws UsageError where it may be of several.
 */
export function findProtocolOfFile(
  project: Project,
  given: string,
  path: string,
  candidates: readonly Protocol[],
): Protocol {
  const within = candidates.find((protocol) => path.startsWith(`${project.operations}/${protocol}/`));
  const protocol = within ?? (candidates.length === 1 ? candidates[0] : undefined);
  if (protocol !== undefined) return protocol;
  throw new UsageError({
    sentence: `It is not clear which protocol "${given}" is of.`,
    hint: `say it with --protocol: ${candidates.join(", ")}.`,
  });
}

/**
 * Reads the operation files below a folder; their paths are from the project's root, with `/`.
 *
 * @param folder in that of the operations: `lockup/subgraph`.
 */
export async function readOperationSources(
  { root, operations }: Pick<Project, "root" | "operations">,
  folder: string,
  { readTree, readText }: TextSource = DISK,
): Promise<OperationSource[]> {
  const base = `${operations}/${folder}`;
  const paths = await readTree(join(root, base), [".graphql", ".gql"]);
  return Promise.all(
    paths.map(async (path) => ({
      path: `${base}/${path}`,
      text: (await readText(join(root, base, path))) ?? "",
    })),
  );
}
