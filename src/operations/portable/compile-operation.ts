import { type FragmentDefinitionNode, Kind, type OperationDefinitionNode, type ValueNode } from "graphql";
import { baseTypeName } from "../../dialects/api-schema.ts";
import { type IdForms, isOfBytes, needsChain } from "../../dialects/id-forms.ts";
import type { Operation } from "../operation-set.ts";
import { findVariables } from "../variable-types.ts";
import { collectFacts } from "./collect-facts.ts";
import {
  type CompiledDefinition,
  isBytesUse,
  nameVariables,
  type TypedUse,
  type VariableNames,
} from "./compile-definition.ts";
import { directionOf } from "./compile-order.ts";
import type { CompiledDocument, CompiledOperation, OperationFacts } from "./compiled-operation.ts";
import {
  defaultOf,
  mayBeNull,
  type PlannedVariable,
  type PlannedVariables,
  planVariables,
} from "./plan-variables.ts";
import { readBlocks } from "./read-blocks.ts";
import { type Facts, formsOf, inStyles } from "./read-entities.ts";
import type { Treatment } from "./scope.ts";

/** An operation whose body is compiled. */
type OperationDraft = Pick<Operation, "name" | "node"> & {
  readonly body: CompiledDefinition<OperationDefinitionNode>;
  /** The declared scalars of variables that have another type now. */
  readonly declaredAs: ReadonlyMap<string, string>;
};

/** What an operation shares with others. */
type SharedParts = {
  /** The fragments that it uses. */
  readonly fragments: readonly CompiledDefinition<FragmentDefinitionNode>[];
  /** The variables of all fragments. Every operation has the same names for them. */
  readonly names: VariableNames;
  /** Every name that an author declares anywhere. */
  readonly declared: ReadonlySet<string>;
  /** The variables that are bytes in only some of their places. */
  readonly mixed: ReadonlySet<string>;
};

/** Compiles an operation from its compiled body and fragments. Its scope is that of the body. */
export function compileOperation(
  { name, node, body, declaredAs }: OperationDraft,
  { fragments, names, declared, mixed }: SharedParts,
): CompiledOperation {
  const { scope, nodes } = body;
  const { facts } = scope;
  const definitions = node.variableDefinitions ?? [];
  const shared = fragments.flatMap(({ uses }) => uses);
  const sharedNames = new Set(shared.map(({ authored }) => authored.name.value));
  const sharedRoots = fragments.flatMap((fragment) => fragment.scope.roots);
  const required = new Set(
    definitions.filter((definition) => !mayBeNull(definition)).map(({ variable }) => variable.name.value),
  );
  const fixed = new Map([...names].filter(([variable]) => sharedNames.has(variable)));
  nameVariables(body.uses, fixed, { declared, required, mixed });
  const uses = [...body.uses, ...shared];
  const used = new Set([node, ...fragments.map((fragment) => fragment.node)].flatMap(findVariables));
  const { node: pinned, added, ...block } = readBlocks(body, sharedRoots);
  const planned = planVariables(node, { uses, used, height: added }, scope);
  // The progress of the indexer is not part of the answer.
  const hasRows = nodes.authored.selectionSet.selections.length > 0;
  const [progress] = [body, ...fragments].flatMap((definition) => definition.scope.progress);
  if (progress) {
    scope.refuse(hasRows ? "portable/progress" : "portable/root", [progress.name.value], progress);
  }
  const isPart = progress !== undefined && hasRows;
  const answer = isPart ? nodes.authored : node;
  const answered = fragments.map((part) => (isPart ? part.nodes.authored : part.node));
  const selected = collectFacts(answer, answered, { planned, scope });
  const variables = planned.variables.map(({ name: variable, type, becomes, definition }) => {
    const scalar = declaredAs.get(variable) ?? null;
    if (scalar !== null) scope.apply("variable-type", definition);
    return { name: variable, type, becomes, declaredAs: scalar };
  });
  const rules = [body, ...fragments].flatMap((definition) =>
    [...definition.scope.rules.values()].sort((a, b) => a.line - b.line || a.column - b.column),
  );
  const authored: CompiledDocument = {
    node: { ...pinned, variableDefinitions: planned.definitions.authored },
    fragments: fragments.map((fragment) => fragment.nodes.authored),
  };
  const written: CompiledDocument = {
    node: { ...nodes.written, variableDefinitions: planned.definitions.written },
    fragments: fragments.map((fragment) => fragment.nodes.written),
  };
  return {
    name,
    documents: inStyles(authored, written),
    facts: { ...buildFacts(planned, facts), ...selected, isAlone: isAlone(planned, selected, facts), block },
    variables,
    rules,
  };
}

