import { compareCodeUnits } from "../base/compare-code-units.ts";
import type { CompiledOperation, OperationFacts } from "../portable/compiled-operation.ts";
import type { PortableTypes } from "./declare-portable-types.ts";
import { propertyName, quote } from "./typescript-literal.ts";

type TableTypes = Pick<PortableTypes, "names" | "columnsOf" | "filterOf">;

/**
 * Renders the tables of what rows can be filtered and ordered by: one for each entity that a variable of the operations
 * is about, and the columns of every entity in reach of one.
 */
export function renderTables(operations: readonly CompiledOperation[], types: TableTypes): string[] {
  const { names, columnsOf, filterOf } = types;
  const columns = new Set<string>();
  const tables = new Map<string, string>();
  for (const { facts } of operations) {
    const wanted = [
      ...facts.filters.map(({ entity, isChild }) => [entity, isChild] as const),
      ...facts.orders.map(({ entity, isNested }) => [entity, isNested] as const),
    ];
    for (const [entity, isInner] of wanted) {
      const related = isInner ? [] : [...columnsOf(entity).related];
      for (const name of [entity, ...related.map(([, target]) => target)]) columns.add(name);
      const members = related.map(
        ([field, target]) => `    ${propertyName(field)}: ${columnsName(target, types)},\n`,
      );
      const value = tableName(entity, isInner, types);
      const filter = filterOf(entity, isInner);
      const type = `${names.taken("FilterTable")}${filter ? `<${filter.join(", ")}>` : ""}`;
      const inner = members.length === 0 ? "{}" : `{\n${members.join("")}  }`;
      const doc = `/** What rows of \`${entity}\` can be filtered and ordered by${isInner ? ", where they belong to others" : ""}, for \`mapFilter\`. */`;
      tables.set(
        value,
        `${doc}\nexport const ${value}: ${type} = {\n  columns: ${columnsName(entity, types)},\n  related: ${inner},\n};\n`,
      );
    }
  }
  const constants = [...columns].map((entity): [string, string] => {
    const members = [...columnsOf(entity).columns].map(
      ([name, { kind }]) => `${propertyName(name)}: ${quote(kind)}`,
    );
    const name = columnsName(entity, types);
    return [name, `const ${name}: ${names.taken("Columns")} = { ${members.join(", ")} };\n`];
  });
  return [...inOrder(constants), ...inOrder(tables)];
}

/**
 * Renders the function that maps the variables of an operation which hold filters and orders; null where none does.
 */
export function mapFunction({ filters, orders }: OperationFacts, types: TableTypes): string | null {
  const client = types.names.value;
  const made = new Map<string, string>();
  const own = new Map<string, string>();
  for (const { from, to, entity, isChild, isList } of filters) {
    const path = from === "where" ? "" : `, ${quote(from)}`;
    const table = tableName(entity, isChild, types);
    const mapped = (where: string) => `${client("mapFilter")}(${table}, ${where}, isSubgraph${path})`;
    // A list of filters is mapped as one that holds nothing else.
    const call = isList
      ? `Object.values(${mapped(`{ and: ${read(from)} }`)} as object)[0]`
      : `${read(from)} && ${mapped(read(from))}`;
    made.set(to, call);
    own.set(from, call);
  }
  for (const { from, to, entity, isNested, direction, defaults } of orders) {
    const order = `${read(from)}${defaults.order === null ? "" : ` ?? ${quote(defaults.order)}`}`;
    const by =
      typeof direction === "string"
        ? quote(direction)
        : `${read(direction.variable)} ?? ${quote(defaults.direction ?? "asc")}`;
    const path = from === "orderBy" ? "" : `, ${quote(from)}`;
    const table = tableName(entity, isNested, types);
    made.set(to, `${client("mapOrder")}(${table}, ${order}, ${by}, isSubgraph${path})`);
  }
  if (made.size === 0) return null;
  // Subgraphs take filters under the author's names.
  for (const [from, call] of own) if (!made.has(from)) made.set(from, call);
  const members = [...made].map(([to, call]) => `    ${propertyName(to)}: ${call},\n`);
  return `(variables, isSubgraph) => ({\n    ...variables,\n${members.join("")}  })`;
}

function read(variable: string): string {
  return `variables[${quote(variable)}]`;
}

function tableName(entity: string, isInner: boolean, { names }: TableTypes): string {
  return names.value(`${uncapitalize(entity)}${isInner ? "Child" : ""}Filter`);
}

function columnsName(entity: string, { names }: TableTypes): string {
  return names.value(`${uncapitalize(entity)}Columns`);
}

function uncapitalize(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}

function inOrder(items: Iterable<readonly [name: string, text: string]>): string[] {
  return [...items].sort(([a], [b]) => compareCodeUnits(a, b)).map(([, text]) => text);
}
