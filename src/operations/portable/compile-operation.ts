import {
  type FragmentDefinitionNode,
  Kind,
  type OperationDefinitionNode,
  type VariableDefinitionNode,
  visit,
} from "graphql";
import { baseTypeName } from "../../dialects/api-schema.ts";
import { collectFacts, type SelectedFacts } from "./collect-facts.ts";
import {
  type CompiledDefinition,
  isBytesUse,
  nameVariables,
  type TypedUse,
  type VariableNames,
} from "./compile-definition.ts";
import type { CompiledDocument, CompiledOperation, OperationFacts } from "./compiled-operation.ts";
import { findIdVariables, isAlone } from "./id-facts.ts";
import {
  defaultOf,
  mayBeNull,
  type PlannedVariable,
  type PlannedVariables,
  planVariables,
  wordOf,
} from "./plan-variables.ts";
import { readBlocks } from "./read-blocks.ts";
import type { Facts } from "./read-entities.ts";

/** A fragment with the names of its variables. Every operation has the same names. */
export type CompiledFragment = {
  readonly node: FragmentDefinitionNode;
  readonly compiled: CompiledDefinition<FragmentDefinitionNode>;
  readonly names: VariableNames;
  /** The names of the variables that its author uses. */
  readonly variables: readonly string[];
};

/** The parts of an operation. */
type OperationParts = {
  readonly body: CompiledDefinition<OperationDefinitionNode>;
  readonly fragments: readonly CompiledFragment[];
  /** Every name that an author declares anywhere. */
  readonly declared: ReadonlySet<string>;
  /** The declared scalars of variables that have another type now. */
  readonly declaredAs: ReadonlyMap<string, string>;
  /** The variables that are bytes in only some of their places. */
  readonly mixed: ReadonlySet<string>;
};

/** Compiles an operation from its compiled body and fragments. It has the refusals of the body. */
export function compileOperation(
  { name, node }: { readonly name: string; readonly node: OperationDefinitionNode },
  { body, fragments, declared, declaredAs, mixed }: OperationParts,
): CompiledOperation {
  const { scope } = body;
  const { facts } = scope;
  const shared = fragments.flatMap(({ compiled }) => compiled.uses);
  const required = new Set(
    (node.variableDefinitions ?? []).flatMap((definition) =>
      mayBeNull(definition) ? [] : [definition.variable.name.value],
    ),
  );
  nameVariables(body.uses, namesOf(shared, fragments), { declared, given: required, mixed });
  const uses = [...body.uses, ...shared];
  const roots = [...body.roots, ...fragments.flatMap(({ compiled }) => compiled.roots)];
  const used = new Set([...findVariables(node), ...fragments.flatMap(({ variables }) => variables)]);
  const {
    node: pinned,
    added,
    ...block
  } = readBlocks(
    body,
    fragments.flatMap(({ compiled }) => compiled.roots),
  );
  const planned = planVariables(node, { uses, used, height: added }, scope);
  // The progress of the indexer is not part of the answer.
  const hasRows = body.nodes.authored.selectionSet.selections.length > 0;
  const shown = hasRows && roots.some(({ kind }) => kind === "progress") ? "authored" : null;
  const byName = new Map(
    fragments.map((fragment) => [
      fragment.node.name.value,
      shown ? fragment.compiled.nodes[shown] : fragment.node,
    ]),
  );
  const [progress] = roots.flatMap((root) => (root.kind === "progress" ? [root.node] : []));
  if (progress) {
    scope.refuse(hasRows ? "portable/progress" : "portable/root", [progress.name.value], progress);
  }
  const selected = collectFacts(
    { node: shown ? body.nodes[shown] : node, fragments: byName },
    planned,
    scope,
  );
  const bodies = { ...body.nodes, authored: pinned };
  const document = (kind: "authored" | "written"): CompiledDocument => ({
    node: { ...bodies[kind], variableDefinitions: [...planned.definitions[kind]] },
    fragments: fragments.map(({ compiled }) => compiled.nodes[kind]),
  });
  const rules = [...body.rules, ...fragments.flatMap(({ compiled }) => compiled.rules)];
  return {
    name,
    documents: {
      multichain: document("written"),
      subgraph: document("authored"),
      [facts.authored.style]: document("authored"),
      [facts.written.style]: document("written"),
    },
    facts: { ...buildFacts(planned, selected, facts), block },
    variables: planned.variables.map(({ name: variable, type, becomes, definition }) => {
      const scalar = declaredAs.get(variable) ?? null;
      if (scalar !== null) scope.apply("variable-type", definition);
      return { name: variable, type, becomes, declaredAs: scalar };
    }),
    rules,
  };
}

/** Returns the names of variables in the fragments that an operation uses. */
function namesOf(shared: readonly TypedUse[], fragments: readonly CompiledFragment[]): VariableNames {
  const used = new Set(shared.map(({ authored }) => authored.name.value));
  const names = new Map<string, ReadonlyMap<string, string>>();
  for (const fragment of fragments) {
    for (const [name, byKey] of fragment.names) {
      if (used.has(name)) names.set(name, byKey);
    }
  }
  return names;
}

