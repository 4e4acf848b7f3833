import {
  type ConstValueNode,
  Kind,
  type NameNode,
  type OperationDefinitionNode,
  parseType,
  type TypeNode,
  type ValueNode,
  type VariableDefinitionNode,
} from "graphql";
import { indexByName } from "../../base/collections.ts";
import { baseTypeName, isList, isRequired } from "../../dialects/api-schema.ts";
import type { IdForms } from "../../dialects/id-forms.ts";
import {
  enumNode,
  intNode,
  type NodeLocation,
  nameNode,
  objectNode,
  variableNode,
} from "../../dialects/make-node.ts";
import { typeExpression } from "../../dialects/parse-sdl.ts";
import type { PortableGrammar } from "../../dialects/portable-style.ts";
import type { TypedUse } from "./compile-definition.ts";
import { CHAINS } from "./compile-list.ts";
import { writeDefaultOrder } from "./compile-order.ts";
import type { Pair } from "./compile-selections.ts";
import type { CompiledVariable } from "./compiled-operation.ts";
import type { Scope } from "./scope.ts";

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

/**
 * Declares the variables of both documents: the authored ones, once for each way in which they are used, and those of the
 * compiler. Defaults are compiled like values.
 *
 * @param uses the uses in the operation and all its fragments, which already have names.
 * @param used the names of variables that the author uses anywhere.
 * @param height the variable to add for the requested block; null for none.
 */
export function planVariables(
  node: OperationDefinitionNode,
  {
    uses,
    used,
    height,
  }: {
    readonly uses: readonly TypedUse[];
    readonly used: ReadonlySet<string>;
    readonly height: string | null;
  },
  scope: Scope,
): PlannedVariables {
  const { facts } = scope;
  const { variableDefinitions = [] } = node;
  const authored = variableDefinitions.map((definition) => requireValue(definition, uses, scope));
  const reserved = new Set([CHAINS, `${CHAINS}Int`, `${CHAINS}One`]);
  const planned = authored.map((definition): PlannedVariable => {
    const name = definition.variable.name.value;
    if (reserved.has(name)) scope.refuse("portable/reserved-name", [`\`$${name}\``], definition);
    else if (!used.has(name)) {
      scope.apply("unused-variable", definition);
      scope.refuse("portable/unused-variable", [name], definition);
    }
    for (const directive of definition.directives ?? []) {
      scope.refuse("portable/directive", [directive.name.value, false], directive);
    }
    const allUses = uses.filter((use) => use.authored.name.value === name);
    const distinct = [...indexByName(allUses.map((use) => ({ name: nameOf(use), use }))).values()].map(
      ({ use }) => use,
    );
    checkUses(definition, allUses, scope);
    return {
      name,
      type: typeExpression(definition.type),
      becomes: {
        multichain: [],
        subgraph: [],
        [facts.written.style]: distinct.map(nameOf),
        [facts.authored.style]: used.has(name) ? [name] : [],
      },
      definition,
      uses: distinct,
      allUses,
    };
  });
  const chains = new Map(uses.flatMap((use) => (isOfChains(use) ? [[nameOf(use), use] as const] : [])));
  const literals = new Map(
    uses.flatMap((use) => (use.treatment.kind === "literal" ? [[nameOf(use), use] as const] : [])),
  );
  const defaults = new Map(authored.map(({ variable, defaultValue }) => [variable.name.value, defaultValue]));
  return {
    definitions: {
      authored: [
        ...authored
          .filter(({ variable }) => used.has(variable.name.value))
          .map((definition) => requireList(definition, scope)),
        ...(height === null ? [] : [heightVariable(node, facts.authored.grammar, height)]),
      ],
      written: [
        ...planned.flatMap(({ definition, uses: own }) =>
          own.flatMap((use) => declare({ definition, use }, defaults, scope)),
        ),
        ...[...chains, ...literals].flatMap(([name, use]) => declareAdded(name, use, node.loc)),
      ],
    },
    variables: planned,
    chains: [...chains.keys()],
    literals: [...literals].flatMap(([to, { treatment }]) =>
      treatment.kind === "literal" ? [{ to, forms: treatment.forms, value: treatment.value }] : [],
    ),
  };
}

