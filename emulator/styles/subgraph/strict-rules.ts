import {
  type ASTVisitor,
  GraphQLError,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  GraphQLNonNull,
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isInputType,
  isListType,
  isNonNullType,
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

// The rules of the server's validation library whose sentences or results differ from those of graphql-js.

/** The server has fewer introspection fields and arguments than graphql-js. */
export function introspectionFields(context: ValidationContext): ASTVisitor {
  return {
    Field: ({ name, arguments: argumentNodes = [] }) => {
      const type = INTROSPECTION_TYPES.find(({ name }) => name === context.getParentType()?.name);
      // graphql-js itself reports names that it does not have either.
      if (type?.kind !== "OBJECT" || name.value === "__typename" || !context.getFieldDef()) return;
      const field = type.fields.find((field) => field.name === name.value);
      if (!field) return report(context, `Cannot query field "${name.value}" on type "${type.name}".`);
      for (const argument of argumentNodes) {
        if (field.args.some(({ name }) => name === argument.name.value)) continue;
        report(context, `Unknown argument "${argument.name.value}" on field "${type.name}.${name.value}".`);
      }
    },
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
    const [text, inputType] = [print(node), isInputType(type) ? type : undefined];
    if (defaultValue === undefined || node.kind === Kind.NON_NULL_TYPE) return [text, inputType];
    if (isListType(inputType))
      return [`${inputType.ofType}!`, new GraphQLNonNull(getNullableType(inputType.ofType))];
    if (defaultValue.kind === Kind.NULL) return [text, inputType];
    return [`${text}!`, inputType && new GraphQLNonNull(getNullableType(inputType))];
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
