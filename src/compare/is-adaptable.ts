import { Kind, parse, Source, visit } from "graphql";
import { orNull } from "../base/errors.ts";
import { styles } from "../dialects/index.ts";
import { isOf } from "../dialects/surface.ts";
import { applyEdits, renameDocument } from "../operations/rename-document.ts";
import { readPairs, type SnapshotPair } from "../workspace/former-snapshots.ts";
import { type PlacedFile, readPlacedFiles } from "../workspace/placed-files.ts";
import { graphqlSchema, parseSnapshot, snapshotModel } from "../workspace/snapshot-schema.ts";
import { isValidAlone } from "../workspace/valid-alone.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { type ConfirmedRename, findApiRenames, hasOldName, type Rename } from "./find-api-renames.ts";
import { findApiNames } from "./rename-api.ts";
import { shareRenames } from "./share-renames.ts";

/**
 * Returns whether `lockflow adapt` would change an operation: the snapshots do not accept it, and the certain renames
 * since the last committed versions that differ repair it. Reads git only if an operation is not valid. False if
 * something cannot be read.
 */
export async function isAdaptable(workspace: Workspace): Promise<boolean> {
  return (await orNull(() => findAdaptable(workspace))) ?? false;
}

async function findAdaptable(workspace: Workspace): Promise<boolean> {
  const files = await readPlacedFiles(workspace);
  const broken = files.filter(({ isValid }) => !isValid);
  if (broken.length === 0) return false;
  const pairs = await readPairs(workspace);
  const renamed = await shareRenames(pairs, findRenamed);
  const refused = new Set(broken.filter((file) => !isRepaired(file, renamed)));
  // Files that share fragments are adapted together. The loop also visits files that it adds.
  for (const file of refused) {
    for (const other of files) if (sharesFragment(file, other)) refused.add(other);
  }
  return broken.some((file) => !refused.has(file));
}

/** A surface, and what was certainly renamed in it. */
type RenamedSurface = SnapshotPair & { readonly renames: readonly Rename[] };

function findRenamed(pair: SnapshotPair, confirmed: readonly ConfirmedRename[]): RenamedSurface {
  const renames = findApiRenames(snapshotModel(pair.before), snapshotModel(pair.after), { confirmed });
  return { ...pair, renames: renames.filter(({ certain }) => certain) };
}

/** Returns whether a file with the new names is valid. */
function isRepaired(
  { surface, isPortable, path, text, document }: PlacedFile,
  renamed: readonly RenamedSurface[],
): boolean {
  const renaming = renamed.find(isOf(surface));
  if (renaming === undefined) return false;
  const [was, is] = [graphqlSchema(renaming.before.base), graphqlSchema(renaming.after.base)];
  const definitions = document.definitions.filter((node) => !isValidAlone(is, node));
  if (!definitions.every((node) => isValidAlone(was, node))) return false;
  // Portable operations are compiled for the other style, too.
  const others = renamed
    .filter(({ protocol, style }) => isPortable && protocol === surface.protocol && style !== surface.style)
    .map(({ after }) => snapshotModel(after));
  const names = findApiNames(
    parseSnapshot(renaming.before.base),
    renaming.renames.filter((rename) => !others.some((model) => hasOldName(model, rename))),
    styles[surface.style],
  );
  const edits = renameDocument({ kind: Kind.DOCUMENT, definitions }, was, names);
  const adapted = parse(new Source(applyEdits(text, edits), path));
  return adapted.definitions.every((node) => isValidAlone(is, node));
}

function sharesFragment(file: PlacedFile, other: PlacedFile): boolean {
  const names = fragmentNames(file);
  return (
    file.surface.protocol === other.surface.protocol &&
    fragmentNames(other).some((name) => names.includes(name))
  );
}

function fragmentNames({ document }: PlacedFile): string[] {
  const names: string[] = [];
  visit(document, {
    FragmentDefinition: ({ name }) => void names.push(name.value),
    FragmentSpread: ({ name }) => void names.push(name.value),
  });
  return names;
}
