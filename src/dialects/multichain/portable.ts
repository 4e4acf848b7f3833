import {
  type FieldNode,
  Kind,
  type ObjectFieldNode,
  type ObjectValueNode,
  type ValueNode,
  type VariableNode,
} from "graphql";
import { indexByName } from "../../base/collections.ts";
import { type ApiSchema, fieldsOf } from "../api-schema.ts";
import { BYTES_FORMS } from "../id-forms.ts";
import { argumentNode, booleanNode, listNode, objectNode, stringNode } from "../make-node.ts";
import type {
  AuthoredType,
  Column,
  Condition,
  OrderTerm,
  PagedList,
  PortableStyle,
  PortableWriter,
  Test,
} from "../portable-style.ts";
import { multichainReader } from "./read-query.ts";
import { CHAIN_COLUMN, RAW_BYTES, referenceColumn } from "./tables.ts";

/** Rewrites portable operations in the grammar of Hasura. */
export const portableMultichain: PortableStyle = {
  kind: "written",
  createWriter,
  queries: multichainReader,
  readPagedList,
};

function createWriter(schema: ApiSchema): PortableWriter {
  const roots = indexByName(fieldsOf(schema, schema.queryType));
  return {
    listName: (entity) => (roots.has(entity) ? entity : null),
    writeList: ({ filter, order, first, skip }) => [
      ...(filter === null ? [] : [argumentNode("where", filter)]),
      argumentNode("order_by", order),
      argumentNode("limit", first),
      ...(skip === null ? [] : [argumentNode("offset", skip)]),
    ],
    lookup: (entity) => {
      const name = `${entity}_by_pk`;
      const root = roots.get(name);
      return root === undefined
        ? null
        : { name, takesChain: root.args.some((arg) => arg.name === CHAIN_COLUMN.name) };
    },
    writeLookup: (id, chain) => [
      ...(chain === null ? [] : [argumentNode(CHAIN_COLUMN.name, chain)]),
      argumentNode("id", id),
    ],
    writeCondition,
    writeOrder: (terms, loc) => listNode(terms.map(writeTerm), loc),
    writeMember: ({ value, loc }) => stringNode(value, loc),
    columnName,
    bytesPattern: { before: "^0x(..)*", after: "" },
    fit,
    comparison: (isNegated, loc) => ({
      name: isNegated ? "_neq" : "_eq",
      ofNull: objectNode([["_is_null", booleanNode(!isNegated, loc)]], loc),
    }),
    formsOf: ({ name }, type) => (name === "Bytes" && type === RAW_BYTES ? BYTES_FORMS : null),
    itemsAreText: (type) => type === "String",
  };
}

function columnName({ name, isReference }: Column): string {
  return isReference ? referenceColumn(name) : name;
}

function writeTerm({ path, direction, loc }: OrderTerm): ValueNode {
  return path.reduceRight<ValueNode>((inner, name) => objectNode([[name, inner]], loc), direction);
}

function writeCondition(condition: Condition): ObjectValueNode {
  const { loc } = condition;
  switch (condition.kind) {
    case "beside":
      return joinObjects(condition.of.map(writeCondition), loc);
    case "and":
    case "or":
      return objectNode([[`_${condition.kind}`, writeMembers(condition.of, loc)]], loc);
    case "not":
      return objectNode([["_not", writeMember(condition.of)]], loc);
    case "related":
      return objectNode([[condition.field, writeMember(condition.of)]], loc);
    case "compared":
      return objectNode([[columnName(condition.column), condition.value]], loc);
    case "null":
      return test(condition.column, "_is_null", booleanNode(condition.isNull, loc));
    case "test": {
      const { plain, negated } = OPERATORS[condition.test];
      const operator = condition.isNegated ? negated : plain;
      if (operator === null) throw new TypeError(`There is no negated operator for "${condition.test}".`);
      return test(condition.column, operator, condition.value);
    }
    case "given":
      // The variable is a whole filter object. `_and` with one item means the same.
      return objectNode([["_and", listNode([condition.value], loc)]], loc);
  }
}

function writeMembers(of: readonly Condition[] | VariableNode, loc: ObjectValueNode["loc"]): ValueNode {
  return "kind" in of ? of : listNode(of.map(writeMember), loc);
}

/** Writes a member of a list or a relation. A variable is used directly. */
function writeMember(condition: Condition): ValueNode {
  return condition.kind === "given" ? condition.value : writeCondition(condition);
}

function test(column: Column, operator: string, value: ValueNode): ObjectValueNode {
  return objectNode([[columnName(column), objectNode([[operator, value]], value.loc)]], value.loc);
}

const OPERATORS: Readonly<Record<Test, { readonly plain: string; readonly negated: string | null }>> = {
  equal: { plain: "_eq", negated: "_neq" },
  greater: { plain: "_gt", negated: null },
  "greater-or-equal": { plain: "_gte", negated: null },
  less: { plain: "_lt", negated: null },
  "less-or-equal": { plain: "_lte", negated: null },
  in: { plain: "_in", negated: "_nin" },
  like: { plain: "_like", negated: "_nlike" },
  "like-nocase": { plain: "_ilike", negated: "_nilike" },
  "bytes-like": { plain: "_regex", negated: "_nregex" },
  "has-all": { plain: "_contains", negated: null },
};

