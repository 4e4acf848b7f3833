import type { AnyPortableOperation } from "../generate/build-portable-operation.ts";
import type { StylePage } from "../portable/read-style-page.ts";
import type { Protocol, StyleName } from "../project/vocabulary.ts";
import type { FoundOperation } from "./found-operation.ts";

/** An operation that is written for one style. */
export type StyleOperation = {
  readonly name: string;
  readonly protocol: Protocol;
  readonly style: StyleName;
  readonly text: string;
  readonly not: NonNullable<AnyPortableOperation["not"]>;
  /** Null where its rows cannot be paged. */
  readonly page: StylePage | null;
};

/**
 * Builds what the client runs of an operation of one style. There is nothing to be mapped: the text is sent as it is
 * written, with what was given; only the variables of its pages are read.
 */
export function buildStyleOperation(
  { name, protocol, style, text, not, page }: StyleOperation,
  variables: Readonly<Record<string, unknown>>,
): ReturnType<FoundOperation["build"]> {
  const plain = { name, protocol, multichain: "", subgraph: "", not };
  if (page === null) {
    return { operation: { ...plain, [style]: text, map: () => ({ ...variables }) }, given: {} };
  }
  const { key, column, after, first, direction, afterType } = page;
  const operation: AnyPortableOperation = {
    ...plain,
    // What the client reads variables by. Cursors come as text.
    subgraph: `query ($${first}: Int, $${after}: String) {`,
    [style]: text,
    page: [key, column, after, first, direction],
    map: (given) => {
      const from = given[after];
      const cursor = afterType === "Int" && from !== undefined ? Number(from) : from;
      return { ...variables, ...given, ...(from === undefined ? {} : { [after]: cursor }) };
    },
  };
  const begin = variables[after];
  return {
    operation,
    given: {
      ...(variables[first] === undefined ? {} : { [first]: variables[first] }),
      ...(begin === undefined ? {} : { [after]: String(begin) }),
    },
  };
}
