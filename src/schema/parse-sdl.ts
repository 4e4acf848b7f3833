import {
  type ConstDirectiveNode,
  type ConstValueNode,
  type FieldDefinitionNode,
  type InputValueDefinitionNode,
  Kind,
  print,
  type StringValueNode,
  type TypeNode,
} from "graphql";
import { SchemaError } from "../base/errors/schema-error.ts";
import type { ApiField, ApiInputValue, ApiSchema, ApiType } from "./api-schema.ts";
import { parseDefinitions } from "./parse-definitions.ts";
import { isReserved } from "./standard-names.ts";

/** Parses an API schema as SDL; `reserved` allows names that GraphQL reserves. Extensions are passed over. */
export function parseSdl(text: string, place: string, { reserved = false } = {}): ApiSchema {
  let roots: Roots | null = null;
  const types: ApiType[] = [];
  const directives: ApiSchema["directives"][number][] = [];
  for (const definition of parseDefinitions(text, place)) {
    switch (definition.kind) {
      case Kind.SCHEMA_DEFINITION:
        roots ??= { ...NO_ROOTS };
        for (const root of definition.operationTypes) roots[root.operation] = root.type.name.value;
        break;
      case Kind.DIRECTIVE_DEFINITION:
        directives.push({
          ...named(definition),
          locations: definition.locations.map((location) => location.value),
          args: (definition.arguments ?? []).map(inputValue),
        });
        break;
      case Kind.SCALAR_TYPE_DEFINITION:
        types.push({ kind: "SCALAR", ...named(definition), ...specification(definition.directives) });
        break;
      case Kind.OBJECT_TYPE_DEFINITION:
      case Kind.INTERFACE_TYPE_DEFINITION:
        types.push({
          kind: definition.kind === Kind.OBJECT_TYPE_DEFINITION ? "OBJECT" : "INTERFACE",
          ...named(definition),
          interfaces: (definition.interfaces ?? []).map((parent) => parent.name.value),
          fields: (definition.fields ?? []).map(field),
        });
        break;
      case Kind.UNION_TYPE_DEFINITION:
        types.push({
          kind: "UNION",
          ...named(definition),
          possibleTypes: (definition.types ?? []).map((member) => member.name.value),
        });
        break;
      case Kind.ENUM_TYPE_DEFINITION:
        types.push({
          kind: "ENUM",
          ...named(definition),
          values: (definition.values ?? []).map((value) => ({
            ...named(value),
            deprecationReason: deprecationReason(value.directives),
          })),
        });
        break;
      case Kind.INPUT_OBJECT_TYPE_DEFINITION:
        types.push({
          kind: "INPUT_OBJECT",
          ...named(definition),
          fields: (definition.fields ?? []).map(inputValue),
          ...(findDirective(definition.directives, "oneOf") ? { oneOf: true } : {}),
        });
        break;
    }
  }
  const taken = reserved ? undefined : types.find(({ name }) => isReserved(name));
  if (taken) {
    throw new SchemaError({
      code: "SCHEMA_SDL_SYNTAX",
      sentence: `${place} defines the type "${taken.name}", a name that GraphQL reserves.`,
      hint: "give the type a name that does not start with two underscores.",
    });
  }
  const { query, mutation, subscription } = roots ?? rootsByName(types);
  return { queryType: query, mutationType: mutation, subscriptionType: subscription, types, directives };
}

type Roots = { query: string; mutation: string | null; subscription: string | null };

const NO_ROOTS: Roots = { query: "Query", mutation: null, subscription: null };

/** Without a `schema` in the text, the roots are the types with their usual names. */
function rootsByName(types: readonly ApiType[]): Roots {
  const find = (name: string) =>
    types.some((type) => type.kind === "OBJECT" && type.name === name) ? name : null;
  return { ...NO_ROOTS, mutation: find("Mutation"), subscription: find("Subscription") };
}

// Members are spelled out: they are most of a schema, and to spread what they share takes many times as long.

function field(node: FieldDefinitionNode): ApiField {
  return {
    name: node.name.value,
    description: node.description?.value ?? null,
    args: node.arguments?.map(inputValue) ?? [],
    type: typeExpression(node.type),
    deprecationReason: deprecationReason(node.directives),
  };
}

function inputValue(node: InputValueDefinitionNode): ApiInputValue {
  const reason = deprecationReason(node.directives);
  const input = {
    name: node.name.value,
    description: node.description?.value ?? null,
    type: typeExpression(node.type),
    defaultValue: node.defaultValue === undefined ? null : print(node.defaultValue),
  };
  return reason === null ? input : { ...input, deprecationReason: reason };
}

function named(node: {
  readonly name: { readonly value: string };
  readonly description?: StringValueNode | undefined;
}): { readonly name: string; readonly description: string | null } {
  return { name: node.name.value, description: node.description?.value ?? null };
}

function deprecationReason(directives: Directives): string | null {
  const deprecated = findDirective(directives, "deprecated");
  return deprecated ? (stringArgument(deprecated, "reason") ?? "No longer supported") : null;
}

function specification(directives: Directives): { specifiedBy?: string } {
  const specifiedBy = stringArgument(findDirective(directives, "specifiedBy"), "url");
  return specifiedBy === null ? {} : { specifiedBy };
}

type Directives = readonly ConstDirectiveNode[] | undefined;

/** The directive of a name, where it is applied. */
export function findDirective(directives: Directives, name: string): ConstDirectiveNode | undefined {
  return directives?.find((directive) => directive.name.value === name);
}

/** The value of an argument of a directive, if it has one. */
export function argumentOf(
  directive: ConstDirectiveNode | undefined,
  name: string,
): ConstValueNode | undefined {
  return directive?.arguments?.find((argument) => argument.name.value === name)?.value;
}

/** The text of an argument of a directive; null where it is no text. */
export function stringArgument(directive: ConstDirectiveNode | undefined, name: string): string | null {
  const value = argumentOf(directive, name);
  return value?.kind === Kind.STRING ? value.value : null;
}

/** A type of a syntax tree as a type expression. */
export function typeExpression(node: TypeNode): string {
  switch (node.kind) {
    case Kind.NON_NULL_TYPE:
      return `${typeExpression(node.type)}!`;
    case Kind.LIST_TYPE:
      return `[${typeExpression(node.type)}]`;
    case Kind.NAMED_TYPE:
      return node.name.value;
  }
}
