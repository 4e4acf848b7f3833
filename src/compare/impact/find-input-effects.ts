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

/** What the inputs of an operation are looked at with. */
export type InputContext = {
  readonly before: IndexedSchema;
  readonly after: IndexedSchema;
  readonly variables: readonly VariableDefinitionNode[];
  readonly path: string;
};

/** The arguments of a field or directive in both schemas. */
type ComparedArguments = {
  /** The coordinate of the field or directive. */
  readonly owner: string;
  readonly before: readonly ApiInputValue[];
  readonly after: readonly ApiInputValue[];
};

/** Finds changed defaults, refused nulls and deprecated values in the arguments of a field or directive. */
export function findInputEffects(
  node: { readonly arguments?: readonly ArgumentNode[] | undefined } & ASTNode,
  { owner, before, after }: ComparedArguments,
  context: InputContext,
): Effect[] {
  if (before.length === 0 && after.length === 0) return [];
  const sent = new Map((node.arguments ?? []).map(({ name, value }) => [name.value, value]));
  // An argument that is new changes nothing for who cannot send it yet, its default is the author's worry.
  return before.flatMap((was) => {
    const is = findNamed(after, was.name) ?? null;
    const place = { holder: node, coordinate: `${owner}(${was.name}:)`, was, is };
    return compareInput(sent.get(was.name), place, context);
  });
}

/** Finds the same for the directives an operation uses. Validation reports those that are gone. */
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

/** A place for a value in both schemas; at least one of them has it. */
type InputPlace = {
  /** The node to report if no value is sent. */
  readonly holder: ASTNode;
  readonly coordinate: string;
  readonly was: ApiInputValue | null;
  readonly is: ApiInputValue | null;
};

/** Compares one place for a value. */
function compareInput(value: ValueNode | undefined, place: InputPlace, context: InputContext): Effect[] {
  const { coordinate, was, is } = place;
  if (value === undefined) return compareDefaults(place, null, context.path);
  // Validation reports what is sent and has no place any more.
  if (!was || !is) return [];
  if (value.kind !== Kind.VARIABLE)
    return compareValue(value, { coordinate, was: was.type, is: is.type }, context);
  const name = value.name.value;
  const variable = context.variables.find((definition) => definition.variable.name.value === name);
  if (variable === undefined || variable.type.kind === Kind.NON_NULL_TYPE) return [];
  const effects: Effect[] = [];
  // A variable without a value leaves the place empty.
  if (variable.defaultValue === undefined) {
    effects.push(...compareDefaults({ ...place, holder: value }, name, context.path));
  }
  // With a default on one of the two sides the document is valid, and null is still refused.
  const isValid = is.defaultValue !== null || variable.defaultValue !== undefined;
  if (isValid && !isRequired(was.type) && isRequired(is.type)) {
    effects.push(
      effectAt(value, {
        impact: "at-risk",
        coordinates: [coordinate],
        path: `$${name}`,
        message: `${coordinate} was ${was.type} and is ${is.type}: null is refused.`,
        fix: `see that callers never send null for $${name}, or declare it as ${is.type}.`,
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

/** Compares a written value with the types of its place in both schemas. */
function compareValue(
  value: ValueNode,
  { coordinate, was, is }: { readonly coordinate: string; readonly was: string; readonly is: string },
  context: InputContext,
): Effect[] {
  const scalar = baseTypeName(is);
  if (scalar !== baseTypeName(was) && value.kind !== Kind.NULL && takesAnything(scalar, context.after)) {
    return [
      effectAt(value, {
        impact: "at-risk",
        coordinates: [coordinate],
        path: context.path,
        message: `${coordinate} was ${was} and is ${is}: what is written here may be refused, or mean something else.`,
        fix: `see that what is written here is a ${scalar}.`,
      }),
    ];
  }
  if (value.kind === Kind.LIST) {
    return value.values.flatMap((item) => {
      const [from, to] = [itemOf(was), itemOf(is)];
      const asInput = (type: string) => ({ name: "", description: null, type, defaultValue: null });
      return item.kind === Kind.VARIABLE
        ? compareInput(
            item,
            { holder: value, coordinate: baseTypeName(is), was: asInput(from), is: asInput(to) },
            context,
          )
        : compareValue(item, { coordinate, was: from, is: to }, context);
    });
  }
  const [typeBefore, typeAfter] = [
    context.before.types.get(baseTypeName(was)),
    context.after.types.get(baseTypeName(is)),
  ];
  if (value.kind === Kind.ENUM && typeBefore?.kind === "ENUM" && typeAfter?.kind === "ENUM") {
    const [old, now] = [typeBefore, typeAfter].map(({ values }) =>
      values.find(({ name }) => name === value.value),
    );
    const reason = now?.deprecationReason ?? null;
    if (reason === null || old?.deprecationReason !== null) return [];
    return [
      effectAt(value, {
        impact: "deprecated",
        coordinates: [`${typeAfter.name}.${value.value}`],
        path: context.path,
        message: `${typeAfter.name}.${value.value} is deprecated: ${reason}`,
        fix: `send what is named instead of ${value.value} before it goes.`,
      }),
    ];
  }
  // Members of two types are not the same members; validation reports whether they are accepted.
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
  // A new default of a member, unlike that of an argument, is applied to objects that are sent already.
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

/** Whether a type is a scalar of a server's own: validation knows of no value that it would refuse. */
function takesAnything(name: string, schema: IndexedSchema): boolean {
  return !STANDARD_SCALARS.has(name) && schema.types.get(name)?.kind === "SCALAR";
}

/** The type of an item; a single value stands for a list of it. */
function itemOf(type: string): string {
  return isList(type) ? itemType(type) : type;
}
