import {
  type GraphQLInputType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isEnumType,
  isListType,
  isNonNullType,
  isScalarType,
  Kind,
  type OperationDefinitionNode,
  parseType,
  typeFromAST,
  type VariableDefinitionNode,
} from "graphql";
import { findUses } from "../variable-types.ts";
import { defaultOf } from "./plan-variables.ts";

/**
 * Gives variables the type of their places if they are declared with another scalar, or may be null where a value is
 * required. Subgraphs that do not validate operations convert their values: `$id: String!` works for `ID!`.
 *
 * @returns the operation, and the declared scalars of the variables that have another type now.
 */
export function retypeVariables(
  operation: Parameters<typeof findUses>[0],
  schema: GraphQLSchema,
): { readonly node: OperationDefinitionNode; readonly declared: ReadonlyMap<string, string> } {
  const { node } = operation;
  const declared = new Map<string, string>();
  const definitions = node.variableDefinitions ?? [];
  if (definitions.length === 0) return { node, declared };
  const uses = findUses(operation, schema);
  const variableDefinitions = definitions.map((definition) => {
    const name = definition.variable.name.value;
    const places = (uses.get(name) ?? []).map(({ type }) => type);
    const declaredType = typeFromAST(schema, definition.type) as GraphQLInputType | undefined;
    const retyped = declaredType && retype(definition, declaredType, places);
    if (!retyped) return definition;
    const scalar = getNamedType(declaredType).name;
    if (places.some((place) => getNamedType(place).name !== scalar)) declared.set(name, scalar);
    return retyped;
  });
  return { node: { ...node, variableDefinitions }, declared };
}

/** Returns the definition with the type of its places; null if it already has that type, or its values are not converted. */
function retype(
  definition: VariableDefinitionNode,
  declared: GraphQLInputType,
  places: readonly GraphQLInputType[],
): VariableDefinitionNode | null {
  const [place] = places;
  if (place === undefined || places.some((type) => getNamedType(type) !== getNamedType(place))) return null;
  const [was, is] = [getNamedType(declared), getNamedType(place)];
  if (!isScalarType(was)) return null;
  const from = was === is ? [was.name] : isEnumType(is) ? TEXTS : CONVERTED[is.name];
  const isList = isListType(getNullableType(declared));
  if (!from?.includes(was.name) || places.some((type) => isListType(getNullableType(type)) !== isList))
    return null;
  const isRequired =
    isNonNullType(declared) || (defaultOf(definition) === null && places.some(isNonNullType));
  const text = `${isList ? `[${is.name}!]` : is.name}${isRequired ? "!" : ""}`;
  if (text === String(declared)) return null;
  const { defaultValue } = definition;
  // A member of an enum is written without quotes.
  const isMember = isEnumType(is) && defaultValue?.kind === Kind.STRING && is.getValue(defaultValue.value);
  const { loc } = definition.type;
  return {
    ...definition,
    type: { ...parseType(text, { noLocation: true }), ...(loc === undefined ? {} : { loc }) },
    ...(isMember && { defaultValue: { ...defaultValue, kind: Kind.ENUM } }),
  };
}

const TEXTS: readonly string[] = ["ID", "String"];

/** The scalars that subgraphs without validation convert to another scalar. */
const CONVERTED: Readonly<Record<string, readonly string[]>> = {
  BigDecimal: ["BigInt", "Float", "ID", "Int", "String"],
  BigInt: ["ID", "Int", "String"],
  Bytes: TEXTS,
  ID: ["BigInt", "Bytes", "Int", "String"],
  String: ["BigInt", "Bytes", "ID"],
};
