import {
  type FieldNode,
  type GraphQLSchema,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isNonNullType,
  Kind,
  NoUnusedVariablesRule,
  type OperationDefinitionNode,
  parseType,
  type SelectionSetNode,
  type ValidationRule,
  validate,
} from "graphql";
import { OPERATION_RULES } from "../dialects/validate-documents.ts";
import { collectFields } from "../operations/collect-fields.ts";
import { countKnown } from "../operations/validate-operations.ts";
import { findUses, findWrongVariables } from "../operations/variable-types.ts";
import type { Filled } from "./fill-holes.ts";
import type { FoundOperation } from "./find-operations.ts";
import type { Definitions, Reason, SurfaceSchema } from "./port-types.ts";

export type SurfaceMatch = SurfaceSchema & {
  /** Empty if the surface accepts it. */
  readonly errors: readonly Reason[];
  /** How many of its fields and arguments the schema has. */
  readonly matching: number;
  /** The types that its variables need, by name. */
  readonly types: ReadonlyMap<string, string>;
};

/** The surfaces that accept an operation, and else the nearest one; null if no schema has any of its root fields. */
export type Classified = { readonly fits: readonly SurfaceMatch[]; readonly nearest: SurfaceMatch | null };

/** Finds the surfaces that an operation was written for. Wrong scalars of variables do not count: they are corrected. */
export function classifySurface(operation: FoundOperation, surfaces: readonly SurfaceSchema[]): Classified {
  const matches = surfaces
    .map((surface) => match(operation, surface))
    .filter((candidate) => candidate !== null);
  const fits = matches.filter(({ errors }) => errors.length === 0);
  const [nearest = null] = [...matches].sort(
    (a, b) =>
      a.errors.length - b.errors.length ||
      b.matching - a.matching ||
      surfaces.indexOf(a) - surfaces.indexOf(b),
  );
  return { fits, nearest };
}

function match(
  { node, fragments, filled }: FoundOperation,
  { surface, schema }: SurfaceSchema,
): SurfaceMatch | null {
  if (node.operation !== "query") return null;
  const type = schema.getQueryType();
  const fields = type?.getFields() ?? {};
  if (!rootFields({ node, fragments }).some(({ name }) => Object.hasOwn(fields, name.value))) return null;
  const wrong = findWrongVariables({ node, fragments }, schema);
  const types = new Map(wrong.map(({ name, replacement }) => [name, replacement]));
  const refusals = filled === null ? [] : typeHoles({ node, fragments, filled }, schema, types);
  const document = { kind: Kind.DOCUMENT, definitions: [withTypes(node, types), ...fragments] } as const;
  const errors = validate(schema, document, RULES, { maxErrors: MOST_ERRORS }).map(({ message }) =>
    withHint(message),
  );
  return {
    surface,
    schema,
    types,
    errors: [
      ...refusals.map((message) => ({ code: "port/interpolation", message })),
      ...[...new Set(errors)].map((message) => ({ code: "operation/invalid", message })),
    ],
    matching: errors.length + refusals.length === 0 ? 0 : countKnown(schema, document),
  };
}

/** Adds the types of the variables that were values. Returns why values cannot be variables. */
function typeHoles(
  { filled: { slots, names }, ...operation }: Definitions & { readonly filled: Filled },
  schema: GraphQLSchema,
  types: Map<string, string>,
): readonly string[] {
  const refusals: string[] = [];
  for (const [name, [use]] of findUses(operation, schema)) {
    const slot = slots[names.indexOf(name)];
    if (use === undefined || slot === undefined) continue;
    // There is always a value.
    types.set(name, isNonNullType(use.type) ? String(use.type) : `${use.type}!`);
    const named = getNamedType(use.type);
    const shown = `\`\${${slot.hole.shown}}\``;
    if (isInputObjectType(named)) refusals.push(`${shown} stands for a whole filter.`);
    else if (slot.isBare && !slot.hole.isQuoted && !isEnumType(named) && !UNQUOTED.has(named.name)) {
      refusals.push(`${shown} holds its own quotes: write them into the document.`);
    }
  }
  return refusals;
}

/** Scalars whose values are written without quotes. */
const UNQUOTED: ReadonlySet<string> = new Set([
  ...["Int", "Float", "Boolean", "BigInt", "BigDecimal", "Int8", "Timestamp"],
  ...["numeric", "bigint", "smallint", "float8", "timestamp", "timestamptz"],
]);

/** Adds what to write to the message of a validation error, if that is certain. */
function withHint(message: string): string {
  const [, field, type] =
    /^Field "(\w+)" must not have a selection since type "(\w+)!?" has no subfields/.exec(message) ?? [];
  if (field === undefined) return message;
  return `${message} Write \`${field}\`: it is the ${type === "Bytes" ? "address" : "value"} itself.`;
}

/** Enough to find the nearest surface. */
const MOST_ERRORS = 20;

/** Servers accept variables without a use; they are dropped. */
const RULES: readonly ValidationRule[] = OPERATION_RULES.filter((rule) => rule !== NoUnusedVariablesRule);

/** Returns an operation whose variables are declared with other types, by their names. */
export function withTypes(
  node: OperationDefinitionNode,
  types: ReadonlyMap<string, string>,
): OperationDefinitionNode {
  const variableDefinitions = (node.variableDefinitions ?? []).map((definition) => {
    const type = types.get(definition.variable.name.value);
    return type === undefined ? definition : { ...definition, type: parseType(type, { noLocation: true }) };
  });
  return { ...node, variableDefinitions };
}

/** Returns the root fields of an operation, with those of its fragments. */
export function rootFields({ node, fragments }: Definitions): FieldNode[] {
  return fieldsOf(node.selectionSet, fragments);
}

/** Returns the fields of a selection set, with those of its fragments. */
export function fieldsOf(node: SelectionSetNode, fragments: Definitions["fragments"]): FieldNode[] {
  const findFragment = (name: string) => fragments.find((fragment) => fragment.name.value === name);
  const fields = collectFields([{ node, conditions: [] }], { findFragment });
  return [...fields.values()].flatMap((places) => places.map((place) => place.node));
}