/** Builds the facts that follow from the uses of variables. */
function buildFacts({ variables, chains, literals }: PlannedVariables, facts: Facts) {
  const withUses = (is: (use: TypedUse) => boolean) =>
    variables.filter(({ allUses }) => allUses.some(is)).map(({ name }) => name);
  return {
    bytes: variables.filter(isBytes).map(({ name }) => name),
    ids: variables.filter(hasIdsWithBytes).map(({ name }) => name),
    wrap: variables.flatMap((variable) => wrapsOf(variable, facts)),
    filters: variables.flatMap(filtersOf),
    comparisons: variables.flatMap((variable) =>
      usesOf(variable, "comparison").map(({ from, to, treatment }) => ({ from, to, name: treatment.name })),
    ),
    orders: variables.flatMap((variable) => ordersOf(variable, variables)),
    idVariables: [
      ...variables.flatMap(idsOf),
      ...literals.map(({ to, forms, value }) => ({ to, from: null, forms, default: value })),
    ],
    chainOf: variables.map(chainOf).find((chain) => chain !== null) ?? null,
    nonEmpty: withUses(({ isNotIn }) => isNotIn),
    ranges: {
      first: withUses(({ treatment }) => treatment.kind === "first"),
      skip: withUses(({ treatment }) => treatment.kind === "skip"),
    },
    chainIds: chains,
  } satisfies Partial<OperationFacts>;
}

/** Whether a variable holds bytes wherever it is used, so that one form fits all its places. */
function isBytes({ type, allUses }: PlannedVariable): boolean {
  if (baseTypeName(type) === "Bytes") return true;
  return allUses.length > 0 && allUses.every(isBytesUse);
}

function hasIdsWithBytes({ allUses }: PlannedVariable): boolean {
  const isOfId = ({ treatment }: TypedUse) => "isIdWithBytes" in treatment && treatment.isIdWithBytes;
  return allUses.length > 0 && allUses.every(isOfId);
}

function chainOf({ name, type, allUses }: PlannedVariable): OperationFacts["chainOf"] {
  const patterns = new Set(
    allUses.map(({ treatment }) => ("chainInId" in treatment ? (treatment.chainInId ?? null) : null)),
  );
  const [pattern = null, ...others] = patterns;
  return pattern === null || others.length > 0 || !/^\w+!$/.test(type) ? null : { variable: name, pattern };
}

function wrapsOf(variable: PlannedVariable, { written }: Facts): OperationFacts["wrap"] {
  return variable.uses.flatMap((use) => {
    const { treatment } = use;
    const to = use.written.name.value;
    const wrap = { style: written.style, to, from: variable.name };
    if (treatment.kind === "pattern") {
      const { before, after, isWhole, isBytes: isOfDigits } = treatment;
      return [{ ...wrap, before, after, isWhole, isBytes: isOfDigits }];
    }
    if (treatment.kind === "filter" || treatment.kind === "order" || to === variable.name) return [];
    // A variable of bytes and text: the text is unchanged, and the copy has the form of bytes.
    const isOfDigits = isBytesUse(use) && !isBytes(variable);
    if ((treatment.kind === "id" || treatment.kind === "comparison") && !isOfDigits) return [];
    return [{ ...wrap, before: isOfDigits ? "0x" : "", after: "", isWhole: false, isBytes: isOfDigits }];
  });
}

