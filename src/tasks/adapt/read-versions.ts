import { resolve } from "node:path";
import { orNull, UsageError } from "../../base/errors.ts";
import { readAtRef } from "../../base/git.ts";
import { readText } from "../../base/read-files.ts";
import { shellArgument } from "../../base/text.ts";
import type { ApiSchema } from "../../dialects/api-schema.ts";
import { hashSchema } from "../../dialects/canonicalize.ts";
import { isRowDefinition } from "../../dialects/entity-model.ts";
import { styles } from "../../dialects/index.ts";
import { isJson, parseSchema } from "../../dialects/parse-schema.ts";
import { renderSdl } from "../../dialects/render-sdl.ts";
import { isOf, type OfSurface, STYLE_NAMES, type StyleName, surfaceId } from "../../dialects/surface.ts";
import type { Project } from "../../project/project.ts";
import { readEarlierSnapshots } from "../../workspace/earlier-snapshots.ts";
import { deriveMissingSnapshot } from "../../workspace/missing-style.ts";
import { requirePortableSource } from "../../workspace/operation-files.ts";
import { completeSnapshots } from "../../workspace/operations.ts";
import { readSnapshotHeader, type Snapshot, snapshotPath } from "../../workspace/snapshot.ts";
import { parseSnapshot } from "../../workspace/snapshot-schema.ts";
import { requireSnapshot, type Workspace } from "../../workspace/workspace.ts";
import type { AdaptOptions } from "./adapt-types.ts";
import { isReadable, onlyVersion, openHistory, type SchemaVersion, type Versions } from "./old-schema.ts";

/**
 * Returns the snapshot on disk of a surface; a derived one if the protocol has only the other style.
 *
 * @throws SchemaError if it is missing.
 */
export function currentSnapshot(workspace: Workspace, surface: OfSurface): Snapshot {
  const { project } = workspace;
  const snapshot = workspace.snapshot(surface);
  const definition = project.definitions.find(({ key }) => key === surface.protocol);
  if (snapshot !== null || definition === undefined || project.surfaces.some(isOf(surface))) {
    return snapshot ?? requireSnapshot(workspace, surface);
  }
  return completeSnapshots(requirePortableSource(workspace, definition))[surface.style];
}

/**
 * Opens the old versions of the snapshot of a surface: those that git has, or the one that `from` names.
 *
 * @param from a file, or a git ref.
 * @throws FileError, SchemaError, UsageError
 */
export async function openVersions(
  workspace: Workspace,
  surface: OfSurface,
  { from, cwd }: { readonly from: string | undefined; readonly cwd: string },
): Promise<Versions> {
  const { project } = workspace;
  const written = writtenSurface(workspace, surface);
  const derive = (versions: Versions) =>
    written.style === surface.style ? versions : derivedVersions(workspace, surface, versions);
  const path = `${project.output}/${snapshotPath(written)}`;
  if (from === undefined) {
    return derive(await openHistory(project.root, path, workspace.snapshot(written)?.base.text ?? null));
  }
  const text = await readText(resolve(cwd, from));
  if (text !== null) {
    const version = parseFrom(text, from);
    const style = styleOf(parseSnapshot(version.file));
    if (style === surface.style) return onlyVersion(version);
    return style === written.style ? derive(onlyVersion(version)) : NO_VERSIONS;
  }
  const name = surfaceId(written);
  const file = (await readEarlierSnapshots(project, from, [name])).get(name);
  const hash = file && readSnapshotHeader(file.text)?.schema;
  if (file === undefined || hash === undefined) {
    throw new UsageError({
      sentence: `${from} has no ${file === undefined ? "snapshot" : "valid snapshot"} of ${name}.`,
      hint: `choose a ref that has it: \`git log --all -- ${shellArgument(path)}\` lists its commits.`,
    });
  }
  return derive(onlyVersion({ from, file: { path: file.path, text: file.text, hash } }));
}

/**
 * Requires that `from` names a file or a git ref.
 *
 * @throws FileError
 */
export async function requireSource(
  project: Project,
  { from, cwd }: Pick<AdaptOptions, "from" | "cwd">,
): Promise<void> {
  if (from === undefined || (await readText(resolve(cwd, from))) !== null) return;
  await readEarlierSnapshots(
    project,
    from,
    project.surfaces.map(({ id }) => id),
  );
}

const NO_VERSIONS: Versions = { at: async () => null, skipped: [], isShallow: false };

/** Returns the surface whose snapshot is written: the other style's, if the protocol has only that one. */
function writtenSurface(workspace: Workspace, surface: OfSurface): OfSurface {
  const { surfaces } = workspace.project;
  if (workspace.snapshot(surface) !== null || surfaces.some(isOf(surface))) return surface;
  return surfaces.find(({ protocol }) => protocol === surface.protocol) ?? surface;
}

/** Derives the versions of a style in which a protocol is not deployed from those of the other style. */
function derivedVersions(workspace: Workspace, surface: OfSurface, versions: Versions): Versions {
  const definition = workspace.project.definitions.find(({ key }) => key === surface.protocol);
  const written = writtenSurface(workspace, surface);
  return {
    ...versions,
    at: async (index) => {
      const version = await versions.at(index);
      if (version === null || definition === undefined || !isReadable(version)) return version;
      const snapshot = { ...written, base: version.file, variants: [] };
      const path = definition.entities[written.style];
      const entities = path === undefined ? null : await readEntities(workspace, path, version.from);
      const { base } = deriveMissingSnapshot(definition, surface.style, { snapshot, entities });
      return { from: version.from, file: base };
    },
  };
}

/** Reads an entity file at a git ref; null without one: the old schema may be a file. */
async function readEntities({ project }: Workspace, path: string, ref: string) {
  const file = await orNull(async () => (await readAtRef(project.root, ref, [path])).get(path));
  return file ? { path, text: file.text } : null;
}

/** Parses a file of SDL or introspection JSON. */
function parseFrom(text: string, from: string): SchemaVersion {
  const schema = parseSchema(text, from);
  const sdl = isJson(text) ? renderSdl(schema) : text;
  return { from, file: { path: from, text: sdl, hash: hashSchema(schema).schema } };
}

/** Returns the style in which a schema has the most entities; null if it has none. */
function styleOf(schema: ApiSchema): StyleName | null {
  const counts = STYLE_NAMES.map((style) => ({
    style,
    count: styles[style].schemas.read(schema).definitions.filter(isRowDefinition).length,
  }));
  const [most] = counts.sort((a, b) => b.count - a.count);
  return most && most.count > 0 ? most.style : null;
}
