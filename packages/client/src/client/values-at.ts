import { isObject } from "./is-object.ts";

/** The values at a path of response keys, through lists; none below what is null. */
export function valuesAt(node: unknown, path: string): unknown[] {
  let nodes = [node];
  for (const key of path.split(".")) {
    const below: unknown[] = [];
    for (const one of nodes) {
      if (!isObject(one) || !(key in one)) continue;
      const value = one[key];
      // Lists of an answer may be longer than what a function takes.
      if (Array.isArray(value)) for (const item of value) below.push(item);
      else below.push(value);
    }
    nodes = below;
  }
  return nodes;
}
