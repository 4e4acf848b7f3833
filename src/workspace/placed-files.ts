import { AUTHORED_STYLE } from "../dialects/portable-style.ts";
import type { OfSurface } from "../dialects/surface.ts";
import type { OperationFile } from "../operations/operation-set.ts";
import { parseFile } from "../operations/parse-operations.ts";
import { snapshotOf } from "./former-snapshots.ts";
import { PORTABLE_FOLDER } from "./operation-files.ts";
import { type CompiledProtocols, readCodeOperations } from "./operations.ts";
import { graphqlSchema } from "./snapshot-schema.ts";
import { isValidAlone } from "./valid-alone.ts";
import type { Workspace } from "./workspace.ts";

/** An operation file or a document in code. */
export type PlacedFile = OperationFile & {
  /** The surface whose schema it is written for. */
  readonly surface: OfSurface;
  readonly isPortable: boolean;
  /** Whether the snapshot accepts each definition alone. */
  readonly isValid: boolean;
};

/** Reads the operation files, and the documents in code whose text is in their file as it is. */
export async function readPlacedFiles(workspace: Workspace): Promise<PlacedFile[]> {
  const { project, tree } = workspace;
  const place = (file: OperationFile, surface: OfSurface, isPortable: boolean): PlacedFile => {
    const snapshot = snapshotOf(workspace, surface);
    const schema = snapshot && graphqlSchema(snapshot.base);
    const isValid = !schema || file.document.definitions.every((node) => isValidAlone(schema, node));
    return { ...file, surface, isPortable, isValid };
  };
  const inFolder = (folder: string) =>
    workspace.operations(folder).flatMap((source) => parseFile(source, []) ?? []);
  const files = [
    ...project.surfaces.flatMap((surface) => inFolder(surface.id).map((file) => place(file, surface, false))),
    ...project.protocols.flatMap((protocol) =>
      inFolder(`${protocol}/${PORTABLE_FOLDER}`).map((file) =>
        place(file, { protocol, style: AUTHORED_STYLE }, true),
      ),
    ),
  ];
  if (project.documents.length === 0) return files;
  const { bySurface } = await readCodeOperations(workspace, NOTHING_COMPILED);
  const inCode = project.surfaces.flatMap((surface) =>
    (bySurface.get(surface.id) ?? [])
      .filter(({ path, text }) => tree.read(path)?.text.includes(text))
      .map((file) => place(file, surface, false)),
  );
  return [...files, ...inCode];
}

/** Documents in code are written in the dialect of their surface. */
const NOTHING_COMPILED: CompiledProtocols = new Map();
