import { join } from "node:path";
import { createTwoFilesPatch, FILE_HEADERS_ONLY } from "diff";
import { groupBy } from "../../base/collections.ts";
import { readUnchanged } from "../../base/read-files.ts";
import { writeFiles } from "../../base/write-files.ts";
import { AUTHORED_STYLE } from "../../dialects/portable-style.ts";
import type { OperationSet } from "../../operations/operation-set.ts";
import { parseOperations } from "../../operations/parse-operations.ts";
import { findWrongVariables } from "../../operations/variable-types.ts";
import { PORTABLE_FOLDER, portableFiles } from "../../workspace/operation-files.ts";
import { compiledSet, compileProtocols, completeSnapshots } from "../../workspace/operations.ts";
import type { SnapshotFile } from "../../workspace/snapshot.ts";
import { graphqlSchema } from "../../workspace/snapshot-schema.ts";
import type { Workspace } from "../../workspace/workspace.ts";

/**
 * Corrects the declared types of variables in operation files if the correct type accepts every value of the declared
 * one: `$pool: String!` becomes `$pool: ID!`. Operations in code stay unchanged.
 *
 * @returns a unified diff of the changes; empty if there are none.
 * @throws SchemaError for a snapshot that is missing, and FileError for a file that cannot be written.
 */
export async function fixVariables(workspace: Workspace): Promise<string> {
  const { root } = workspace.project;
  const edits = groupBy(findEdits(workspace), ({ path }) => path);
  const files = [];
  for (const [path, ofPath] of edits) {
    // The workspace normalizes line ends.
    const before = await readUnchanged(join(root, path));
    files.push({ path, before, content: applyEdits(before, ofPath) });
  }
  await writeFiles(root, files);
  const patches = files.map(({ path, before, content }) =>
    createTwoFilesPatch(path, path, before, content, undefined, undefined, PATCH),
  );
  return patches.length === 0 ? "" : `${patches.join("")}\n`;
}

const PATCH = { context: 1, headerOptions: FILE_HEADERS_ONLY };

/** A replacement on one line of a file. Lines and columns are from 1. */
type Edit = {
  readonly path: string;
  readonly line: number;
  readonly column: number;
  readonly was: string;
  readonly text: string;
};

function findEdits(workspace: Workspace): Edit[] {
  const { project } = workspace;
  const ofPortable = project.protocols.flatMap((protocol) => {
    const portable = portableFiles(workspace, protocol);
    if (portable === null) return [];
    const sources = workspace.operations(`${protocol}/${PORTABLE_FOLDER}`);
    const { set } = parseOperations(sources, { protocol, style: AUTHORED_STYLE });
    return editsOf(set, completeSnapshots(portable)[AUTHORED_STYLE].base);
  });
  const written = project.surfaces.filter((surface) => workspace.operations(surface.id).length > 0);
  const compiled = compileProtocols(workspace, written);
  const ofStyles = written.flatMap((surface) => {
    const snapshot = workspace.snapshot(surface);
    if (snapshot === null) return [];
    const sources = workspace.operations(surface.id);
    const shared = compiledSet(compiled, surface);
    const { set } = parseOperations(sources, surface, { portable: shared });
    const paths = new Set(sources.map(({ path }) => path));
    return editsOf({ operations: set.operations.filter(({ file }) => paths.has(file.path)) }, snapshot.base);
  });
  return [...ofPortable, ...ofStyles];
}

function editsOf({ operations }: Pick<OperationSet, "operations">, snapshot: SnapshotFile): Edit[] {
  const schema = graphqlSchema(snapshot);
  return operations.flatMap((operation) =>
    findWrongVariables(operation, schema)
      .filter(({ isCertain }) => isCertain)
      .flatMap(({ definition, replacement }): Edit[] => {
        const { loc } = definition.type;
        if (!loc) return [];
        const { line, column } = loc.startToken;
        const was = loc.source.body.slice(loc.start, loc.end);
        return [{ path: operation.file.path, line, column, was, text: replacement }];
      }),
  );
}

function applyEdits(text: string, edits: readonly Edit[]): string {
  const lines = text.split("\n");
  for (const { line, column, was, text: replacement } of [...edits].sort((a, b) => b.column - a.column)) {
    const shown = lines[line - 1] ?? "";
    const [before, after] = [shown.slice(0, column - 1), shown.slice(column - 1)];
    if (after.startsWith(was)) lines[line - 1] = before + replacement + after.slice(was.length);
  }
  return lines.join("\n");
}
