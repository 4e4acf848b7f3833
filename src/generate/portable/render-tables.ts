import { compareCodeUnits } from "../../base/collections.ts";
import { propertyName, quote, typescriptLiteral } from "../../base/text.ts";
import type { IdForms } from "../../dialects/id-forms.ts";
import type { CompiledOperation } from "../../operations/portable/compiled-operation.ts";
import {
  columnsName,
  formsName,
  isForms,
  type TableIds,
  type TableTypes,
  tableIds,
  tableName,
} from "./portable-operation.ts";

/**
 * Renders the tables of what rows can be filtered and ordered by: one for each entity that a variable of the operations
 * is about, and the columns of every entity in reach of one.
 */
export function renderTables(operations: readonly CompiledOperation[], types: TableTypes): string[] {
  const { names, columnsOf, filterOf } = types;
  const columns = new Set<string>();
  const tables = new Map<string, string>();
  for (const [entity, isInner] of wantedTables(operations)) {
    const related = isInner ? [] : [...columnsOf(entity).related];
    for (const name of [entity, ...related.map(([, target]) => target)]) columns.add(name);
    const members = related.map(
      ([field, target]) => `    ${propertyName(field)}: ${columnsName(target, types)},\n`,
    );
    const value = tableName(entity, isInner, types);
    const filter = filterOf(entity, isInner);
    const ids = tableIds(entity, isInner, types);
    const type = `${names.clientType(ids === null ? "FilterTable" : "IdFilterTable")}${filter ? `<${filter.join(", ")}>` : ""}`;
    const inner = members.length === 0 ? "{}" : `{\n${members.join("")}  }`;
    const mapper = ids === null ? "mapFilter" : "mapIdFilter";
    const doc = `/** The columns that can filter and order ${isInner ? "child " : ""}rows of \`${entity}\`, for \`${mapper}\`. */`;
    tables.set(
      value,
      `${doc}\nexport const ${value}: ${type} = {\n  columns: ${columnsName(entity, types)},\n  related: ${inner},\n${ids === null ? "" : `  ids: ${renderIds(ids, types)},\n`}};\n`,
    );
  }
  const constants = [...columns].map((entity): [string, string] => {
    const members = [...columnsOf(entity).columns].map(
      ([name, { kind }]) => `${propertyName(name)}: ${quote(kind)}`,
    );
    const name = columnsName(entity, types);
    // Otherwise TypeScript widens the literal of a column named "constructor".
    return [name, `const ${name}: ${names.clientType("Columns")} = { ${members.join(", ")} } as const;\n`];
  });
  const forms = [...findForms(operations, types)].map(([name, { entity, ...rest }]): [string, string] => [
    name,
    `export const ${name}: ${names.clientType("IdForms")} = ${typescriptLiteral({ entity, ...rest })};\n`,
  ]);
  return [...inOrder(forms), ...inOrder(constants), ...inOrder(tables)];
}

/** Returns the tables that variables of operations need, with duplicates. */
function wantedTables(
  operations: readonly CompiledOperation[],
): (readonly [entity: string, isInner: boolean])[] {
  return operations.flatMap(({ facts }) => [
    ...facts.filters.map(({ entity, isChild }) => [entity, isChild] as const),
    ...facts.orders.map(({ entity, isNested }) => [entity, isNested] as const),
  ]);
}

/** Returns the forms of ids that operations need, by the names of their constants. */
function findForms(
  operations: readonly CompiledOperation[],
  types: TableTypes,
): ReadonlyMap<string, IdForms> {
  const ofTables = wantedTables(operations).flatMap(([entity, isInner]) =>
    Object.values(tableIds(entity, isInner, types) ?? {}).flatMap((ids) =>
      isForms(ids) ? [ids] : Object.values(ids),
    ),
  );
  const ofOperations = operations.flatMap(({ facts }) => [...facts.idVariables, ...facts.idAnswers]);
  const all = [...ofTables, ...ofOperations.map(({ forms }) => forms)];
  return new Map(all.map((forms) => [formsName(forms, types), forms]));
}

function renderIds(ids: TableIds, types: TableTypes): string {
  const members = Object.entries(ids).map(([column, forms]) => {
    const value = isForms(forms) ? formsName(forms, types) : renderIds(forms, types);
    return `${propertyName(column)}: ${value}`;
  });
  return `{ ${members.join(", ")} }`;
}

function inOrder(items: Iterable<readonly [name: string, text: string]>): string[] {
  return [...items].sort(([a], [b]) => compareCodeUnits(a, b)).map(([, text]) => text);
}
