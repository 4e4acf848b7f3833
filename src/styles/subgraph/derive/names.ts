import { pluralize } from "./pluralize.ts";

/** The names of the two root fields of a type. */
export type RootFieldNames = {
  /** The field that finds one by id, e.g. `stream`. */
  readonly singular: string;
  /** The field that lists, e.g. `streams`. */
  readonly plural: string;
};

/**
 * Names the root fields of a type as graph-node does: `Stream` gives `stream` and `streams` (A.4).
 *
 * @param collectionSuffix whether a plural that equals its singular gets `_collection`, as since 0.35.
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

/**
 * The camel case graph-node makes of a name (A.4). A digit ends a word: `UniswapV3s` gives `uniswapV3S`. The case of a
 * letter is compared with the last letter that was lowered, so `LPToken` gives `lptoken` and `AccountCToken` gives
 * `accountCToken`.
 */
function camelCase(name: string): string {
  let result = "";
  let newWord = false;
  let last = "";
  for (const character of name) {
    if (!/[A-Za-z0-9]/.test(character)) {
      newWord = result !== "";
    } else if (/[0-9]/.test(character)) {
      result += character;
      newWord = true;
    } else if (newWord || (/[a-z]/.test(last) && /[A-Z]/.test(character))) {
      result += character.toUpperCase();
      newWord = false;
    } else {
      result += character.toLowerCase();
      last = character;
    }
  }
  return result;
}
