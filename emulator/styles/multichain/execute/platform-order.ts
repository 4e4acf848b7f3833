import { compareCodeUnits } from "../../../../src/base/collections.ts";

/**
 * The platform keeps the keys of an object and the columns of a table in a hash map, whose order no client should
 * rely on. Where it was seen (C.2, C.5), the key of the table came first and the rest in the order of ASCII.
 */
export function inPlatformOrder<T>(items: readonly T[], nameOf: (item: T) => string): T[] {
  return [...items].sort(
    (a, b) =>
      Number(nameOf(b) === "id") - Number(nameOf(a) === "id") || compareCodeUnits(nameOf(a), nameOf(b)),
  );
}
