import type { AuthoredOperator } from "../dialects/portable-style.ts";
import type { OperationPlaces, RootPlace, VariablePlace } from "./find-places.ts";

export type SampleRow = Readonly<Record<string, unknown>>;

/** The rows of each root field, in the order of the root fields. */
export type SampleRows = ReadonlyMap<RootPlace, readonly SampleRow[]>;

export type SampledVariable = {
  readonly name: string;
  /** As declared: `[Bytes!]!`. */
  readonly type: string;
  /** Whether it has a default, or may be left out. */
  readonly isOptional: boolean;
  /** The values of its enum. */
  readonly members: readonly string[];
};

/**
 * Chooses values for the variables of an operation from existing rows. A set uses one row, so that conditions on several
 * columns match together. Returns the name of a required variable if no row has a value for it.
 *
 * @param index counts the sets; each has other values.
 */
export function sampleValues(
  variables: readonly SampledVariable[],
  { places }: Pick<OperationPlaces, "places">,
  { rows, index }: { readonly rows: SampleRows; readonly index: number },
): Readonly<Record<string, unknown>> | string {
  const values: Record<string, unknown> = {};
  for (const [position, variable] of variables.entries()) {
    const place = places.get(variable.name) ?? { kind: "other" };
    const isLeftOut = variable.isOptional && (index + position) % 3 === 2;
    if (isLeftOut) continue;
    const value = valueFor(variable, place, { rows, index });
    if (value !== undefined) values[variable.name] = value;
    else if (!variable.isOptional) return variable.name;
  }
  return values;
}

type Sample = { readonly rows: SampleRows; readonly index: number };

function valueFor(variable: SampledVariable, place: VariablePlace, sample: Sample): unknown {
  const { index } = sample;
  switch (place.kind) {
    case "first":
      return [5, 2, 20, 1, 100, 10][index % 6];
    case "skip":
      return [0, 1, 0, 3][index % 4];
    case "direction":
      return index % 2 === 0 ? "desc" : "asc";
    case "condition":
      return index % 3 !== 1;
    case "order":
      return ofOrder(variable, place.root, sample);
    case "filter":
      return ofFilter(variable, place.root, sample);
    case "column":
      return ofColumn(variable, place, sample);
    default:
      return undefined;
  }
}

function ofOrder({ members }: SampledVariable, { paths }: RootPlace, { index }: Sample): string | undefined {
  const selected = members.filter((member) => paths.has(member));
  return selected[index % selected.length];
}

/** A whole filter: a comparison with one column of a row. */
function ofFilter({ type }: SampledVariable, root: RootPlace, { rows, index }: Sample): unknown {
  const row = rowAt(rows.get(root) ?? [], index);
  const columns = [...root.paths].filter((path) => {
    const value = row?.[path];
    return path !== "id" && (typeof value === "string" || typeof value === "boolean");
  });
  const column = columns[index % columns.length];
  if (row === undefined || column === undefined) return undefined;
  const filter = index % 5 === 4 ? { [`${column}_in`]: [row[column]] } : { [column]: row[column] };
  return type.startsWith("[") ? [filter] : filter;
}

function ofColumn(
  variable: SampledVariable,
  { root, path, operator, isListColumn }: Extract<VariablePlace, { kind: "column" }>,
  { rows, index }: Sample,
): unknown {
  const all = rows.get(root) ?? [];
  const values = all.flatMap((_, step) => {
    const value = read(rowAt(all, index + step), path);
    return value === null || value === undefined ? [] : [value];
  });
  const [first] = values;
  if (first === undefined) return undefined;
  const other = values.find((value) => JSON.stringify(value) !== JSON.stringify(first)) ?? first;
  if (isListColumn) return first;
  const value = compared(first, operator, index);
  if (!variable.type.startsWith("[")) return value;
  return operator.name === "in" && index % 2 === 1 ? [value, other] : [value];
}

/** A value of a comparison with which it matches rows: the value of a row, or a part of it. */
function compared(value: unknown, { name, ignoresCase }: AuthoredOperator, index: number): unknown {
  const text = String(value);
  const part =
    name === "contains" || name === "starts-with"
      ? text.slice(0, 6)
      : name === "ends-with"
        ? text.slice(-3)
        : value;
  return ignoresCase && index % 2 === 1 ? String(part).toUpperCase() : part;
}

function rowAt(rows: readonly SampleRow[], index: number): SampleRow | undefined {
  return rows[index % rows.length];
}

/** Reads a path of a row; of a list, its first row. */
function read(row: unknown, [key, ...rest]: readonly string[]): unknown {
  const item: unknown = Array.isArray(row) ? row[0] : row;
  if (key === undefined) return rest.length === 0 ? row : item;
  if (typeof item !== "object" || item === null) return undefined;
  return read((item as SampleRow)[key], rest);
}
