import { cached } from "../../src/base/collections.ts";
import { diffSchemas, type RootCause } from "../../src/compare/diff-schemas.ts";
import type { Sides } from "../../src/compare/expect-changes.ts";
import { findDifferences } from "../../src/compare/find-differences.ts";
import type { ApiSchema } from "../../src/dialects/api-schema.ts";
import { canonicalize } from "../../src/dialects/canonicalize.ts";
import { styles } from "../../src/dialects/index.ts";
import { parseEntities } from "../../src/dialects/parse-entities.ts";
import type { DeriveOptions } from "../../src/dialects/platform.ts";
import type { StyleName } from "../../src/dialects/surface.ts";
import { operationOf } from "./impact/fixtures.ts";

/** Returns the API schema that a style derives from entity SDL. Cached: many tests compare with the same one. */
export function derive(style: StyleName, entities: string, options?: DeriveOptions): ApiSchema {
  return cached(schemas, JSON.stringify([style, options, entities]), () =>
    canonicalize(styles[style].deriver.derive(parseEntities(entities, "entities.graphql"), options)),
  );
}

const schemas = new Map<string, ApiSchema>();

/** Returns the root causes of the differences between two schemas of a style. */
export function causesOf(style: StyleName, before: ApiSchema, after: ApiSchema): readonly RootCause[] {
  return diffSchemas({ before, after }, styles[style], { exhaustiveEnums: false }).causes;
}

/** Returns the findings about the differences between two schemas of a style, with their impact on operations. */
export function differences(
  style: StyleName,
  { before, after }: Sides<ApiSchema>,
  operations: readonly string[],
  options: Partial<Parameters<typeof findDifferences>[0]> = {},
) {
  return findDifferences({
    before,
    after,
    style: styles[style],
    where: null,
    operations: operations.map((text) => operationOf(["q.graphql", text])),
    exhaustiveEnums: false,
    locate: () => null,
    fix: null,
    ...options,
  }).findings;
}

/** Returns the text for one style, in which `{a|b}` is `a` for multichain and `b` for subgraph. */
export function inStyle(style: StyleName, text: string): string {
  return text.replaceAll(/\{([^{}|]*)\|([^{}|]*)\}/g, style === "multichain" ? "$1" : "$2");
}
