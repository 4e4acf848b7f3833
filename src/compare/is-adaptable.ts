import { type GraphQLSchema, Kind, parse, Source, visit } from "graphql";
import { orNull } from "../base/errors.ts";
import type { EntityModel } from "../dialects/entity-model.ts";
import { styles } from "../dialects/index.ts";
import { AUTHORED_STYLE } from "../dialects/portable-style.ts";
import { type OfSurface, surfaceId } from "../dialects/surface.ts";
import type { OperationFile } from "../operations/operation-set.ts";
import { parseFile } from "../operations/parse-operations.ts";
import { type ApiNames, applyEdits, renameDocument } from "../operations/rename-document.ts";
import {
  derivedSurfaces,
  openWithTexts,
  readFormerTexts,
  snapshotOf,
} from "../workspace/former-snapshots.ts";
import { PORTABLE_FOLDER } from "../workspace/operation-files.ts";
import { type CompiledProtocols, readCodeOperations } from "../workspace/operations.ts";
import { graphqlSchema, parseSnapshot, snapshotModel } from "../workspace/snapshot-schema.ts";
import { isValidAlone } from "../workspace/valid-alone.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { findApiRenames, hasOldName, type Rename } from "./find-api-renames.ts";
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
  const files = await readFiles(workspace);
  const broken = files.filter(({ surface, document }) => {
    const schema = schemaOf(workspace, surface);
    return schema && !document.definitions.every((node) => isValidAlone(schema, node));
  });
  if (broken.length === 0) return false;
  const former = openWithTexts(workspace, await readFormerTexts(workspace));
  const renames = await findCertain(former, workspace);
  const refused = new Set(broken.filter((file) => !isRepaired(file, { former, workspace, renames })));
  // Files that share fragments are adapted together. The loop also visits files that it adds.
  for (const file of refused) {
    for (const other of files) if (sharesFragment(file, other)) refused.add(other);
  }
  return broken.some((file) => !refused.has(file));
}

/** An operation file or a document in code, with the surface whose schema it is written for. */
type PlacedFile = OperationFile & { readonly surface: OfSurface; readonly isPortable: boolean };

async function readFiles(workspace: Workspace): Promise<PlacedFile[]> {
  const { project, tree } = workspace;
  const folders = [
    ...project.surfaces.map((surface) => ({ folder: surface.id as string, surface, isPortable: false })),
    ...project.protocols.map((protocol) => ({
      folder: `${protocol}/${PORTABLE_FOLDER}`,
      surface: { protocol, style: AUTHORED_STYLE },
      isPortable: true,
    })),
  ];
  const files = folders.flatMap(({ folder, ...rest }) =>
    workspace.operations(folder).flatMap((source): PlacedFile[] => {
      const file = parseFile(source, []);
      return file ? [{ ...file, ...rest }] : [];
    }),
  );
  if (project.documents.length === 0) return files;
  const { bySurface: inCode } = await readCodeOperations(workspace, NOTHING_COMPILED);
  return [
    ...files,
    ...project.surfaces.flatMap((surface) =>
      (inCode.get(surface.id) ?? [])
        // Literals with escapes or expressions are not edited.
        .filter(({ path, text }) => tree.read(path)?.text.includes(text))
        .map((file) => ({ ...file, surface, isPortable: false })),
    ),
  ];
}

/** Documents in code are written in the dialect of their surface. */
const NOTHING_COMPILED: CompiledProtocols = new Map();

function schemaOf(workspace: Workspace, surface: OfSurface): GraphQLSchema | null {
  const snapshot = snapshotOf(workspace, surface);
  return snapshot && graphqlSchema(snapshot.base);
}

/** Finds the certain renames of surfaces, by their ids. */
async function findCertain(
  former: Workspace,
  workspace: Workspace,
): Promise<ReadonlyMap<string, readonly Rename[]>> {
  const surfaces = [...workspace.project.surfaces, ...derivedSurfaces(workspace)];
  const found = await shareRenames(surfaces, (surface, confirmed) => {
    const [before, after] = [snapshotOf(former, surface), snapshotOf(workspace, surface)];
    const renames =
      before && after ? findApiRenames(snapshotModel(before), snapshotModel(after), { confirmed }) : [];
    return { id: surface.id, renames: renames.filter(({ certain }) => certain) };
  });
  return new Map(found.map(({ id, renames }) => [id, renames]));
}

type Sides = {
  readonly former: Workspace;
  readonly workspace: Workspace;
  readonly renames: ReadonlyMap<string, readonly Rename[]>;
};

/** Returns whether a file with the new names is valid. */
function isRepaired(
  { surface, isPortable, path, text, document }: PlacedFile,
  { former, workspace, renames }: Sides,
): boolean {
  const [before, after] = [snapshotOf(former, surface), snapshotOf(workspace, surface)];
  if (!before || !after) return false;
  const [was, is] = [graphqlSchema(before.base), graphqlSchema(after.base)];
  const definitions = document.definitions.filter((node) => !isValidAlone(is, node));
  if (!definitions.every((node) => isValidAlone(was, node))) return false;
  const certain = renames.get(surfaceId(surface)) ?? [];
  const others = isPortable ? otherModels(workspace, surface) : [];
  const names: ApiNames = findApiNames(
    parseSnapshot(before.base),
    certain.filter((rename) => !others.some((model) => hasOldName(model, rename))),
    styles[surface.style],
  );
  const edits = renameDocument({ kind: Kind.DOCUMENT, definitions }, was, names);
  const adapted = parse(new Source(applyEdits(text, edits), path));
  return adapted.definitions.every((node) => isValidAlone(is, node));
}

/** Returns the entities of a protocol in its other styles, which portable operations are compiled for, too. */
function otherModels(workspace: Workspace, { protocol, style }: OfSurface): EntityModel[] {
  return workspace.snapshots
    .filter((snapshot) => snapshot.protocol === protocol && snapshot.style !== style)
    .map(snapshotModel);
}

function sharesFragment(file: PlacedFile, other: PlacedFile): boolean {
  const names = fragmentNames(file);
  return (
    file.surface.protocol === other.surface.protocol &&
    fragmentNames(other).some((name) => names.includes(name))
  );
}

/** Returns the names of the fragments that a document defines or spreads. */
function fragmentNames({ document }: PlacedFile): string[] {
  const names: string[] = [];
  visit(document, {
    FragmentDefinition: ({ name }) => void names.push(name.value),
    FragmentSpread: ({ name }) => void names.push(name.value),
  });
  return names;
}
