import {
  type GraphQLInputType,
  getNamedType,
  isInputObjectType,
  isInputType,
  isListType,
  isNonNullType,
  typeFromAST,
} from "graphql";
import { findNamed } from "../base/collections.ts";
import { UsageError } from "../base/errors.ts";
import { isObject } from "../base/parse-json.ts";
import { displayText, nearestName } from "../base/text.ts";
import { isTooDeep } from "../dialects/parse-sdl.ts";
import { coerceValue, ExactNumber, parseExactJson, type Target } from "./coerce-value.ts";
import type { FoundOperation } from "./find-in-surface.ts";
import type { Place } from "./time-places.ts";

export type GivenVariables = {
  /** Each `name=value`, read by the type of the variable. */
  readonly texts: readonly string[];
  /** Further values, as `parseExactJson` returns them; `texts` override them. */
  readonly values: Readonly<Record<string, unknown>>;
};

export type VariablesContext = Pick<FoundOperation, "node" | "schema" | "scalars"> &
  Pick<Target, "keepsCase" | "now"> & {
    /** Variables that get their values elsewhere. */
    readonly others: readonly string[];
    readonly placeOf: (variable: string) => Place;
  };

/**
 * Resolves the variables of an operation by the types that it declares.
 *
 * @throws UsageError for an undeclared name, a value that is not of its type, and a missing value.
 */
export function resolveVariables(
  { texts, values: parsed }: GivenVariables,
  { node, schema, scalars, others, keepsCase, placeOf, now }: VariablesContext,
): Record<string, unknown> {
  const declared = (node.variableDefinitions ?? []).flatMap(({ variable, type, defaultValue }) => {
    const inputType = typeFromAST(schema, type);
    if (!isInputType(inputType)) return [];
    return [{ name: variable.name.value, type: inputType, hasDefault: defaultValue !== undefined }];
  });
  const requireDeclared = (name: string) =>
    findNamed(declared, name) ?? refuseName(name, declared, node.name?.value ?? "the operation");
  const targetOf = (name: string): Target => {
    const { type } = requireDeclared(name);
    return { type, scalars, path: `$${name}`, place: placeOf(name), keepsCase, now };
  };
  const values = new Map<string, unknown>();
  for (const [name, value] of Object.entries(parsed)) values.set(name, coerceValue(value, targetOf(name)));
  const seen = new Set<string>();
  for (const text of texts) {
    const [, name = "", value = ""] = GIVEN.exec(text) ?? refuseText(text);
    if (seen.has(name)) throw new UsageError({ sentence: `--var gives $${name} twice.` });
    seen.add(name);
    const target = targetOf(name);
    values.set(name, coerceValue(readText(value, target), target));
  }
  const missing = declared.filter(
    ({ name, type, hasDefault }) =>
      isNonNullType(type) && !hasDefault && !values.has(name) && !others.includes(name),
  );
  if (missing.length > 0) {
    const names = missing.map(({ name, type }) => `$${name}: ${type}`).join(", ");
    throw new UsageError({
      sentence: `${node.name?.value} needs a value for ${names}.`,
      hint: `add --var ${missing[0]?.name}=…`,
    });
  }
  // A null value counts as left out.
  return Object.fromEntries([...values].filter(([, value]) => value !== null));
}

/**
 * Chooses the values for the variables that each of several operations declares.
 *
 * @throws UsageError for a name that no operation declares.
 */
export function divideVariables(
  { texts, values }: GivenVariables,
  operations: readonly Pick<VariablesContext, "node">[],
): readonly GivenVariables[] {
  const declared = operations.map(
    ({ node }) => new Set((node.variableDefinitions ?? []).map(({ variable }) => variable.name.value)),
  );
  const all = [...new Set(declared.flatMap((names) => [...names]))];
  const nameOf = (text: string) => GIVEN.exec(text)?.[1] ?? null;
  const names = [...Object.keys(values), ...texts.flatMap((text) => nameOf(text) ?? [])];
  const unknown = names.find((name) => !all.includes(name));
  if (unknown !== undefined) {
    const nearest = nearestName(unknown, all);
    throw new UsageError({
      sentence: `No operation has a variable $${displayText(unknown, [])}.`,
      hint: nearest ? `did you mean $${nearest}?` : `they have ${all.map((name) => `$${name}`).join(", ")}.`,
    });
  }
  return declared.map((names) => ({
    // A text without a name is refused where it is read.
    texts: texts.filter((text) => names.has(nameOf(text) ?? "") || nameOf(text) === null),
    values: Object.fromEntries(Object.entries(values).filter(([name]) => names.has(name))),
  }));
}

const GIVEN = /^\$?(\w+)=(.*)$/s;

/** Reads a text of the command line by its type: objects as JSON, lists as JSON or with commas. */
function readText(text: string, target: Target): unknown {
  const { type, scalars } = target;
  if (isNonNullType(type)) return readText(text, { ...target, type: type.ofType });
  const named = getNamedType(type);
  const family = scalars.get(named.name)?.family;
  if (isInputObjectType(named) || family === "json" || (isListType(type) && text.startsWith("["))) {
    return parseValue(text, target);
  }
  if (isListType(type)) {
    const items = text === "" ? [] : text.split(",");
    return items.map((item) => readText(item.trim(), { ...target, type: type.ofType }));
  }
  if (family === "boolean" && /^(true|false)$/.test(text)) return text === "true";
  const isNumber = family === "integer" || family === "float";
  if (isNumber && /^[+-]?\d+(\.\d+)?([eE][+-]?\d+)?$/.test(text)) return new ExactNumber(text);
  return text;
}

function parseValue(text: string, { type, path }: Target): unknown {
  const value = isTooDeep(text) ? undefined : parseExactJson(text);
  if (value !== undefined) return value;
  throw new UsageError({
    sentence: `${path} of type ${type} must be JSON; got ${displayText(text, [])}`,
    hint: 'quote it for the shell, as in --var \'where={"id": "1"}\'.',
  });
}

/**
 * Parses a file of variables, a JSON object.
 *
 * @throws UsageError for anything else.
 */
export function parseVariables(json: string): Readonly<Record<string, unknown>> {
  const value = isTooDeep(json) ? undefined : parseExactJson(json.replace(/^\uFEFF/, ""));
  if (isObject(value) && !(value instanceof ExactNumber)) return value;
  throw new UsageError({
    sentence: "The file of --variables must be a JSON object.",
    hint: 'write one with a member for each variable: { "first": 20 }.',
  });
}

function refuseText(text: string): never {
  throw new UsageError({
    sentence: `--var must be name=value; got "${displayText(text, [])}".`,
    hint: "write, for example, --var first=20.",
  });
}

function refuseName(
  name: string,
  declared: readonly { readonly name: string; readonly type: GraphQLInputType }[],
  operation: string,
): never {
  const names = declared.map(({ name }) => name);
  const nearest = nearestName(name, names);
  const declarations = declared.map(({ name, type }) => `$${name}: ${type}`).join(", ");
  throw new UsageError({
    sentence: `${operation} has no variable $${displayText(name, [])}.`,
    hint: nearest
      ? `did you mean $${nearest}?`
      : declarations === ""
        ? "it has no variables."
        : `it has ${declarations}.`,
  });
}
