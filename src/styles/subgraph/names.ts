import { camelCase } from "./camel-case.ts";
import { pluralize } from "./pluralize.ts";

/** The names of the two root fields of a type. */
export type RootFieldNames = {
  /** The field that finds one by id, e.g. `stream`. */
  readonly singular: string;
  /** The field that lists, e.g. `streams`. */
  readonly plural: string;
};

/**
 * Names the root fields of a type as graph-node does: `Stream` gives `stream` and `streams`. The plural is
 * made before the camel case. Nothing else is done about names that clash (A.4).
 *
 * @param collectionSuffix whether a plural that equals its singular gets `_collection`, as since 0.35;
 * before, both fields had one name.
 */
export function rootFieldNames(
  typeName: string,
  { collectionSuffix }: { readonly collectionSuffix: boolean },
): RootFieldNames {
  const singular = camelCase(typeName);
  const plural = camelCase(pluralize(typeName));
  if (plural === singular && collectionSuffix) return { singular, plural: `${singular}_collection` };
  return { singular, plural };
}
