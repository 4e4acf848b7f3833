import { Kind } from "graphql";
import type { Place } from "../base/place.ts";
import type { AssessedOperation } from "../compare/impact/effect.ts";
import { parseOperations } from "../generate/parse-operations.ts";
import { readOperationSources } from "../generate/read-operation-sources.ts";
import type { Project } from "../project/project.ts";
import type { Protocol, StyleName } from "../project/vocabulary.ts";

/** An operation as impact is told for, and where it is written. */
export type PlacedOperation = AssessedOperation & { readonly place: Place & { readonly line: number } };

/**
 * Reads the operations of a protocol and style, in order of name. What does not parse is passed over: `check` tells
 * of it.
 */
export async function readAssessedOperations(
  project: Project,
  protocol: Protocol,
  style: StyleName,
): Promise<PlacedOperation[]> {
  const sources = await readOperationSources(project.root, project.operations, protocol, style);
  return parseOperations(sources, protocol, style).set.operations.map(({ name, file, node, fragments }) => {
    const token = node.loc?.startToken;
    return {
      name,
      document: { kind: Kind.DOCUMENT, definitions: [node, ...fragments] },
      place: { file: file.path, line: token?.line ?? 1, column: token?.column ?? 1 },
    };
  });
}
