import { isObject } from "../is-object.ts";

/** The values at a path of response keys, through lists; none below what is null. */
export function valuesAt(node: unknown, path: string): unknown[] {
  return path
    .split(".")
    .reduce<unknown[]>(
      (nodes, key) => nodes.flatMap((one) => (isObject(one) && key in one ? [one[key]].flat() : [])),
      [node],
    );
}
