import {
  type ArgumentNode,
  type ASTVisitor,
  type FieldNode,
  type GraphQLArgument,
  GraphQLError,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLNamedType,
  GraphQLNonNull,
  getNamedType,
  getNullableType,
  isCompositeType,
  isEnumType,
  isInputObjectType,
  isInputType,
  isListType,
  isNonNullType,
  isRequiredArgument,
  isRequiredInputField,
  isTypeSubTypeOf,
  Kind,
  type ObjectValueNode,
  print,
  typeFromAST,
  type ValidationContext,
  type ValueNode,
  type VariableDefinitionNode,
} from "graphql";
import { printQueryValue, readLiteral } from "./query-value.ts";
import { INTROSPECTION_TYPES } from "./schema-index.ts";

// The rules of the server's validation library whose results or order differ from those of graphql-js.

/** Each field selected from a leaf or an input type is an error, too. Unknown names like `__name` are not. */
export function fieldsOnCorrectType(context: ValidationContext): ASTVisitor {
  function check({ name }: FieldNode, type: GraphQLNamedType): void {
    if (!name.value.startsWith("__")) {
      report(context, `Cannot query field "${name.value}" on type "${type.name}".`);
    }
  }
  return {
    Field: (node) => {
      const type = context.getParentType();
      if (type && !argumentsOf(context, node)) check(node, type);
    },
    SelectionSet: ({ selections }, _key, parent) => {
      const condition = parent && "typeCondition" in parent ? parent.typeCondition?.name.value : undefined;
      const type =
        condition === undefined ? getNamedType(context.getType()) : context.getSchema().getType(condition);
      if (!type || isCompositeType(type)) return;
      for (const node of selections) if (node.kind === Kind.FIELD) check(node, type);
    },
  };
}

/** The introspection fields by type, with the names of their arguments. */
const DECLARED: ReadonlyMap<string, ReadonlyMap<string, readonly string[]>> = new Map(
  INTROSPECTION_TYPES.flatMap((type) => {
    if (type.kind !== "OBJECT") return [];
    return [[type.name, new Map(type.fields.map(({ name, args }) => [name, args.map((one) => one.name)]))]];
  }),
);

/** The arguments of a field, if it exists: graphql-js allows more introspection fields than the server. */
function argumentsOf(context: ValidationContext, { name }: FieldNode): readonly string[] | undefined {
  const declared = DECLARED.get(context.getParentType()?.name ?? "");
  if (declared && name.value !== "__typename") return declared.get(name.value);
  return context.getFieldDef()?.args.map((one) => one.name);
}

/** Any spread is a use, even in an unused fragment. */
export function noUnusedFragments(context: ValidationContext): ASTVisitor {
  const used = new Set<string>();
  const defined = new Set<string>();
  return {
    FragmentSpread: ({ name }) => void used.add(name.value),
    FragmentDefinition: ({ name }) => void defined.add(name.value),
    Document: {
      leave: () => {
        for (const name of defined) if (!used.has(name)) report(context, `Fragment "${name}" is never used.`);
      },
    },
  };
}

/** Inside of an unknown field, the server checks arguments against the previous field. */
export function knownArgumentNames(context: ValidationContext): ASTVisitor {
  let current: { readonly of: string; readonly names: ReadonlySet<string> } | null = null;
  const enter = (of: string, names: readonly string[] | undefined) => {
    if (names) current = { of, names: new Set(names) };
  };
  const leave = () => {
    current = null;
  };
  return {
    Field: {
      enter: (node) => {
        const name = node.name.value;
        // Not a field to the server.
        if (name === "__typename") return;
        enter(`field "${context.getParentType()?.name}.${name}"`, argumentsOf(context, node));
      },
      leave,
    },
    Directive: {
      enter: ({ name }) =>
        enter(
          `directive "@${name.value}"`,
          context.getDirective()?.args.map((one) => one.name),
        ),
      leave,
    },
    Argument: ({ name }) => {
      if (current?.names.has(name.value) !== false) return;
      report(context, `Unknown argument "${name.value}" on ${current.of}.`);
    },
  };
}

/** Missing arguments are reported from the outside in. */
export function providedRequiredArguments(context: ValidationContext): ASTVisitor {
  function check(
    subject: string,
    given: readonly ArgumentNode[] = [],
    defined: readonly GraphQLArgument[] = [],
  ): void {
    const names = new Set(given.map(({ name }) => name.value));
    for (const argument of defined.filter((one) => isRequiredArgument(one) && !names.has(one.name))) {
      const { name, type } = argument;
      report(
        context,
        `${subject} argument "${name}" of type "${type}" is required, but it was not provided.`,
      );
    }
  }
  return {
    Field: (node) => check(`Field "${node.name.value}"`, node.arguments, context.getFieldDef()?.args),
    Directive: (node) =>
      check(`Directive "@${node.name.value}"`, node.arguments, context.getDirective()?.args),
  };
}

