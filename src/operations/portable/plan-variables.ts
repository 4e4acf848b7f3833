import {
  type ConstValueNode,
  Kind,
  type OperationDefinitionNode,
  parseType,
  type TypeNode,
  type ValueNode,
  type VariableDefinitionNode,
  type VariableNode,
} from "graphql";
import { groupBy } from "../../base/collections.ts";
import { baseTypeName, isList, isRequired } from "../../dialects/api-schema.ts";
import type { IdForms } from "../../dialects/id-forms.ts";
import {
  enumNode,
  intNode,
  type NodeLocation,
  namedTypeNode,
  objectNode,
  variableNode,
} from "../../dialects/make-node.ts";
import { typeExpression } from "../../dialects/parse-sdl.ts";
import type { TypedUse } from "./compile-definition.ts";
import { CHAINS } from "./compile-list.ts";
import { directionOf, writeDefaultOrder } from "./compile-order.ts";
import type { Pair } from "./compile-selections.ts";
import type { CompiledVariable } from "./compiled-operation.ts";
import { inStyles } from "./read-entities.ts";
import { refuseDirectives, type Scope } from "./scope.ts";

/** The variables of an operation in both documents. */
export type PlannedVariables = {
  readonly definitions: Pair<readonly VariableDefinitionNode[]>;
  readonly variables: readonly PlannedVariable[];
  /** The variables that the compiler adds for the requested chains. */
  readonly chains: readonly string[];
  /** The variables that the compiler adds for literal ids. */
  readonly literals: readonly { readonly to: string; readonly forms: IdForms; readonly value: string }[];
};

/** An authored variable and its uses. */
export type PlannedVariable = Omit<CompiledVariable, "declaredAs"> & {
  readonly definition: VariableDefinitionNode;
  /** The first use of each name in the written document. */
  readonly uses: readonly TypedUse[];
  readonly allUses: readonly TypedUse[];
};

type UsedVariables = {
  /** The uses in the operation and all its fragments, which already have names. */
  readonly uses: readonly TypedUse[];
  /** The names of variables that the author uses anywhere. */
  readonly used: ReadonlySet<string>;
  /** The variable to add for the requested block; null for none. */
  readonly height: string | null;
};

/**
 * Declares the variables of both documents: the authored ones, once for each way in which they are used, and those of the
 * compiler. Defaults are compiled like values.
 */
export function planVariables(
  { variableDefinitions = [], loc }: OperationDefinitionNode,
  { uses, used, height }: UsedVariables,
  scope: Scope,
): PlannedVariables {
  const { type: heightType } = scope.facts.authored.grammar.height;
  const variables = variableDefinitions.map((written): PlannedVariable => {
    const name = written.variable.name.value;
    const allUses = uses.filter((use) => use.authored.name.value === name);
    const definition = requireValue(written, allUses, scope);
    if (RESERVED.has(name)) scope.refuse("portable/reserved-name", [`\`$${name}\``], definition);
    else if (!used.has(name)) {
      scope.apply("unused-variable", definition);
      scope.refuse("portable/unused-variable", [name], definition);
    }
    refuseDirectives(definition, scope);
    const distinct = distinctUses(allUses);
    checkUses(definition, allUses, scope);
    return {
      name,
      type: typeExpression(definition.type),
      becomes: inStyles(used.has(name) ? [name] : [], distinct.map(nameOf)),
      definition,
      uses: distinct,
      allUses,
    };
  });
  const chains = distinctUses(
    uses.filter(({ treatment: { kind } }) => kind === "chains" || kind === "chain"),
  );
  const literals = distinctUses(uses.filter(({ treatment }) => treatment.kind === "literal"));
  return {
    definitions: {
      authored: [
        ...variables
          .filter(({ name }) => used.has(name))
          .map(({ definition }) => requireList(definition, scope)),
        ...(height === null ? [] : [declareVariable(height, heightType, loc)]),
      ],
      written: [
        ...variables.flatMap((variable) =>
          variable.uses.flatMap((use) => declareUse(variable.definition, use, { variables, scope })),
        ),
        ...[...chains, ...literals].flatMap((use) => declareAdded(use, loc)),
      ],
    },
    variables,
    chains: chains.map(nameOf),
    literals: literals.flatMap((use) =>
      use.treatment.kind === "literal"
        ? [{ to: nameOf(use), forms: use.treatment.forms, value: use.treatment.value }]
        : [],
    ),
  };
}

const RESERVED: ReadonlySet<string> = new Set([CHAINS, `${CHAINS}Int`, `${CHAINS}One`]);

/** Returns the first use of each name. */
function distinctUses(uses: readonly TypedUse[]): TypedUse[] {
  return [...groupBy(uses, nameOf).values()].flatMap(([use]) => use ?? []);
}

function nameOf({ written }: TypedUse): string {
  return written.name.value;
}

/** Refuses variables that may be null where the styles treat null differently, and empty lists. */
function checkUses(definition: VariableDefinitionNode, uses: readonly TypedUse[], scope: Scope): void {
  const name = definition.variable.name.value;
  const type = typeExpression(definition.type);
  const value = defaultOf(definition);
  for (const use of uses) {
    if (use.ifNull === "differs" && !isRequired(type) && value === null) {
      const fix = `declare it as \`$${name}: ${type}!\`, or give it a default.`;
      scope.refuse("portable/nullable-variable", [name], { ...use.authored, fix });
    }
    if (use.isNotIn && value?.kind === Kind.LIST && value.values.length === 0) {
      scope.refuse("portable/empty-not-in", [name], value);
    }
  }
  if (value !== null && isList(type) && value.kind !== Kind.LIST) {
    scope.refuse("portable/variable-type", [name, type, "has a default that is not a list"], value);
  }
}

