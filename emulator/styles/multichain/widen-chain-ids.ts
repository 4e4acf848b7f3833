import type { ApiSchema, ApiType } from "../../../src/dialects/api-schema.ts";

/** The largest chain id that the platform stores as `Int`. */
const MOST_INT = 2_147_483_647;

/**
 * Returns the schema of an indexer of these chains. If one of their ids does not fit, a release with `bigint` stores all of
 * them as such, and answers with text.
 */
export function widenChainIds(schema: ApiSchema, chainIds: readonly number[]): ApiSchema {
  const isWide = chainIds.some((id) => id > MOST_INT);
  if (!isWide || !schema.types.some(({ name }) => name === "bigint_comparison_exp")) return schema;
  const widen = <F extends { readonly name: string; readonly type: string }>(field: F): F =>
    /^chain_?id$/i.test(field.name)
      ? { ...field, type: field.type.replace(/^Int(?=!?$|_comparison_exp$)/, "bigint") }
      : field;
  const types = schema.types.map((type): ApiType => {
    if (!/^(_meta|chain_metadata|raw_events)(_|$)/.test(type.name)) return type;
    if (type.kind === "OBJECT") return { ...type, fields: type.fields.map(widen) };
    if (type.kind === "INPUT_OBJECT") return { ...type, fields: type.fields.map(widen) };
    return type;
  });
  return { ...schema, types };
}
