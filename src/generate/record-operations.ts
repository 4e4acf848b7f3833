import type { Project } from "../project/project.ts";
import { digestOperations, type OperationGroup } from "../snapshots/operation-record.ts";
import type { PreparedDocuments } from "./generate-documents.ts";
import type { GenerationInputs, InputGroup } from "./generation-inputs.ts";

/** Builds what the operation record says of every protocol and style whose operations are valid. */
export function recordOperations(
  { operations: folder }: Pick<Project, "operations">,
  { rows }: Pick<GenerationInputs, "rows">,
  prepared: readonly (PreparedDocuments & { readonly group: InputGroup })[],
): OperationGroup[] {
  return prepared.flatMap(({ group, documents, coverage }) => {
    if (documents === null) return [];
    const { protocol, style, snapshot, sources } = group;
    const operations = documents.set.operations.map(({ name, file, node }) => ({
      protocol,
      style,
      operation: name,
      file: file.path.slice(folder.length + 1),
      line: node.loc?.startToken.line ?? 1,
      chains: coverage.find(({ operation }) => operation === name)?.chains ?? [],
      missing: coverage.find(({ operation }) => operation === name)?.missing ?? [],
    }));
    const digest = digestOperations(operations, { snapshot, rows, sources, folder });
    return [{ protocol, style, digest, rows: operations }];
  });
}
