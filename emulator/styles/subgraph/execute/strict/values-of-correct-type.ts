import { Kind, type ValueNode } from "graphql";
import { baseTypeName, isRequired } from "../../../../../src/base/type-expression.ts";
import type { ApiEnum, ApiInputObject, ApiType } from "../../../../../src/schema/api-schema.ts";
import { printValue } from "./print-value.ts";
import type { StrictRule } from "./rule.ts";
import { isLeaf } from "./type-relations.ts";
import { sortedFields } from "./visit-document.ts";

/**
 * Whether a value is a list is not looked at: a single value is held against the items, and a list where none is
 * wanted is not looked into.
 */
export const valuesOfCorrectType: StrictRule = ({ index }, report) => {
  function checkSingle(node: ValueNode, type: ApiType): void {
    if (!isLeaf(type)) report(`Expected value of type "${type.name}", found ${printValue(node)}.`);
    else if (type.kind === "ENUM") checkEnum(node, type);
    else if (!fitsScalar(node, type.name)) {
      report(`Expected value of type "${type.name}", found ${printValue(node)}.`);
    }
  }

  function checkEnum(node: ValueNode, { name, values }: ApiEnum): void {
    if (node.kind !== Kind.ENUM) {
      report(`Enum "${name}" cannot represent non-enum value: ${printValue(node)}`);
    } else if (!values.some((value) => value.name === node.value)) {
      report(`Value "${node.value}" does not exist in "${name}" enum.`);
    }
  }

  function checkObject(names: readonly string[], { name, fields }: ApiInputObject): void {
    for (const field of fields) {
      if (!isRequired(field.type) || field.defaultValue !== null || names.includes(field.name)) continue;
      report(`Field "${name}.${field.name}" of required type "${field.type}" was not provided.`);
    }
    const known = new Set(fields.map((field) => field.name));
    for (const given of names) {
      if (!known.has(given)) report(`Field "${given}" is not defined by type "${name}".`);
    }
  }

  return {
    value: (node, { input }) => {
      if (input === undefined) return;
      const type = index.type(baseTypeName(input));
      switch (node.kind) {
        case Kind.VARIABLE:
        case Kind.LIST:
          break;
        case Kind.NULL:
          if (isRequired(input)) report(`Expected value of type "${input}", found null`);
          break;
        case Kind.OBJECT:
          if (type?.kind === "INPUT_OBJECT") {
            checkObject(
              sortedFields(node).map(([name]) => name),
              type,
            );
          }
          break;
        default:
          if (type) checkSingle(node, type);
      }
    },
  };
};

/** Scalars that GraphQL does not define take any literal (B.1). */
function fitsScalar({ kind }: ValueNode, scalar: string): boolean {
  switch (scalar) {
    case "Int":
      return kind === Kind.INT;
    case "Float":
      return kind === Kind.INT || kind === Kind.FLOAT;
    case "String":
      return kind === Kind.STRING;
    case "Boolean":
      return kind === Kind.BOOLEAN;
    case "ID":
      return kind === Kind.INT || kind === Kind.STRING;
    default:
      return true;
  }
}