/** Finds the variables that an operation or a fragment uses, without those of its fragments. */
export function findVariables(node: OperationDefinitionNode | FragmentDefinitionNode): string[] {
  const names: string[] = [];
  visit(node, {
    VariableDefinition: () => false,
    Variable: ({ name }) => {
      names.push(name.value);
    },
  });
  return names;
}

function buildFacts(
  planned: PlannedVariables,
  selected: SelectedFacts,
  facts: Facts,
): Omit<OperationFacts, "block"> {
  const { variables, chains } = planned;
  const withUses = (is: (use: TypedUse) => boolean) =>
    variables.flatMap(({ name, allUses }) => (allUses.some(is) ? [name] : []));
  return {
    bytes: variables.flatMap((variable) => (isBytes(variable) ? [variable.name] : [])),
    ids: variables.flatMap(({ name, allUses }) =>
      allUses.length > 0 && allUses.every(isOfIdWithBytes) ? [name] : [],
    ),
    wrap: variables.flatMap((variable) => wrapsOf(variable, facts)),
    filters: variables.flatMap(filtersOf),
    comparisons: variables.flatMap(comparisonsOf),
    orders: variables.flatMap((variable) => ordersOf(variable, variables)),
    idVariables: findIdVariables(planned),
    chainOf: variables.flatMap(chainOf)[0] ?? null,
    nonEmpty: withUses(({ isNotIn }) => isNotIn),
    ranges: {
      first: withUses(({ treatment }) => treatment.kind === "first"),
      skip: withUses(({ treatment }) => treatment.kind === "skip"),
    },
    chainIds: chains,
    ...selected,
    isAlone: isAlone(planned, selected, facts),
  };
}

/** Whether a variable holds bytes wherever it is used, so that one form fits all its places. */
function isBytes({ type, allUses }: PlannedVariable): boolean {
  if (baseTypeName(type) === "Bytes") return true;
  return allUses.length > 0 && allUses.every(isBytesUse);
}

function isOfIdWithBytes({ treatment }: TypedUse): boolean {
  return "isIdWithBytes" in treatment && treatment.isIdWithBytes === true;
}

function chainOf({
  name,
  type,
  allUses,
}: PlannedVariable): { readonly variable: string; readonly pattern: string }[] {
  const patterns = new Set(
    allUses.map(({ treatment }) => ("chainInId" in treatment ? (treatment.chainInId ?? null) : null)),
  );
  const [pattern = null, ...others] = patterns;
  return pattern === null || others.length > 0 || !/^\w+!$/.test(type) ? [] : [{ variable: name, pattern }];
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
    const isOfDigits =
      (treatment.kind === "bytes" || ("isBytes" in treatment && treatment.isBytes)) && !isBytes(variable);
    if ((treatment.kind === "id" || treatment.kind === "comparison") && !isOfDigits) return [];
    return [{ ...wrap, before: isOfDigits ? "0x" : "", after: "", isWhole: false, isBytes: isOfDigits }];
  });
}

function filtersOf({ name, uses, allUses }: PlannedVariable): OperationFacts["filters"] {
  return uses.flatMap(({ treatment, written }) => {
    if (treatment.kind !== "filter") return [];
    const to = written.name.value;
    const isChild = allUses.some(
      (use) => use.treatment.kind === "filter" && use.written.name.value === to && use.treatment.isChild,
    );
    return [{ from: name, to, entity: treatment.entity, isChild, isList: treatment.isList }];
  });
}

function comparisonsOf({ name, uses }: PlannedVariable): OperationFacts["comparisons"] {
  return uses.flatMap(({ treatment, written }) =>
    treatment.kind === "comparison" ? [{ from: name, to: written.name.value, name: treatment.name }] : [],
  );
}

function ordersOf(
  { name, uses, allUses, definition }: PlannedVariable,
  variables: readonly PlannedVariable[],
): OperationFacts["orders"] {
  return uses.flatMap(({ treatment, written }) => {
    if (treatment.kind !== "order") return [];
    const to = written.name.value;
    const isNested = allUses.some(
      (use) => use.treatment.kind === "order" && use.written.name.value === to && use.treatment.isNested,
    );
    const { direction, entity } = treatment;
    const variable = typeof direction === "string" ? null : direction.name.value;
    const declared = variables.find((planned) => planned.name === variable);
    const defaults = {
      order: wordOfOrder(definition),
      direction: declared === undefined ? null : wordOfDirection(declared.definition),
    };
    return [
      {
        from: name,
        to,
        entity,
        isNested,
        defaults,
        direction: typeof direction === "string" ? direction : { variable: direction.name.value },
      },
    ];
  });
}

function wordOfOrder(definition: VariableDefinitionNode): string | null {
  const value = defaultOf(definition);
  return value?.kind === Kind.ENUM ? value.value : null;
}

function wordOfDirection(definition: VariableDefinitionNode): "asc" | "desc" | null {
  const value = defaultOf(definition);
  return value === null ? null : wordOf(value);
}