/** Returns the uses of a variable that have one kind of treatment. */
function usesOf<K extends Treatment["kind"]>({ name, uses }: PlannedVariable, kind: K) {
  return uses
    .filter(({ treatment }) => treatment.kind === kind)
    .map((use) => {
      const treatment = use.treatment as Extract<Treatment, { kind: K }>;
      return { use, treatment, from: name, to: use.written.name.value };
    });
}

function filtersOf(variable: PlannedVariable): OperationFacts["filters"] {
  return usesOf(variable, "filter").map(({ from, to, treatment: { entity, isList } }) => {
    const isChild = variable.allUses.some(
      ({ treatment, written }) =>
        treatment.kind === "filter" && written.name.value === to && treatment.isChild,
    );
    return { from, to, entity, isChild, isList };
  });
}

function ordersOf(
  variable: PlannedVariable,
  variables: readonly PlannedVariable[],
): OperationFacts["orders"] {
  const order = defaultOf(variable.definition);
  return usesOf(variable, "order").map(({ from, to, treatment: { entity, direction } }) => {
    const isNested = variable.allUses.some(
      ({ treatment, written }) =>
        treatment.kind === "order" && written.name.value === to && treatment.isNested,
    );
    const held = typeof direction === "string" ? direction : { variable: direction.name.value };
    const declared = variables.find(({ name }) => typeof held === "object" && name === held.variable);
    const word = declared && defaultOf(declared.definition);
    const defaults = {
      order: order?.kind === Kind.ENUM ? order.value : null,
      direction: word ? directionOf(word) : null,
    };
    return { from, to, entity, isNested, defaults, direction: held };
  });
}

/** Returns the variables of the written document that hold ids which the styles write differently. */
function idsOf(variable: PlannedVariable): OperationFacts["idVariables"] {
  const authored = defaultOf(variable.definition);
  return usesOf(variable, "id").map(({ from, to, treatment: { forms }, use }) => {
    const value = authored && use.compileDefault(authored);
    const texts = value?.kind === Kind.LIST ? value.values.map(textOf) : value && textOf(value);
    return { to, from, forms, default: texts };
  });
}

function textOf(value: ValueNode): string {
  return value.kind === Kind.STRING ? value.value : "";
}

/** Whether ids of an operation, or their order, are only valid on one chain. */
function isAlone(
  { variables, literals }: PlannedVariables,
  { list, idAnswers }: Pick<OperationFacts, "list" | "idAnswers">,
  facts: Facts,
): boolean {
  const used = variables
    .flatMap(({ allUses }) => allUses)
    .flatMap(({ treatment }) => {
      if (treatment.kind === "filter") return formsInReach(treatment, facts);
      return treatment.kind === "id" ? [treatment.forms] : [];
    });
  const ids = [...used, ...literals.map(({ forms }) => forms)];
  const isById = list?.order.length === 1;
  return (
    ids.some(({ multichain }) => needsChain(multichain)) ||
    idAnswers.some(
      ({ path, forms }) =>
        needsChain(forms.subgraph) || (isById && !isOfBytes(forms) && path.split(".").length === 2),
    )
  );
}

/** Lists the ids that a filter of an entity can contain. */
function formsInReach(
  { entity: name, isChild }: { readonly entity: string; readonly isChild: boolean },
  facts: Facts,
): IdForms[] {
  const fields = [...(facts.entity(name)?.fields.values() ?? [])];
  return fields.flatMap((field) => {
    const forms = formsOf(field);
    const below =
      field.kind === "column" || isChild ? [] : formsInReach({ entity: field.target, isChild: true }, facts);
    return forms === null ? below : [forms, ...below];
  });
}
