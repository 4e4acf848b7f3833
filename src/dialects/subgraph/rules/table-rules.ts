import { type ConstDirectiveNode, type ConstValueNode, type FieldDefinitionNode, Kind } from "graphql";
import { isList } from "../../api-schema.ts";
import { typeExpression } from "../../parse-sdl.ts";
import { rootFieldNames } from "../names.ts";
import { SUBGRAPH_SCALARS } from "../platform-types.ts";
import { intervalsOf } from "./aggregation-rules.ts";
import {
  type AuthoredTypes,
  argumentOf,
  baseTypeOf,
  directiveOf,
  type EntityProblem,
  fieldOf,
  lineOf,
  type ObjectNode,
  problemAt,
} from "./authored-types.ts";
import { ID_TYPES, isImmutable } from "./type-rules.ts";

/** Checks that the tables of an entity schema can be created. Like the database, it stops at the first problem. */
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

/** A table, with its name in GraphQL and its columns. */
type Table = { readonly name: string; readonly type: ObjectNode; readonly immutable: boolean };

/** Returns the tables. Two types with one name share a table. */
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

/** Checks fields that are stored in the column of the id, even with another name, such as `Id`. */
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

/** A search is stored in a column with its name. */
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
  for (const node of new Map(enums.map((enumeration) => [enumeration.name.value, enumeration])).values()) {
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

/** Checks the columns of a table, those of the platform first. */
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

/** A stored field or search, and the name of its column. */
type StoredColumn = {
  readonly field: ObjectNode | ConstDirectiveNode | FieldDefinitionNode;
  readonly column: string;
};

/** Returns the searches that are stored with an entity: those whose first entry names it. */
function searchesOf(type: ObjectNode, searches: AuthoredTypes["searches"]): StoredColumn[] {
  return (searches?.directives ?? []).flatMap((directive) => {
    const name = argumentOf(directive, "name");
    const include = argumentOf(directive, "include");
    const [first] = include?.kind === Kind.LIST ? include.values : [];
    const entity =
      first?.kind === Kind.OBJECT ? first.fields.find((field) => field.name.value === "entity") : null;
    const isOf = entity?.value.kind === Kind.STRING && entity.value.value === type.name.value;
    return isOf && name?.kind === Kind.STRING ? [{ field: directive, column: sqlName(name.value) }] : [];
  });
}

/** Checks the id of a mutable entity. The index over id and block cannot contain lists. */
function checkIdIndex(type: ObjectNode): EntityProblem[] {
  return storedFields(type)
    .filter((field) => field.name.value === "id" && isList(typeExpression(field.type)))
    .map((field) => {
      const stored = { Bytes: "bytea", Int8: "bigint" }[baseTypeOf(field)] ?? "text";
      return problemAt(field, `data type ${stored}[] has no default operator class for access method "gist"`);
    });
}

const SYSTEM_COLUMNS: ReadonlySet<string> = new Set(["tableoid", "ctid", "xmin", "cmin", "xmax", "cmax"]);

/**
 * Returns the name of the table or column of a type or field in PostgreSQL: in snake case, in which graph-node treats digits
 * like capital letters, and cut off at 63 characters.
 */
export function sqlName(name: string): string {
  let result = "";
  for (const word of name.split("_").filter((part) => part !== "")) {
    if (result !== "") result += "_";
    for (const [index, letter] of [...word].entries()) {
      const isCapital = index > 0 && !/[a-z]/.test(letter);
      const besideSmall = /[a-z]/.test(word[index - 1] ?? "") || /[a-z]/.test(word[index + 1] ?? "");
      result += `${isCapital && besideSmall ? "_" : ""}${letter.toLowerCase()}`;
    }
  }
  return result.slice(0, 63);
}

/** Checks that the type `_Schema_` has only searches. */
export function checkSearchType({ searches }: AuthoredTypes): EntityProblem[] {
  if (searches === undefined) return [];
  const problems: EntityProblem[] = [];
  const line = lineOf(searches);
  if (searches.fields?.length) {
    problems.push({
      reason: "_Schema_ type is only for @fulltext and must not have any fields",
      line,
    });
  }
  if (searches.directives?.some((directive) => directive.name.value !== "fulltext")) {
    problems.push({ reason: "The _Schema_ type only allows @fulltext directives", line });
  }
  return problems;
}

/** Checks the searches that the type `_Schema_` declares. */
export function checkFulltext(types: AuthoredTypes): EntityProblem[] {
  const problems: EntityProblem[] = [];
  const directives = (types.searches?.directives ?? []).filter(
    (directive) => directive.name.value === "fulltext",
  );
  for (const directive of directives) {
    const reasons = [
      findNameProblem(directive, directives, types),
      findChoiceProblem(directive, "language", LANGUAGES),
      findChoiceProblem(directive, "algorithm", ALGORITHMS),
      findIncludeProblem(directive, types),
    ];
    for (const reason of reasons) if (reason !== null) problems.push({ reason, line: lineOf(directive) });
  }
  return problems;
}

function findNameProblem(
  directive: ConstDirectiveNode,
  all: readonly ConstDirectiveNode[],
  { entities }: AuthoredTypes,
): string | null {
  const name = stringArgument(directive, "name");
  if (name === null) return "Fulltext directive name undefined";
  const taken = entities.some((entity) =>
    entity.fields?.some((field) => {
      const { singular, plural } = rootFieldNames(field.name.value, { collectionSuffix: true });
      return [field.name.value, singular, plural].includes(name);
    }),
  );
  if (taken) {
    return `Fulltext directive name overlaps with an existing entity field or a top-level query field: ${name}`;
  }
  if (all.filter((other) => stringArgument(other, "name") === name).length > 1) {
    return `Fulltext directive name overlaps with type: ${name}`;
  }
  return null;
}

function findChoiceProblem(
  directive: ConstDirectiveNode,
  argument: "language" | "algorithm",
  choices: ReadonlySet<string>,
): string | null {
  const value = argumentOf(directive, argument);
  if (value?.kind !== Kind.ENUM) return `Fulltext ${argument} is undefined`;
  return choices.has(value.value) ? null : `Fulltext ${argument} is invalid: ${value.value}`;
}

function findIncludeProblem(directive: ConstDirectiveNode, { entities }: AuthoredTypes): string | null {
  const includes = argumentOf(directive, "include");
  if (includes?.kind !== Kind.LIST || includes.values.length === 0) {
    return "Fulltext directive requires an 'include' list";
  }
  for (const include of includes.values) {
    if (include.kind !== Kind.OBJECT) return "Fulltext 'include' list must contain an object";
    const entityName = member(include, "entity");
    const fields = member(include, "fields");
    if (entityName?.kind !== Kind.STRING || fields?.kind !== Kind.LIST) return BAD_INCLUDE;
    const entity = entities.find((node) => node.name.value === entityName.value);
    if (entity === undefined) {
      return "Fulltext directive includes an entity not found on the subgraph schema";
    }
    for (const entry of fields.values) {
      if (entry.kind !== Kind.OBJECT) return BAD_INCLUDE;
      const name = member(entry, "name");
      if (name?.kind !== Kind.STRING) return "Fulltext include field must have a 'name' attribute";
      const field = fieldOf(entity, name.value);
      if (field === undefined || !["String", "ID"].includes(baseTypeOf(field))) {
        return `Fulltext entity field, ${name.value}, not found or not a string`;
      }
    }
  }
  return null;
}

function stringArgument(directive: ConstDirectiveNode, name: string): string | null {
  const value = argumentOf(directive, name);
  return value?.kind === Kind.STRING ? value.value : null;
}

function member(
  object: Extract<ConstValueNode, { readonly kind: Kind.OBJECT }>,
  name: string,
): ConstValueNode | undefined {
  return object.fields.find((field) => field.name.value === name)?.value;
}

const BAD_INCLUDE = "Fulltext 'include' object must contain 'entity' (String) and 'fields' (List) attributes";

const ALGORITHMS: ReadonlySet<string> = new Set(["rank", "proximityRank"]);

const LANGUAGES: ReadonlySet<string> = new Set([
  ...["simple", "da", "nl", "en", "fi", "fr", "de", "hu"],
  ...["it", "no", "pt", "ro", "ru", "es", "sv", "tr"],
]);
