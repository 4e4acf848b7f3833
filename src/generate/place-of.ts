import type { ASTNode } from "graphql";
import type { Place } from "../base/place.ts";

/** Where a node begins in its file. */
export function placeOf(file: string, { loc }: Pick<ASTNode, "loc">): Place {
  return { file, line: loc?.startToken.line ?? null, column: loc?.startToken.column ?? null };
}
