import { compareCodeUnits } from "../../base/collections.ts";
import { propertyName, quote } from "../../base/text.ts";
import type { Operation } from "../../operations/operation-set.ts";
import type { CompiledOperation, DecodedColumns } from "../../operations/portable/compiled-operation.ts";
import { resultName } from "../type-names.ts";
import type { PortableNames } from "./declare-portable-types.ts";

/** Renders the decoder of an operation: constants that bundlers drop if they are not used. */
export function renderDecoder(
  operation: Operation,
  columns: DecodedColumns,
  { names, shared }: { readonly names: PortableNames; readonly shared: SharedColumns },
): string {
  const { name } = operation;
  const constant = columnsOf(name, names);
  const type = `${names.clientType("Decoder")}<${names.imported(resultName(operation))}, typeof ${constant}>`;
  return `
const ${constant} = ${renderColumns(columns, shared)} as const;

/** Converts answers and rows of \`${name}\`: whole numbers to \`bigint\`, times to \`Date\`. */
export const ${names.value(`decode${name}`)}: ${type} = /* @__PURE__ */ ${names.clientFunction("createDecoder")}(${constant});
`;
}

/** Returns the name of the columns that the decoder of an operation converts. */
export function columnsOf(operation: string, { value }: PortableNames): string {
  return value(`${operation}Columns`);
}

/** The constants for columns that several decoders convert, by a key of the columns. Inner constants are first. */
export type SharedColumns = ReadonlyMap<string, { readonly name: string; readonly columns: DecodedColumns }>;

/** Finds equal columns of nested rows, as of one fragment, and names a constant for each. */
export function shareColumns(
  operations: readonly CompiledOperation[],
  { value }: Pick<PortableNames, "value">,
): SharedColumns {
  const entries = new Map<
    string,
    { readonly columns: DecodedColumns; readonly fields: Set<string>; readonly parents: Set<string> }
  >();
  const collect = (columns: DecodedColumns, parent: string) => {
    for (const [field, inner] of Object.entries(columns)) {
      if (typeof inner === "string") continue;
      const key = keyOf(inner);
      collect(inner, key);
      const entry = entries.get(key) ?? { columns: inner, fields: new Set(), parents: new Set() };
      entries.set(key, { ...entry, fields: entry.fields.add(field), parents: entry.parents.add(parent) });
    }
  };
  for (const { name, facts } of operations) collect(facts.columns, name);
  const used = new Set<string>();
  const shared = [...entries].flatMap(([key, { columns, fields, parents }]) => {
    if (parents.size === 1 || Object.keys(columns).length === 1) return [];
    // The shortest name is the singular: `stream`, not `streams`.
    const [field = ""] = [...fields].sort((a, b) => a.length - b.length || compareCodeUnits(a, b));
    let requested = `${field}Fields`;
    for (let number = 2; used.has(requested); number += 1) requested = `${field}Fields${number}`;
    used.add(requested);
    return [[key, { name: value(requested), columns }] as const];
  });
  return new Map(shared);
}

/** Renders the constants of shared columns. */
export function renderSharedColumns(shared: SharedColumns): string {
  return [...shared.values()]
    .map(({ name, columns }) => `const ${name} = ${renderColumns(columns, shared)} as const;\n`)
    .join("\n");
}

function renderColumns(columns: DecodedColumns, shared: SharedColumns): string {
  const members = Object.entries(columns).map(([field, column]) => {
    return `${propertyName(field)}: ${typeof column === "string" ? quote(column) : renderNested(column, shared)}`;
  });
  return members.length === 0 ? "{}" : `{ ${members.join(", ")} }`;
}

function renderNested(columns: DecodedColumns, shared: SharedColumns): string {
  const constant = shared.get(keyOf(columns))?.name;
  // With `isolatedDeclarations`, a constant in a literal needs a type.
  return constant === undefined ? renderColumns(columns, shared) : `${constant} as typeof ${constant}`;
}

/** Returns a text that is the same for equal columns, in any order. */
function keyOf(columns: DecodedColumns): string {
  const members = Object.entries(columns).map(([field, column]) => [
    field,
    typeof column === "string" ? column : keyOf(column),
  ]);
  return JSON.stringify(members.sort(([a = ""], [b = ""]) => compareCodeUnits(a, b)));
}
