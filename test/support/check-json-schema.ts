/** A JSON Schema, as far as it is checked here. */
type Schema = Readonly<Record<string, unknown>>;

/**
 * Checks a value against a JSON Schema of draft 2020-12, as far as ours go: a keyword it does not know is an
 * error, so that no schema seems to say more than is checked.
 *
 * @returns a line for every fault: `/findings/0/code is no string`.
 */
export function checkJsonSchema(value: unknown, schema: Schema, root: Schema = schema, path = ""): string[] {
  return Object.entries(schema).flatMap(([keyword, operand]) => {
    const check = KEYWORDS[keyword];
    if (check === undefined) throw new Error(`The keyword "${keyword}" is not known here.`);
    return check(value, operand, { schema, root, path });
  });
}

type Site = { readonly schema: Schema; readonly root: Schema; readonly path: string };
type Check = (value: unknown, operand: unknown, site: Site) => string[];

const nothing: Check = () => [];

const KEYWORDS: Readonly<Record<string, Check>> = {
  $schema: nothing,
  $defs: nothing,
  title: nothing,
  description: nothing,
  $ref: (value, operand, { root, path }) => {
    const name = /^#\/\$defs\/(\w+)$/.exec(String(operand))?.[1] ?? "";
    const target = (root["$defs"] as Record<string, Schema>)[name];
    if (target === undefined) throw new Error(`There is no "${operand}".`);
    return checkJsonSchema(value, target, root, path);
  },
  type: (value, operand, { path }) =>
    [operand].flat().some((name) => TYPES[String(name)]?.(value)) ? [] : [`${path} is no ${operand}`],
  const: (value, operand, { path }) => (value === operand ? [] : [`${path} is not ${operand}`]),
  enum: (value, operand, { path }) =>
    (operand as unknown[]).includes(value) ? [] : [`${path} is none of ${operand}`],
  anyOf: (value, operand, { root, path }) => {
    const faults = (operand as Schema[]).map((schema) => checkJsonSchema(value, schema, root, path));
    return faults.some((found) => found.length === 0) ? [] : faults.flat();
  },
  required: (value, operand, { path }) =>
    isObject(value)
      ? (operand as string[])
          .filter((key) => !Object.hasOwn(value, key))
          .map((key) => `${path} has no ${key}`)
      : [],
  properties: (value, operand, { root, path }) =>
    isObject(value)
      ? Object.entries(operand as Record<string, Schema>).flatMap(([key, schema]) =>
          Object.hasOwn(value, key) ? checkJsonSchema(value[key], schema, root, `${path}/${key}`) : [],
        )
      : [],
  additionalProperties: (value, operand, { schema, path }) => {
    if (operand !== false) throw new Error("additionalProperties can only be false here.");
    const known = Object.keys(schema["properties"] as object);
    return isObject(value)
      ? Object.keys(value)
          .filter((key) => !known.includes(key))
          .map((key) => `${path}/${key} is unknown`)
      : [];
  },
  items: (value, operand, { root, path }) =>
    Array.isArray(value)
      ? value.flatMap((item, index) => checkJsonSchema(item, operand as Schema, root, `${path}/${index}`))
      : [],
  uniqueItems: (value, _, { path }) =>
    Array.isArray(value) && new Set(value).size < value.length ? [`${path} holds something twice`] : [],
  minLength: (value, operand, { path }) =>
    typeof value === "string" && value.length < Number(operand) ? [`${path} is too short`] : [],
  minimum: (value, operand, { path }) =>
    typeof value === "number" && value < Number(operand) ? [`${path} is less than ${operand}`] : [],
  pattern: (value, operand, { path }) =>
    typeof value === "string" && !new RegExp(String(operand), "u").test(value)
      ? [`${path} does not match ${operand}`]
      : [],
};

const TYPES: Readonly<Record<string, (value: unknown) => boolean>> = {
  object: isObject,
  array: Array.isArray,
  string: (value) => typeof value === "string",
  number: (value) => typeof value === "number",
  integer: Number.isInteger,
  boolean: (value) => typeof value === "boolean",
  null: (value) => value === null,
};

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