/** Joins objects with one condition each. An object has each name once, and a column each operator once. */
function joinObjects(objects: readonly ObjectValueNode[], loc: ObjectValueNode["loc"]): ObjectValueNode {
  const joined = new Map<string, ValueNode>();
  const others: ObjectValueNode[] = [];
  for (const object of objects) {
    const [field] = object.fields;
    if (field === undefined) continue;
    const name = field.name.value;
    const earlier = joined.get(name);
    const value = earlier === undefined ? field.value : mergeTests(earlier, field);
    if (value === null) others.push(object);
    else joined.set(name, value);
  }
  const object = objectNode(joined, loc);
  return others.length === 0 ? object : objectNode([["_and", listNode([object, ...others], loc)]], loc);
}

/** Adds the operators of a second condition to those of the first; null if one of them is already present. */
function mergeTests(first: ValueNode, { name, value }: ObjectFieldNode): ObjectValueNode | null {
  if (name.value.startsWith("_") || !("fields" in first) || !("fields" in value)) return null;
  const operators = new Set(first.fields.map((field) => field.name.value));
  const isNew = value.fields.every((field) => !operators.has(field.name.value));
  return isNew && operators.size > 0 ? { ...first, fields: [...first.fields, ...value.fields] } : null;
}

/** The scalars of a schema that fit an authored scalar. */
type ScalarsByName = ReadonlyMap<string, readonly string[]>;

/** The scalars whose answers equal those of authored scalars, or become equal by `formsOf` or by normalized numbers. */
const ANSWERS: ScalarsByName = new Map([
  ["BigDecimal", ["numeric"]],
  ["BigInt", ["numeric", "bigint"]],
  ["Boolean", ["Boolean"]],
  ["Bytes", ["String", RAW_BYTES]],
  ["ID", ["String"]],
  ["Int", ["Int"]],
  ["Int8", ["numeric", "bigint"]],
  ["String", ["String"]],
]);

/** The scalars with the same meaning of conditions. */
const CONDITIONS: ScalarsByName = new Map([
  ...ANSWERS,
  ["BigInt", ["numeric", "bigint", "Int"]],
  ["Int8", ["numeric", "bigint", "Int"]],
  ["Timestamp", ["timestamptz"]],
]);

/** Releases before 2.31, and columns with a precision, return lists of big numbers as JSON numbers. */
const ANSWERS_OF_LISTS: ScalarsByName = new Map([
  ["BigDecimal", ["String"]],
  ["BigInt", ["String", "numeric"]],
  ["Bytes", ["String", RAW_BYTES]],
  ["ID", ["String"]],
  ["Int", ["Int"]],
  ["String", ["String"]],
]);

/** Decimals have several texts, so that lists of texts cannot be compared. */
const CONDITIONS_OF_LISTS: ScalarsByName = new Map([...ANSWERS_OF_LISTS, ["BigDecimal", ["numeric"]]]);

function fit({ name, isList, isEnum }: AuthoredType, type: string): ReturnType<PortableWriter["fit"]> {
  if (isEnum) {
    const isSame = type === name.toLowerCase();
    return { answers: isSame, conditions: isSame };
  }
  const [answers, conditions] = isList ? [ANSWERS_OF_LISTS, CONDITIONS_OF_LISTS] : [ANSWERS, CONDITIONS];
  const fits = (scalars: ScalarsByName) => scalars.get(name)?.includes(type) ?? false;
  return { answers: fits(answers), conditions: fits(conditions) };
}

/** Reads a list that a cursor can page: with a `limit`, a first order, and a filter of all rows by that column. */
function readPagedList({ arguments: args = [] }: FieldNode): PagedList | null {
  const values = new Map<string, ValueNode>(args.map(({ name, value }) => [name.value, value]));
  const first = values.get("limit");
  const [order] = readFields(values.get("order_by"));
  const direction = order?.value.kind === Kind.ENUM ? order.value.value : "";
  if (args.some(({ name }) => !["limit", "order_by", "where"].includes(name.value))) return null;
  if (!order || first?.kind !== Kind.VARIABLE) return null;
  if (direction !== "asc" && direction !== "desc") return null;
  const column = order.name.value;
  const after = findAfter(values.get("where"), column, direction === "asc" ? "_gt" : "_lt");
  return after === null ? null : { first: first.name.value, column, direction, after };
}

/** Returns the fields of an object, or of the first object of a list. */
function readFields(value: ValueNode | undefined) {
  const object = value?.kind === Kind.LIST ? value.values[0] : value;
  return object?.kind === Kind.OBJECT ? object.fields : [];
}

/** Finds the variable that a column of all rows is compared with. */
function findAfter(filter: ValueNode | undefined, column: string, operator: string): string | null {
  if (filter?.kind !== Kind.OBJECT) return null;
  for (const { name, value } of filter.fields) {
    if (name.value === "_and") {
      for (const condition of value.kind === Kind.LIST ? value.values : [value]) {
        const after = findAfter(condition, column, operator);
        if (after !== null) return after;
      }
    }
    if (name.value !== column || value.kind !== Kind.OBJECT) continue;
    const than = value.fields.find((field) => field.name.value === operator)?.value;
    if (than?.kind === Kind.VARIABLE) return than.name.value;
  }
  return null;
}
