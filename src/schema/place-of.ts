import type { Place } from "../base/place.ts";
import type { Placed } from "./make-node.ts";

/** Where a node begins in its file. */
export function placeOf(file: string, { loc }: Placed): Place {
  return { file, line: loc?.startToken.line ?? null, column: loc?.startToken.column ?? null };
}
