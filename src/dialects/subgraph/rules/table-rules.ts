import { type ConstDirectiveNode, type FieldDefinitionNode, Kind } from "graphql";
import type { SchemaProblem } from "../../../base/errors.ts";
import { isList } from "../../api-schema.ts";
import {
  argumentOf,
  findDirective,
  listArgument,
  memberOf,
  stringArgument,
  typeExpression,
} from "../../parse-sdl.ts";
import { rootFieldNames } from "../names.ts";
import { SUBGRAPH_SCALARS } from "../platform-types.ts";
import { intervalsOf } from "./aggregation-rules.ts";
import { type AuthoredTypes, baseTypeOf, fieldOf, type ObjectNode, problemAt } from "./authored-types.ts";
import { ID_TYPES, isImmutable } from "./type-rules.ts";

/** Checks that the tables of an entity schema can be created. Like the database, it stops at the first problem. */
export function checkTables(types: AuthoredTypes, withAggregations: boolean): SchemaProblem[] {
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
  return (type.fields ?? []).filter((field) => !findDirective(field.directives, "derivedFrom"));
}

/** Checks fields that are stored in the column of the id, even with another name, such as `Id`. */
function checkStoredIds(tables: readonly Table[]): SchemaProblem[] {
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
function checkSearchNames({ searches }: AuthoredTypes): SchemaProblem[] {
  return (searches?.directives ?? [])
    .filter((directive) => stringArgument(directive, "name") === "")
    .map((directive) =>
      problemAt(directive, "invalid identifier: can not use an empty name for a attribute"),
    );
}

function checkEmptyNames(tables: readonly Table[], { enums }: AuthoredTypes): SchemaProblem[] {
  return [...enums, ...tables.flatMap(({ type }) => [type, ...storedFields(type)])]
    .filter((node) => sqlName(node.name.value) === "")
    .map((node) => problemAt(node, 'zero-length delimited identifier at or near """"'));
}

function checkNames(tables: readonly Table[], { enums, searches }: AuthoredTypes): SchemaProblem[] {
  const problems: SchemaProblem[] = [];
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
): SchemaProblem[] {
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
    const name = stringArgument(directive, "name");
    const entity = memberOf(listArgument(directive, "include")[0], "entity");
    const isOf = entity?.kind === Kind.STRING && entity.value === type.name.value;
    return isOf && name !== null ? [{ field: directive, column: sqlName(name) }] : [];
  });
}

/** Checks the id of a mutable entity. The index over id and block cannot contain lists. */
function checkIdIndex(type: ObjectNode): SchemaProblem[] {
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
export function checkSearchType({ searches }: AuthoredTypes): SchemaProblem[] {
  if (searches === undefined) return [];
  const problems: SchemaProblem[] = [];
  if (searches.fields?.length) {
    problems.push(problemAt(searches, "_Schema_ type is only for @fulltext and must not have any fields"));
  }
  if (searches.directives?.some((directive) => directive.name.value !== "fulltext")) {
    problems.push(problemAt(searches, "The _Schema_ type only allows @fulltext directives"));
  }
  return problems;
}

/** Checks the searches that the type `_Schema_` declares. */
export function checkFulltext(types: AuthoredTypes): SchemaProblem[] {
  const directives = types.searches?.directives?.filter(({ name }) => name.value === "fulltext") ?? [];
  return directives.flatMap((directive) =>
    [
      findNameProblem(directive, directives, types),
      findChoiceProblem(directive, "language", LANGUAGES),
      findChoiceProblem(directive, "algorithm", ALGORITHMS),
      findIncludeProblem(directive, types),
    ]
      .filter((reason) => reason !== null)
      .map((reason) => problemAt(directive, reason)),
  );
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
  const includes = listArgument(directive, "include");
  if (includes.length === 0) return "Fulltext directive requires an 'include' list";
  for (const include of includes) {
    if (include.kind !== Kind.OBJECT) return "Fulltext 'include' list must contain an object";
    const entityName = memberOf(include, "entity");
    const fields = memberOf(include, "fields");
    if (entityName?.kind !== Kind.STRING || fields?.kind !== Kind.LIST) return BAD_INCLUDE;
    const entity = entities.find((node) => node.name.value === entityName.value);
    if (entity === undefined) {
      return "Fulltext directive includes an entity not found on the subgraph schema";
    }
    for (const entry of fields.values) {
      if (entry.kind !== Kind.OBJECT) return BAD_INCLUDE;
      const name = memberOf(entry, "name");
      if (name?.kind !== Kind.STRING) return "Fulltext include field must have a 'name' attribute";
      const field = fieldOf(entity, name.value);
      if (field === undefined || !["String", "ID"].includes(baseTypeOf(field))) {
        return `Fulltext entity field, ${name.value}, not found or not a string`;
      }
    }
  }
  return null;
}

const BAD_INCLUDE = "Fulltext 'include' object must contain 'entity' (String) and 'fields' (List) attributes";

const ALGORITHMS: ReadonlySet<string> = new Set(["rank", "proximityRank"]);

const LANGUAGES: ReadonlySet<string> = new Set([
  ...["simple", "da", "nl", "en", "fi", "fr", "de", "hu"],
  ...["it", "no", "pt", "ro", "ru", "es", "sv", "tr"],
]);
