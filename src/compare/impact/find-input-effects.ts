import {
  type ArgumentNode,
  type ASTNode,
  type DocumentNode,
  Kind,
  type ObjectValueNode,
  type OperationDefinitionNode,
  type ValueNode,
  type VariableDefinitionNode,
  visit,
} from "graphql";
import { findNamed } from "../../base/collections.ts";
import {
  type ApiInputObject,
  type ApiInputValue,
  baseTypeName,
  isList,
  isRequired,
  itemType,
  STANDARD_SCALARS,
} from "../../dialects/api-schema.ts";
import type { IndexedSchema } from "../indexed-schema.ts";
import { describeDefault, type Effect, effectAt, MOST_EFFECTS } from "./effect.ts";

/** The schemas and variables with which inputs are compared. */
export type InputContext = {
  readonly before: IndexedSchema;
  readonly after: IndexedSchema;
  readonly variables: readonly VariableDefinitionNode[];
  readonly path: string;
};

type ComparedArguments = {
  /** The coordinate of the field or directive. */
  readonly owner: string;
  readonly before: readonly ApiInputValue[];
  readonly after: readonly ApiInputValue[];
};

/** Finds changed defaults, nulls that are not allowed any more, and deprecated values in the arguments of a node. */
export function findInputEffects(
  node: { readonly arguments?: readonly ArgumentNode[] | undefined } & ASTNode,
  { owner, before, after }: ComparedArguments,
  context: InputContext,
): Effect[] {
  if (before.length === 0 && after.length === 0) return [];
  const sent = new Map((node.arguments ?? []).map(({ name, value }) => [name.value, value]));
  // A new argument changes nothing for existing operations.
  return before.flatMap((was) => {
    const is = findNamed(after, was.name) ?? null;
    const place = { holder: node, coordinate: `${owner}(${was.name}:)`, was, is };
    return compareInput(sent.get(was.name), place, context);
  });
}

/** Finds the same in the directives of an operation. Validation reports removed directives. */
export function findDirectiveEffects(
  document: DocumentNode,
  operation: OperationDefinitionNode,
  { before, after }: Pick<InputContext, "before" | "after">,
): Effect[] {
  const variables = operation.variableDefinitions ?? [];
  const effects: Effect[] = [];
  visit(document, {
    Directive(node) {
      const [was, is] = [before.directive(node.name.value), after.directive(node.name.value)];
      if (!was || !is) return;
      const path = `@${node.name.value}`;
      effects.push(
        ...findInputEffects(
          node,
          { owner: path, before: was.args, after: is.args },
          { before, after, variables, path },
        ),
      );
    },
  });
  return effects;
}

/** An argument, member or list item in both schemas. It exists in at least one. */
type InputPlace = {
  /** The node to report if no value is sent. */
  readonly holder: ASTNode;
  readonly coordinate: string;
  readonly was: ApiInputValue | null;
  readonly is: ApiInputValue | null;
};

function compareInput(value: ValueNode | undefined, place: InputPlace, context: InputContext): Effect[] {
  const { coordinate, was, is } = place;
  if (value === undefined) return compareDefaults(place, null, context.path);
  // Validation reports a value for a removed place.
  if (!was || !is) return [];
  if (value.kind !== Kind.VARIABLE)
    return compareValue(value, { coordinate, was: was.type, is: is.type }, context);
  const name = value.name.value;
  const variable = context.variables.find((definition) => definition.variable.name.value === name);
  if (variable === undefined || variable.type.kind === Kind.NON_NULL_TYPE) return [];
  const effects: Effect[] = [];
  // Without a value for the variable, the default of the place applies.
  if (variable.defaultValue === undefined) {
    effects.push(...compareDefaults({ ...place, holder: value }, name, context.path));
  }
  // With a default here or for the variable, the document is valid, but an explicit null is an error.
  const isValid = is.defaultValue !== null || variable.defaultValue !== undefined;
  if (isValid && !isRequired(was.type) && isRequired(is.type)) {
    effects.push(
      effectAt(value, {
        impact: "at-risk",
        coordinates: [coordinate],
        path: `$${name}`,
        message: `${coordinate} was ${was.type} and is ${is.type}: null is an error now.`,
        fix: `make sure that callers never send null for $${name}, or declare it as ${is.type}.`,
      }),
    );
  }
  return effects;
}