function nameOf({ written }: TypedUse): string {
  return written.name.value;
}

function isOfChains({ treatment: { kind } }: TypedUse): boolean {
  return kind === "chains" || kind === "chain";
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
  const { type, variable, defaultValue: _, ...rest } = definition;
  if (type.kind === Kind.NON_NULL_TYPE || defaultOf(definition) !== null) return definition;
  const ofVariable = uses.filter((use) => use.authored.name.value === variable.name.value);
  if (!ofVariable.some(({ ifNull }) => ifNull === "error")) return definition;
  scope.apply("required-variable", definition);
  return { ...rest, variable, type: { kind: Kind.NON_NULL_TYPE, type, ...located(type.loc) } };
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

/** Declares the variable for the block of all root fields. */
export function heightVariable(
  { loc }: OperationDefinitionNode,
  { height: { variable: usual, type } }: PortableGrammar,
  variable: string = usual,
): VariableDefinitionNode {
  return {
    kind: Kind.VARIABLE_DEFINITION,
    variable: variableNode(variable, loc),
    type: writeType(type, loc),
    ...located(loc),
  };
}

function declareAdded(
  name: string,
  { type, treatment }: TypedUse,
  loc: NodeLocation,
): VariableDefinitionNode[] {
  if (type === null) return [];
  const written = treatment.kind === "chains" ? `[${baseTypeName(type)}!]!` : `${type}!`;
  return [
    {
      kind: Kind.VARIABLE_DEFINITION,
      variable: variableNode(name, loc),
      type: writeType(written, loc),
      ...located(loc),
    },
  ];
}

/** An authored variable, and one of its uses. */
type DeclaredUse = { readonly definition: VariableDefinitionNode; readonly use: TypedUse };

/** Declares the variable of one use; returns an empty list if its place is refused. */
function declare(
  { definition, use }: DeclaredUse,
  defaults: ReadonlyMap<string, ValueNode | undefined>,
  scope: Scope,
): VariableDefinitionNode[] {
  const { variable, loc } = definition;
  const required = isRequired(typeExpression(definition.type));
  const value = writeDefault({ definition, use }, defaults, scope);
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
  { definition, use }: DeclaredUse,
  defaults: ReadonlyMap<string, ValueNode | undefined>,
  scope: Scope,
): ValueNode | null {
  const { facts } = scope;
  const { loc } = definition;
  const defaultValue = defaultOf(definition);
  const { treatment } = use;
  // The client writes it with the chain.
  const value = defaultValue === null || treatment.kind === "id" ? null : use.compileDefault(defaultValue);
  const required = isRequired(typeExpression(definition.type));
  if (treatment.kind === "order") {
    const entity = facts.entity(treatment.entity);
    if (entity === undefined || (required && value === null)) return null;
    const { direction } = treatment;
    const word = typeof direction === "string" ? direction : wordOf(defaults.get(direction.name.value));
    return writeDefaultOrder(
      { value, direction: word, loc },
      { entity, isNested: treatment.isNested },
      facts,
    );
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

/** Returns the direction of a default. */
export function wordOf(value: ValueNode | undefined): "asc" | "desc" {
  return value?.kind === Kind.ENUM && value.value === "desc" ? "desc" : "asc";
}

/** Parses a type. All its nodes get the location. */
function writeType(type: string, loc: NodeLocation): TypeNode {
  return relocate(parseType(type, { noLocation: true }), loc);
}

function relocate(type: TypeNode, loc: NodeLocation): TypeNode {
  if (type.kind === Kind.NAMED_TYPE) {
    const name: NameNode = nameNode(type.name.value, loc);
    return { ...type, name, ...located(loc) };
  }
  return { ...type, type: relocate(type.type, loc), ...located(loc) } as TypeNode;
}

function located(loc: NodeLocation): { loc?: NonNullable<NodeLocation> } {
  return loc === undefined ? {} : { loc };
}
