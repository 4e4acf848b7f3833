import {
  type FragmentDefinitionNode,
  type GraphQLInputType,
  type GraphQLSchema,
  getNamedType,
  isNonNullType,
  isScalarType,
  isTypeSubTypeOf,
  Kind,
  type OperationDefinitionNode,
  parseType,
  print,
  TypeInfo,
  typeFromAST,
  type VariableDefinitionNode,
  visit,
  visitWithTypeInfo,
} from "graphql";
import { groupBy, memoize } from "../base/collections.ts";
import type { Operation } from "./operation-set.ts";

/** A variable that is declared with another scalar than the places where it is used expect. */
export type WrongVariable = {
  readonly name: string;
  readonly definition: VariableDefinitionNode;
  /** The type to declare: `ID!`. */
  readonly replacement: string;
  /** Whether the replacement accepts every value that the declared type does. */
  readonly isCertain: boolean;
};

/**
 * Finds the variables of an operation that are declared with another scalar than their places expect, such as `String!` for
 * `ID!`. A variable whose places expect different types has no replacement.
 */
export function findWrongVariables(
  operation: Parameters<typeof findUses>[0],
  schema: GraphQLSchema,
): WrongVariable[] {
  const uses = findUses(operation, schema);
  return (operation.node.variableDefinitions ?? []).flatMap((definition): WrongVariable[] => {
    const declared = typeFromAST(schema, definition.type) as GraphQLInputType | undefined;
    const name = definition.variable.name.value;
    const expected = (uses.get(name) ?? []).map(({ type }) => type);
    const [first] = expected;
    if (!declared || !first || expected.some((type) => getNamedType(type) !== getNamedType(first))) return [];
    const [was, is] = [getNamedType(declared), getNamedType(first)];
    if (was === is || !isScalarType(was) || !isScalarType(is)) return [];
    // Lists and nulls stay as they are declared, unless a place refuses null.
    const written = print(definition.type).replace(was.name, is.name);
    const isNullable = (type: GraphQLInputType) =>
      !isNonNullType(type) || definition.defaultValue !== undefined;
    const mustBeGiven = !written.endsWith("!") && expected.some((type) => !isNullable(type));
    const replacement = mustBeGiven ? `${written}!` : written;
    const fits = expected.every((type) => isAccepted(schema, { replacement, type, definition }));
    if (!fits) return [];
    const isCertain = !mustBeGiven && (ACCEPTED[is.name] ?? []).includes(was.name);
    return [{ name, definition, replacement, isCertain }];
  });
}

/** The scalars whose values another scalar accepts too, in JSON. */
const ACCEPTED: Readonly<Record<string, readonly string[]>> = {
  BigDecimal: ["BigInt", "ID", "Int", "String"],
  BigInt: ["ID", "Int", "String"],
  Bytes: ["ID", "String"],
  ID: ["Bytes", "Int", "String"],
  Int8: ["BigInt", "ID", "Int", "String"],
  String: ["Bytes", "ID"],
  Timestamp: ["ID", "String"],
  numeric: ["ID", "Int", "String"],
};

/** A place of a variable: the type that it expects, and its argument. */
export type Use = {
  readonly name: string;
  readonly type: GraphQLInputType;
  readonly argument: string | undefined;
};

/** Finds the types of the places where variables are used, by their names. */
export function findUses(
  { node, fragments }: Pick<Operation, "node" | "fragments">,
  schema: GraphQLSchema,
): Map<string, Use[]> {
  const uses: Use[] = [];
  const info = new TypeInfo(schema);
  const visitor = visitWithTypeInfo(info, {
    VariableDefinition: () => false,
    Variable: ({ name }) => {
      const type = info.getInputType();
      if (type) uses.push({ name: name.value, type, argument: info.getArgument()?.name });
    },
  });
  for (const definition of [node, ...fragments.filter(usesVariables)]) visit(definition, visitor);
  return groupBy(uses, ({ name }) => name);
}

/** Finds the variables that an operation or a fragment uses, without those of its fragments. */
export const findVariables = memoize((node: OperationDefinitionNode | FragmentDefinitionNode): string[] => {
  const names: string[] = [];
  visit(node, {
    VariableDefinition: () => false,
    Variable: ({ name }) => {
      names.push(name.value);
    },
  });
  return names;
});

/** Returns whether a fragment uses variables. Most do not, and following types through them takes long. */
export function usesVariables(fragment: FragmentDefinitionNode): boolean {
  return findVariables(fragment).length > 0;
}

/** Whether the specification allows a variable of a type at a place: with a default it may be nullable there. */
export function isAccepted(
  schema: GraphQLSchema,
  {
    replacement,
    type,
    definition: { defaultValue },
  }: {
    readonly replacement: string;
    readonly type: GraphQLInputType;
    readonly definition: VariableDefinitionNode;
  },
): boolean {
  const hasDefault = defaultValue !== undefined && defaultValue.kind !== Kind.NULL;
  const expected = isNonNullType(type) && hasDefault && !replacement.endsWith("!") ? type.ofType : type;
  const declared = typeFromAST(schema, parseType(replacement)) as GraphQLInputType | undefined;
  return declared !== undefined && isTypeSubTypeOf(schema, declared, expected);
}

/** Says which types to declare, by the definitions of the variables. */
export function describeReplacements(
  operations: readonly Parameters<typeof findWrongVariables>[0][],
  schema: GraphQLSchema,
): ReadonlyMap<unknown, string> {
  return new Map(
    operations
      .flatMap((operation) => findWrongVariables(operation, schema))
      .map(({ definition, name, replacement }) => [definition, `declare $${name} as ${replacement}.`]),
  );
}
