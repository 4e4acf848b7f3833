import { pluralize } from "./pluralize.ts";

/** Names root fields as graph-node does (A.4), since 0.35 with `_collection` for a plural that is no other word. */
export function rootFieldNames(
  typeName: string,
  { collectionSuffix }: { readonly collectionSuffix: boolean },
): { readonly singular: string; readonly plural: string } {
  const singular = camelCase(typeName);
  const plural = camelCase(pluralize(typeName));
  if (plural === singular && collectionSuffix) return { singular, plural: `${singular}_collection` };
  return { singular, plural };
}

/** The camel case of graph-node (A.4): `UniswapV3s` gives `uniswapV3S`, `LPToken` gives `lptoken`. */
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
