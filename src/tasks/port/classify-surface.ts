import {
  type FragmentDefinitionNode,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
  TypeInfo,
  type ValidationRule,
  validate,
  visit,
  visitWithTypeInfo,
} from "graphql";
import type { Surface } from "../../dialects/surface.ts";
import { OPERATION_RULES } from "../../dialects/validate-documents.ts";
import { findWrongVariables } from "../../operations/variable-types.ts";
import type { FoundOperation } from "./find-operations.ts";
import type { Reason } from "./port-types.ts";

/** A surface that an operation may be for, with the schema of its snapshot. */
export type SurfaceSchema = { readonly surface: Surface; readonly schema: GraphQLSchema };

/** What a surface makes of an operation. */
export type SurfaceMatch = SurfaceSchema & {
  /** Empty if the surface accepts it. */
  readonly errors: readonly Reason[];
  /** How many of its fields and arguments the schema has. */
  readonly known: number;
  /** The types that its variables have to be declared with, by name. */
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
  if (!rootNames(node.selectionSet, fragments).some((name) => Object.hasOwn(fields, name))) return null;
  const wrong = findWrongVariables({ node, fragments }, schema);
  const types = new Map(wrong.map(({ name, replacement }) => [name, replacement]));
  const corrected: OperationDefinitionNode = {
    ...node,
    variableDefinitions: (node.variableDefinitions ?? []).map((definition) => {
      const known = wrong.find((one) => one.definition === definition);
      return known === undefined ? definition : withType(definition, known.replacement);
    }),
  };
  const document = { kind: Kind.DOCUMENT, definitions: [corrected, ...fragments] } as const;
  const errors = validate(schema, document, RULES, { maxErrors: MOST_ERRORS }).map(({ message }) => message);
  return {
    ...{ surface, schema, types },
    errors: [...new Set(errors)].map((message) => ({ code: "operation/invalid", message })),
    known: errors.length === 0 ? 0 : countKnown(schema, document),
  };
}

/** Enough to see which surface is near. */
const MOST_ERRORS = 20;

/** Servers accept variables without a use; they are dropped. */
const RULES: readonly ValidationRule[] = OPERATION_RULES.filter(
  ({ name }) => name !== "NoUnusedVariablesRule",
);

/** Returns a variable with another declared type. */
export function withType<T extends NonNullable<OperationDefinitionNode["variableDefinitions"]>[number]>(
  definition: T,
  written: string,
): T {
  const name = written.replaceAll(/[[\]!]/g, "");
  let type: T["type"] = { kind: Kind.NAMED_TYPE, name: { kind: Kind.NAME, value: name } };
  for (const sign of written.slice(written.indexOf(name) + name.length)) {
    if (sign === "]") type = { kind: Kind.LIST_TYPE, type };
    else if (type.kind !== Kind.NON_NULL_TYPE) type = { kind: Kind.NON_NULL_TYPE, type };
  }
  return { ...definition, type };
}

/** Returns the names of the root fields of an operation. */
export function rootNames(
  { selections }: SelectionSetNode,
  fragments: readonly FragmentDefinitionNode[],
  within: readonly string[] = [],
): string[] {
  return selections.flatMap((selection) => {
    if (selection.kind === Kind.FIELD) return [selection.name.value];
    if (selection.kind === Kind.INLINE_FRAGMENT) return rootNames(selection.selectionSet, fragments, within);
    const name = selection.name.value;
    const fragment = within.includes(name) ? undefined : fragments.find((one) => one.name.value === name);
    return fragment === undefined ? [] : rootNames(fragment.selectionSet, fragments, [...within, name]);
  });
}

function countKnown(schema: GraphQLSchema, document: Parameters<typeof validate>[1]): number {
  const info = new TypeInfo(schema);
  let count = 0;
  visit(
    document,
    visitWithTypeInfo(info, {
      Field: () => {
        if (info.getFieldDef()) count++;
      },
      Argument: () => {
        if (info.getArgument()) count++;
      },
    }),
  );
  return count;
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
