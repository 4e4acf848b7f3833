import { isChainField } from "../project/protocols/is-chain-field.ts";
import type { ResolvedProtocol } from "../project/protocols/resolve-protocols.ts";
import { IS_PER_CHAIN } from "../project/vocabulary.ts";
import type { ApiSchema } from "../schema/api-schema.ts";
import { fieldsOf } from "../schema/fields-of.ts";
import type { Style } from "../styles/style.ts";

/**
 * Finds by what field a cache tells rows of several chains apart.
 *
 * @returns null for a type without such a field, and undefined where ids are enough: they hold the chain, or the rows of
 *   all chains are in one table.
 */
export function cacheChain(
  style: Style,
  api: ApiSchema,
  { identity, ids }: Pick<ResolvedProtocol, "identity" | "ids">,
): (type: string) => string | null | undefined {
  const { name, portable } = style;
  const lookup = portable.kind === "written" ? portable.createWriter(api).lookup : () => null;
  return (type) => {
    const isChain = (field: string) => isChainField(identity.chain, type, field);
    const template = Object.hasOwn(ids, type) ? (ids[type] ?? "") : "";
    if ([...template.matchAll(/\{(\w+)\}/g)].some(([, field = ""]) => isChain(field))) return undefined;
    if (!IS_PER_CHAIN[name] && !lookup(type)?.takesChain) return undefined;
    const fields = fieldsOf(api, type).map((field) => field.name);
    // Its id is the chain's.
    if (isChain("id")) return undefined;
    return fields.find(isChain) ?? null;
  };
}
