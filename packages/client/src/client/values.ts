/** Returns the values at a path of response keys, through lists; none below null. */
export function valuesAt(node: unknown, path: string): unknown[] {
  let nodes = [node];
  // `flatMap` takes six times as long.
  for (const key of path.split(".")) {
    const below: unknown[] = [];
    for (const parent of nodes) {
      const value = isObject(parent) && key in parent ? parent[key] : [];
      // Not `push(...value)`: a list may have more items than a function can have arguments.
      for (const item of Array.isArray(value) ? value : [value]) below.push(item);
    }
    nodes = below;
  }
  return nodes;
}

/** Returns the value of each row at a path of response keys without lists; null below null. */
export function columnOf(rows: readonly unknown[], path: string): unknown[] {
  const keys = path.split(".");
  const read = (value: unknown, key: string): unknown => (value === null ? null : Object(value)[key]);
  return rows.map((row) => keys.reduce(read, row));
}

/** Replaces the values at a path of response keys, through lists; items of lists one by one. */
export function replaceAt(
  data: object,
  path: string,
  read: (value: unknown, isItem: boolean) => unknown,
): void {
  const [, rows = "", key = ""] = /(.*)\.(.*)/.exec(path) ?? [];
  const convert = (value: unknown, isItem: boolean): unknown =>
    Array.isArray(value) ? value.map((item) => convert(item, true)) : read(value, isItem);
  for (const row of valuesAt(data, rows))
    if (isObject(row) && key in row) row[key] = convert(row[key], false);
}

/** Returns the member of an object, but not an inherited one. */
export function own<Row>(rows: Readonly<Record<string, Row>>, key: unknown): Row | undefined {
  return typeof key === "string" && Object.hasOwn(rows, key) ? rows[key] : undefined;
}

/** Whether a value is an object and not a list. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Returns how many rows a list has at most. */
export function sizeOf(
  { first, size = Infinity }: { readonly first: string | null; readonly size?: number },
  variables: unknown,
): number {
  return first === null ? size : numberIn(variables, first, size);
}

/** Returns the value of a variable, or its default. */
export function numberIn(variables: unknown, name: string, usual: number): number {
  return Number((variables as Readonly<Record<string, unknown>> | null | undefined)?.[name] ?? usual);
}

/** Returns the block that an answer of a chain must have reached; 0 without one. */
export function leastBlock(
  minBlock: number | Readonly<Record<string, number>> | undefined,
  chain: string,
): number {
  return (typeof minBlock === "object" ? own(minBlock, chain) : minBlock) ?? 0;
}