function compareDefaults(
  { holder, coordinate, was, is }: InputPlace,
  variable: string | null,
  path: string,
): Effect[] {
  const [from, to] = [was?.defaultValue ?? null, is?.defaultValue ?? null];
  if (from === to) return [];
  const described = describeDefault(coordinate, { from, to }, variable);
  return [effectAt(holder, { impact: "changes-meaning", coordinates: [coordinate], path, ...described })];
}

/** Compares a literal value with the types of its place in both schemas. */
function compareValue(
  value: ValueNode,
  { coordinate, was, is }: { readonly coordinate: string; readonly was: string; readonly is: string },
  context: InputContext,
): Effect[] {
  const name = baseTypeName(is);
  if (name !== baseTypeName(was) && value.kind !== Kind.NULL && isCustomScalar(name, context.after)) {
    return [
      effectAt(value, {
        impact: "at-risk",
        coordinates: [coordinate],
        path: context.path,
        message: `${coordinate} was ${was} and is ${is}: the value here may be an error, or mean something else.`,
        fix: `check that the value here is a valid ${name}.`,
      }),
    ];
  }
  if (value.kind === Kind.LIST) {
    const [from, to] = [itemOf(was), itemOf(is)];
    const asInput = (type: string) => ({ name: "", description: null, type, defaultValue: null });
    const place = { holder: value, coordinate: name, was: asInput(from), is: asInput(to) };
    return value.values.flatMap((item) =>
      item.kind === Kind.VARIABLE
        ? compareInput(item, place, context)
        : compareValue(item, { coordinate, was: from, is: to }, context),
    );
  }
  const typeBefore = context.before.types.get(baseTypeName(was));
  const typeAfter = context.after.types.get(name);
  if (value.kind === Kind.ENUM && typeBefore?.kind === "ENUM" && typeAfter?.kind === "ENUM") {
    const [old, now] = [typeBefore, typeAfter].map(({ values }) => findNamed(values, value.value));
    const reason = now?.deprecationReason ?? null;
    if (reason === null || old?.deprecationReason !== null) return [];
    return [
      effectAt(value, {
        impact: "deprecated",
        coordinates: [`${typeAfter.name}.${value.value}`],
        path: context.path,
        message: `${typeAfter.name}.${value.value} is deprecated: ${reason}`,
        fix: `send the replacement of ${value.value} before it is removed.`,
      }),
    ];
  }
  // Members of two different types cannot be compared. Validation reports unknown ones.
  if (value.kind !== Kind.OBJECT || typeBefore?.name !== typeAfter?.name) return [];
  if (typeBefore?.kind !== "INPUT_OBJECT" || typeAfter?.kind !== "INPUT_OBJECT") return [];
  return compareMembers(value, { was: typeBefore, is: typeAfter }, context);
}

function compareMembers(
  holder: ObjectValueNode,
  types: { readonly was: ApiInputObject; readonly is: ApiInputObject },
  context: InputContext,
): Effect[] {
  const sent = new Map(holder.fields.map(({ name, value }) => [name.value, value]));
  const old = new Map(types.was.fields.map((member) => [member.name, member]));
  const now = new Map(types.is.fields.map((member) => [member.name, member]));
  // Unlike a new argument, a new member with a default changes objects that are already sent.
  const effects: Effect[] = [];
  for (const name of new Set([...old.keys(), ...now.keys()])) {
    if (effects.length >= MOST_EFFECTS && !sent.has(name)) continue;
    const [was, is] = [old.get(name) ?? null, now.get(name) ?? null];
    effects.push(
      ...compareInput(sent.get(name), { holder, coordinate: `${types.is.name}.${name}`, was, is }, context),
    );
  }
  return effects;
}

/** Returns whether a type is a custom scalar. Validation accepts any value for those. */
function isCustomScalar(name: string, schema: IndexedSchema): boolean {
  return !STANDARD_SCALARS.has(name) && schema.types.get(name)?.kind === "SCALAR";
}

/** Returns the type of a list's items. GraphQL accepts a single value as a list of one. */
function itemOf(type: string): string {
  return isList(type) ? itemType(type) : type;
}
