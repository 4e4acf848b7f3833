import {
  type FieldNode,
  type GraphQLSchema,
  Kind,
  NoUnusedVariablesRule,
  type OperationDefinitionNode,
  parseType,
  type SelectionSetNode,
  type ValidationRule,
  validate,
} from "graphql";
import type { Surface } from "../../dialects/surface.ts";
import { OPERATION_RULES } from "../../dialects/validate-documents.ts";
import { countKnown } from "../../operations/validate-operations.ts";
import { findWrongVariables } from "../../operations/variable-types.ts";
import type { FoundOperation } from "./find-operations.ts";
import type { Definitions, Reason } from "./port-types.ts";

/** A surface that an operation may be for, with the schema of its snapshot. */
export type SurfaceSchema = { readonly surface: Surface; readonly schema: GraphQLSchema };

/** How well an operation fits a surface. */
export type SurfaceMatch = SurfaceSchema & {
  /** Empty if the surface accepts it. */
  readonly errors: readonly Reason[];
  /** How many of its fields and arguments the schema has. */
  readonly known: number;
  /** The types that its variables need, by name. */
  readonly types: ReadonlyMap<string, string>;
};

/** The surfaces that accept an operation, and else the nearest one; null if no schema has any of its root fields. */
export type Classified = { readonly fits: readonly SurfaceMatch[]; readonly nearest: SurfaceMatch | null };

/** Finds the surfaces that an operation was written for. Wrong scalars of variables do not count: they are corrected. */
export function classifySurface(operation: FoundOperation, surfaces: readonly SurfaceSchema[]): Classified {
  const matches = surfaces.map((surface) => match(operation, surface)).filter((one) => one !== null);
  const fits = matches.filter(({ errors }) => errors.length === 0);
  const [nearest = null] = [...matches].sort(
    (a, b) =>
      a.errors.length - b.errors.length || b.known - a.known || surfaces.indexOf(a) - surfaces.indexOf(b),
  );
  return { fits, nearest };
}

function match({ node, fragments }: FoundOperation, { surface, schema }: SurfaceSchema): SurfaceMatch | null {
  const type = schema.getRootType(node.operation);
  const fields = type?.getFields() ?? {};
  if (!rootFields({ node, fragments }).some(({ name }) => Object.hasOwn(fields, name.value))) return null;
  const wrong = findWrongVariables({ node, fragments }, schema);
  const types = new Map(wrong.map(({ name, replacement }) => [name, replacement]));
  const document = { kind: Kind.DOCUMENT, definitions: [withTypes(node, types), ...fragments] } as const;
  const errors = validate(schema, document, RULES, { maxErrors: MOST_ERRORS }).map(({ message }) => message);
  return {
    ...{ surface, schema, types },
    errors: [...new Set(errors)].map((message) => ({ code: "operation/invalid", message })),
    known: errors.length === 0 ? 0 : countKnown(schema, document),
  };
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
    const written = types.get(definition.variable.name.value);
    return written === undefined
      ? definition
      : { ...definition, type: parseType(written, { noLocation: true }) };
  });
  return { ...node, variableDefinitions };
}

/** Returns the root fields of an operation, with those of its fragments. */
export function rootFields({ node, fragments }: Definitions): FieldNode[] {
  const seen = new Set<string>();
  return read(node.selectionSet);

  function read({ selections }: SelectionSetNode): FieldNode[] {
    return selections.flatMap((selection) => {
      if (selection.kind === Kind.FIELD) return [selection];
      if (selection.kind === Kind.INLINE_FRAGMENT) return read(selection.selectionSet);
      const name = selection.name.value;
      const fragment = seen.has(name) ? undefined : fragments.find((one) => one.name.value === name);
      seen.add(name);
      return fragment === undefined ? [] : read(fragment.selectionSet);
    });
  }
}

/**
 * Chooses between surfaces by the words of an operation's path and names, such as `lockup`; null if they do not decide.
 */
export function chooseByWords(
  { file, name, document }: Pick<FoundOperation, "file" | "name" | "document">,
  fits: readonly SurfaceMatch[],
): SurfaceMatch | null {
  const words = `${file} ${name} ${document.name}`.replaceAll(/([a-z\d])([A-Z])/g, "$1 $2").toLowerCase();
  const parts = new Set(words.split(/[^a-z\d]+/));
  const named = fits.filter(({ surface }) => parts.has(surface.protocol.toLowerCase()));
  const chosen = named.length === 0 ? fits : named;
  const [only] = chosen;
  return chosen.length === 1 && only !== undefined ? only : null;
}
