import { type ConstDirectiveNode, type FieldDefinitionNode, Kind } from "graphql";
import { isList } from "../../../../base/type-expression.ts";
import { typeExpression } from "../../../../schema/parse-sdl.ts";
import { SUBGRAPH_SCALARS } from "../../scalars.ts";
import { intervalsOf } from "./aggregation-rules.ts";
import {
  type AuthoredTypes,
  argumentOf,
  baseTypeOf,
  directiveOf,
  lineOf,
  type ObjectNode,
} from "./authored-types.ts";
import { type EntityProblem, problemAt } from "./entity-problem.ts";
import { sqlName } from "./sql-name.ts";
import { ID_TYPES, isImmutable } from "./type-rules.ts";

/** Checks that the tables of an entity schema can be made, which ends with the first problem as the database does. */
export function checkTables(types: AuthoredTypes, withAggregations: boolean): EntityProblem[] {
  const tables = tablesOf(types, withAggregations);
  const [problem] = [
    ...checkStoredIds(tables),
    ...checkSearchNames(types),
    ...checkEmptyNames(tables, types),
    ...checkNames(tables, types),
  ];
  return problem === undefined ? [] : [{ ...problem, reason: `store error: ${problem.reason}` }];
}

/** A table, its name in GraphQL and what is stored in it. */
type Table = { readonly name: string; readonly type: ObjectNode; readonly immutable: boolean };

/** Of two types of a name one is stored. */
function tablesOf({ entities, aggregations }: AuthoredTypes, withAggregations: boolean): Table[] {
  const tables = new Map<string, Table>();
  const add = (name: string, type: ObjectNode, immutable: boolean) =>
    tables.has(name) || tables.set(name, { name, type, immutable });
  for (const type of entities) add(type.name.value, type, isImmutable(type));
  for (const type of withAggregations ? aggregations : []) {
    for (const interval of intervalsOf(type)) add(`${type.name.value}_${interval}`, type, true);
  }
  return [...tables.values()];
}

function storedFields(type: ObjectNode) {
  return (type.fields ?? []).filter((field) => !directiveOf(field, "derivedFrom"));
}

/** A field may be stored as the id though it is called otherwise, such as `Id`. */
function checkStoredIds(tables: readonly Table[]): EntityProblem[] {
  return tables
    .flatMap(({ type }) => storedFields(type))
    .filter((field) => sqlName(field.name.value) === "id" && !ID_TYPES.has(baseTypeOf(field)))
    .map((field) => {
      const type = baseTypeOf(field);
      return problemAt(
        field,
        SUBGRAPH_SCALARS.has(type)
          ? `The \`id\` field has type \`${type}\` but only \`String\`, \`Bytes\`, \`Int8\`, and \`ID\` are allowed`
          : `Type not available in this context: ${type}`,
      );
    });
}

/** A search is stored in a column of its own name. */
function checkSearchNames({ searches }: AuthoredTypes): EntityProblem[] {
  return (searches?.directives ?? []).flatMap((directive) => {
    const name = argumentOf(directive, "name");
    const isEmpty = name?.kind === Kind.STRING && name.value === "";
    const reason = "invalid identifier: can not use an empty name for a attribute";
    return isEmpty ? [{ reason, line: lineOf(directive) }] : [];
  });
}

function checkEmptyNames(tables: readonly Table[], { enums }: AuthoredTypes): EntityProblem[] {
  return [...enums, ...tables.flatMap(({ type }) => [type, ...storedFields(type)])]
    .filter((node) => sqlName(node.name.value) === "")
    .map((node) => problemAt(node, 'zero-length delimited identifier at or near """"'));
}

function checkNames(tables: readonly Table[], { enums, searches }: AuthoredTypes): EntityProblem[] {
  const problems: EntityProblem[] = [];
  const taken = new Map<string, "type" | "relation">();
  for (const node of new Map(enums.map((one) => [one.name.value, one])).values()) {
    const name = sqlName(node.name.value);
    if (taken.has(name)) problems.push(problemAt(node, `type "${name}" already exists`));
    taken.set(name, "type");
  }
  for (const { name, type, immutable } of tables) {
    problems.push(...checkColumns(type, immutable, searchesOf(type, searches)));
    const table = sqlName(name);
    const other = taken.get(table);
    if (other !== undefined) problems.push(problemAt(type, `${other} "${table}" already exists`));
    taken.set(table, "relation");
    if (!immutable) problems.push(...checkIdIndex(type));
  }
  return problems;
}

/** The platform's own columns come first. */
function checkColumns(
  type: ObjectNode,
  immutable: boolean,
  searches: readonly StoredColumn[],
): EntityProblem[] {
  const stored = storedFields(type).map((field) => ({ field, column: sqlName(field.name.value) }));
  const fields: readonly StoredColumn[] = [...stored, ...searches];
  const columns = ["vid", ...(immutable ? [] : ["block_range"]), ...fields.map(({ column }) => column)];
  const twice = columns.find((column, index) => columns.includes(column, index + 1));
  const again = fields.findLast(({ column }) => column === twice);
  const system = fields.find(({ column }) => SYSTEM_COLUMNS.has(column));
  return [
    ...(again ? [problemAt(again.field, `column "${again.column}" specified more than once`)] : []),
    ...(system
      ? [problemAt(system.field, `column name "${system.column}" conflicts with a system column name`)]
      : []),
  ];
}

/** What is stored, and the name of its column. */
type StoredColumn = {
  readonly field: ObjectNode | ConstDirectiveNode | FieldDefinitionNode;
  readonly column: string;
};

/** The searches that are stored beside the rows of an entity: those that name it first. */
function searchesOf(type: ObjectNode, searches: AuthoredTypes["searches"]): StoredColumn[] {
  return (searches?.directives ?? []).flatMap((directive) => {
    const name = argumentOf(directive, "name");
    const include = argumentOf(directive, "include");
    const [first] = include?.kind === Kind.LIST ? include.values : [];
    const entity =
      first?.kind === Kind.OBJECT ? first.fields.find((one) => one.name.value === "entity") : null;
    const isOf = entity?.value.kind === Kind.STRING && entity.value.value === type.name.value;
    return isOf && name?.kind === Kind.STRING ? [{ field: directive, column: sqlName(name.value) }] : [];
  });
}

/** The rows of a mutable entity are found by an index over id and block, which does not take lists. */
function checkIdIndex(type: ObjectNode): EntityProblem[] {
  return storedFields(type)
    .filter((field) => field.name.value === "id" && isList(typeExpression(field.type)))
    .map((field) => {
      const stored = { Bytes: "bytea", Int8: "bigint" }[baseTypeOf(field)] ?? "text";
      return problemAt(field, `data type ${stored}[] has no default operator class for access method "gist"`);
    });
}

const SYSTEM_COLUMNS: ReadonlySet<string> = new Set(["tableoid", "ctid", "xmin", "cmin", "xmax", "cmax"]);