/** Requires a value where both styles fail without one. */
function requireValue(
  definition: VariableDefinitionNode,
  uses: readonly TypedUse[],
  scope: Scope,
): VariableDefinitionNode {
  const { type, defaultValue: _, ...rest } = definition;
  if (type.kind === Kind.NON_NULL_TYPE || defaultOf(definition) !== null) return definition;
  if (!uses.some(({ ifNull }) => ifNull === "error")) return definition;
  scope.apply("required-variable", definition);
  return { ...rest, type: { kind: Kind.NON_NULL_TYPE, type, ...located(type.loc) } };
}

/** Returns the default of a variable. A default of null counts as none. */
export function defaultOf({
  defaultValue,
}: Pick<VariableDefinitionNode, "defaultValue">): ConstValueNode | null {
  return defaultValue === undefined || defaultValue.kind === Kind.NULL ? null : defaultValue;
}

/** Returns whether a variable can be null: its type is nullable, and it has no default. */
export function mayBeNull(definition: VariableDefinitionNode): boolean {
  return definition.type.kind !== Kind.NON_NULL_TYPE && defaultOf(definition) === null;
}

/** A strict node refuses a default for a list that may be null. */
function requireList(definition: VariableDefinitionNode, scope: Scope): VariableDefinitionNode {
  const { type } = definition;
  if (type.kind !== Kind.LIST_TYPE || defaultOf(definition) === null) return definition;
  scope.apply("list-variable-required", definition);
  return { ...definition, type: { kind: Kind.NON_NULL_TYPE, type, ...located(type.loc) } };
}

/** Declares a variable of a type. */
export function declareVariable(name: string, type: string, loc: NodeLocation): VariableDefinitionNode {
  return {
    kind: Kind.VARIABLE_DEFINITION,
    variable: variableNode(name, loc),
    type: writeType(type, loc),
    ...located(loc),
  };
}

function declareAdded(use: TypedUse, loc: NodeLocation): VariableDefinitionNode[] {
  const { type, treatment } = use;
  if (type === null) return [];
  const written = treatment.kind === "chains" ? `[${baseTypeName(type)}!]!` : `${type}!`;
  return [declareVariable(nameOf(use), written, loc)];
}

type DeclarationContext = { readonly variables: readonly PlannedVariable[]; readonly scope: Scope };

/** Declares the variable of one use of an authored variable; returns an empty list if its place is refused. */
function declareUse(
  definition: VariableDefinitionNode,
  use: TypedUse,
  { variables, scope }: DeclarationContext,
): VariableDefinitionNode[] {
  const { variable, loc } = definition;
  const required = isRequired(typeExpression(definition.type));
  const value = writeDefault(definition, use, { variables, scope });
  const { type } = use;
  if (type === null) return [];
  const isWhole = ["filter", "order", "comparison"].includes(use.treatment.kind);
  // A missing value is replaced by its default, so it is never null.
  const isFilled = use.treatment.kind === "id" && defaultOf(definition) !== null;
  const isNeeded = required || isFilled || (value !== null && (isWhole || isList(type)));
  if (nameOf(use) !== variable.name.value) scope.apply("variable-copy", definition);
  return [
    {
      kind: Kind.VARIABLE_DEFINITION,
      variable: { ...variable, name: { ...variable.name, value: nameOf(use) } },
      type: writeType(isNeeded ? `${type}!` : type, definition.type.loc),
      ...(value === null ? {} : { defaultValue: value as ConstValueNode }),
      ...located(loc),
    },
  ];
}

function writeDefault(
  definition: VariableDefinitionNode,
  { treatment, compileDefault }: TypedUse,
  { variables, scope: { facts } }: DeclarationContext,
): ValueNode | null {
  const { loc } = definition;
  const defaultValue = defaultOf(definition);
  // The client writes it with the chain.
  const value = defaultValue === null || treatment.kind === "id" ? null : compileDefault(defaultValue);
  const required = isRequired(typeExpression(definition.type));
  if (treatment.kind === "order") {
    const entity = facts.entity(treatment.entity);
    if (entity === undefined || (required && value === null)) return null;
    const { direction, isNested } = treatment;
    const defaultValueOf = ({ name: { value: variable } }: VariableNode) =>
      variables.find(({ name }) => name === variable)?.definition.defaultValue;
    const word = typeof direction === "string" ? direction : directionOf(defaultValueOf(direction));
    return writeDefaultOrder({ value, direction: word, loc }, { entity, isNested }, facts);
  }
  if (value !== null || required) return value;
  switch (treatment.kind) {
    case "first":
      return intNode(facts.authored.grammar.limits.rows, loc);
    case "direction":
      return enumNode("asc", loc);
    case "filter":
      return objectNode([], loc);
    case "comparison":
      return treatment.ofNull;
    default:
      return null;
  }
}

/** Parses a type. All its nodes get the location. */
function writeType(type: string, loc: NodeLocation): TypeNode {
  return relocate(parseType(type, { noLocation: true }), loc);
}

function relocate(type: TypeNode, loc: NodeLocation): TypeNode {
  if (type.kind === Kind.NAMED_TYPE) return namedTypeNode(type.name.value, loc);
  return { ...type, type: relocate(type.type, loc), ...located(loc) } as TypeNode;
}

function located(loc: NodeLocation): { loc?: NonNullable<NodeLocation> } {
  return loc === undefined ? {} : { loc };
}