/** With a default, the server treats a list type as its item type, so that such a variable fits no list. */
export function variablesInAllowedPosition(context: ValidationContext): ASTVisitor {
  const schema = context.getSchema();

  function typeOf({
    type: node,
    defaultValue,
  }: VariableDefinitionNode): [string, GraphQLInputType | undefined] {
    const type = typeFromAST(schema, node);
    const [text, known] = [print(node), isInputType(type) ? type : undefined];
    if (defaultValue === undefined || node.kind === Kind.NON_NULL_TYPE) return [text, known];
    if (isListType(known)) return [`${known.ofType}!`, new GraphQLNonNull(getNullableType(known.ofType))];
    if (defaultValue.kind === Kind.NULL) return [text, known];
    return [`${text}!`, known && new GraphQLNonNull(getNullableType(known))];
  }

  return {
    OperationDefinition: (operation) => {
      // The first of two with the same name counts.
      const definitions = new Map(
        [...(operation.variableDefinitions ?? [])].reverse().map((node) => [node.variable.name.value, node]),
      );
      for (const { node, type: wanted } of context.getRecursiveVariableUsages(operation)) {
        const definition = definitions.get(node.name.value);
        if (definition === undefined || !wanted) continue;
        const [text, type] = typeOf(definition);
        if (type && isTypeSubTypeOf(schema, type, wanted)) continue;
        report(
          context,
          `Variable "$${node.name.value}" of type "${text}" used in position expecting type "${wanted}".`,
        );
      }
    },
  };
}

/**
 * The server does not check for lists: a single value is compared with the items, and a list is not checked if a
 * single or required value is expected.
 */
export function valuesOfCorrectType(context: ValidationContext): ASTVisitor {
  function checkSingle(node: ValueNode): void {
    const type = getNamedType(context.getInputType());
    if (!type) return;
    if (!isEnumType(type)) {
      // Custom scalars accept any literal.
      const literals = isInputObjectType(type) ? [] : LITERALS[type.name];
      if (literals?.includes(node.kind) !== false) return;
      report(context, `Expected value of type "${type.name}", found ${show(node)}.`);
    } else if (node.kind !== Kind.ENUM) {
      report(context, `Enum "${type.name}" cannot represent non-enum value: ${show(node)}`);
    } else if (!type.getValue(node.value)) {
      report(context, `Value "${node.value}" does not exist in "${type.name}" enum.`);
    }
  }

  function checkObject(node: ObjectValueNode, type: GraphQLInputObjectType): void {
    const names = node.fields.map(({ name }) => name.value);
    const fields = type.getFields();
    for (const field of Object.values(fields)) {
      if (!isRequiredInputField(field) || names.includes(field.name)) continue;
      report(
        context,
        `Field "${type.name}.${field.name}" of required type "${field.type}" was not provided.`,
      );
    }
    for (const name of names) {
      if (!Object.hasOwn(fields, name))
        report(context, `Field "${name}" is not defined by type "${type.name}".`);
    }
  }

  return {
    ListValue: () => (isListType(context.getParentInputType()) ? undefined : false),
    ObjectValue: (node) => {
      const type = getNamedType(context.getInputType());
      if (isInputObjectType(type)) checkObject(node, type);
    },
    NullValue: () => {
      const type = context.getInputType();
      if (isNonNullType(type)) report(context, `Expected value of type "${type}", found null`);
    },
    IntValue: checkSingle,
    FloatValue: checkSingle,
    StringValue: checkSingle,
    BooleanValue: checkSingle,
    EnumValue: checkSingle,
  };
}

const LITERALS: Readonly<Record<string, readonly string[]>> = {
  Int: [Kind.INT],
  Float: [Kind.INT, Kind.FLOAT],
  String: [Kind.STRING],
  Boolean: [Kind.BOOLEAN],
  ID: [Kind.INT, Kind.STRING],
};

/** The server prints texts with several lines as block strings. */
function show(node: ValueNode): string {
  if (node.kind !== Kind.STRING || !node.value.includes("\n")) {
    return printQueryValue(readLiteral(node, new Map()));
  }
  const lines = node.value.replace(/\n$/, "").split("\n");
  const indented = lines.map((line) => (line.trim() === "" ? "" : `  ${line.replaceAll('"""', '\\"""')}`));
  return `"""\n${indented.join("\n")}\n"""`;
}

function report(context: ValidationContext, message: string): void {
  context.reportError(new GraphQLError(message));
}
