import {
  type ConstValueNode,
  type GraphQLSchema,
  getNamedType,
  isEnumType,
  isListType,
  isNonNullType,
  Kind,
  parseType,
  print,
  type VariableDefinitionNode,
} from "graphql";
import type { Facts } from "../operations/portable/read-entities.ts";
import { findUses, isAccepted, type Use } from "../operations/variable-types.ts";
import type { Definitions } from "./port-types.ts";

/**
 * Declares the variables of an operation with the types of their places in a schema. Variables that are not used are
 * dropped: those of the chain are an option.
 *
 * @param context `rowCap` is the value of a limit that may be left out; `refuse` gets why a variable cannot have a type.
 */
export function declareVariables(
  definitions: Definitions,
  context: {
    readonly facts: Facts;
    readonly rowCap: number;
    readonly refuse: (code: string, message: string) => void;
  },
): Definitions {
  const { facts, rowCap, refuse } = context;
  const schema = facts.authored.graphql;
  const uses = findUses(definitions, schema);
  const variableDefinitions = (definitions.node.variableDefinitions ?? []).flatMap((definition) => {
    const name = definition.variable.name.value;
    const places = uses.get(name) ?? [];
    if (places.length === 0) return [];
    const declared = declare(definition, places, { schema, rowCap });
    if (declared !== null) return [declared];
    const types = [...new Set(places.map(({ type }) => String(type)))].join(" and ");
    const written = `\`$${name}: ${print(definition.type)}\``;
    refuse("port/variable-type", `${written} stands where a subgraph expects ${types}.`);
    return [];
  });
  return { ...definitions, node: { ...definitions.node, variableDefinitions } };
}

function declare(
  definition: VariableDefinitionNode,
  places: readonly Use[],
  { schema, rowCap }: { readonly schema: GraphQLSchema; readonly rowCap: number },
): VariableDefinitionNode | null {
  const [first, ...others] = places.map(({ type }) => getNamedType(type));
  if (first === undefined || others.some((type) => type !== first)) return null;
  const isList = places.some(({ type }) => isListType(isNonNullType(type) ? type.ofType : type));
  const written = print(definition.type).replace(/\w+/, first.name);
  // A single value is a list of one for Hasura.
  if (isList !== written.startsWith("[")) return null;
  const items = isList ? written.replace(/\w+!?/, `${first.name}!`) : written;
  const { defaultValue } = definition;
  const hasDefault = defaultValue !== undefined && defaultValue.kind !== Kind.NULL;
  const isNeeded = places.some(({ type }) => isNonNullType(type)) && !hasDefault;
  const type = isNeeded && !items.endsWith("!") ? `${items}!` : items;
  if (!places.every((place) => isAccepted(schema, { replacement: type, type: place.type, definition })))
    return null;
  const value = hasDefault && isEnumType(first) ? toEnum(defaultValue) : defaultValue;
  // Without a value, Hasura has no limit.
  const isOpen = places.some(({ argument }) => argument === "first") && !type.endsWith("!") && !hasDefault;
  const size: ConstValueNode = { kind: Kind.INT, value: String(rowCap) };
  const { defaultValue: _, ...rest } = definition;
  return {
    ...rest,
    type: parseType(type, { noLocation: true }),
    ...(isOpen ? { defaultValue: size } : value === undefined ? {} : { defaultValue: value }),
  };
}

/** In multichain, enum values are text. */
function toEnum(value: ConstValueNode): ConstValueNode {
  if (value.kind === Kind.LIST) return { ...value, values: value.values.map(toEnum) };
  return value.kind === Kind.STRING ? { kind: Kind.ENUM, value: value.value } : value;
}
