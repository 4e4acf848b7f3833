import {
  type FragmentDefinitionNode,
  Kind,
  type OperationDefinitionNode,
  type VariableDefinitionNode,
  visit,
} from "graphql";
import { baseTypeName, isRequired } from "../../dialects/api-schema.ts";
import { type IdForms, needsChain } from "../../dialects/id-forms.ts";
import { type CollectedFields, collectAnswer } from "./collect-answer.ts";
import {
  type CompiledDefinition,
  isBytesUse,
  nameVariables,
  type TypedUse,
  type VariableNames,
} from "./compile-definition.ts";
import type {
  CompiledDocument,
  CompiledOperation,
  DecodedColumns,
  OperationFacts,
} from "./compiled-operation.ts";
import { canAddChain, findChain, type SelectedRows } from "./find-chain.ts";
import { findColumns } from "./find-columns.ts";
import { findIdVariables, isAlone } from "./id-facts.ts";
import {
  defaultOf,
  type PlannedVariable,
  type PlannedVariables,
  planVariables,
  wordOf,
} from "./plan-variables.ts";
import { type Facts, servesOneChain } from "./read-entities.ts";
import { readList, readPage } from "./read-list.ts";
import type { Scope } from "./scope.ts";

/** A fragment with the names of its variables, which are the same in every operation. */
export type CompiledFragment = {
  readonly node: FragmentDefinitionNode;
  readonly compiled: CompiledDefinition<FragmentDefinitionNode>;
  readonly names: VariableNames;
  /** The names of the variables that its author uses. */
  readonly variables: readonly string[];
};

/** What an operation is made of. */
type OperationParts = {
  readonly body: CompiledDefinition<OperationDefinitionNode>;
  readonly fragments: readonly CompiledFragment[];
  /** Every name that an author declares anywhere. */
  readonly declared: ReadonlySet<string>;
  /** Those that are bytes at some of their places only. */
  readonly mixed: ReadonlySet<string>;
};

/** Compiles an operation whose body and fragments are compiled; the refusals are those of the body. */
export function compileOperation(
  { name, node }: { readonly name: string; readonly node: OperationDefinitionNode },
  { body, fragments, declared, mixed }: OperationParts,
): CompiledOperation {
  const { scope } = body;
  const { facts } = scope;
  const shared = fragments.flatMap(({ compiled }) => compiled.uses);
  const given = new Set(
    (node.variableDefinitions ?? []).flatMap((one) =>
      one.type.kind === Kind.NON_NULL_TYPE || defaultOf(one) !== null ? [one.variable.name.value] : [],
    ),
  );
  nameVariables(body.uses, namesOf(shared, fragments), { declared, given, mixed });
  const uses = [...body.uses, ...shared];
  const used = new Set([...findVariables(node), ...fragments.flatMap(({ variables }) => variables)]);
  const planned = planVariables(node, { uses, used }, scope);
  const byName = new Map(fragments.map((fragment) => [fragment.node.name.value, fragment.node]));
  const selected = collectFacts({ node, fragments: byName }, planned, scope);
  const document = (kind: "authored" | "written"): CompiledDocument => ({
    node: { ...body.nodes[kind], variableDefinitions: [...planned.definitions[kind]] },
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
    facts: buildFacts(planned, selected, facts),
    variables: planned.variables.map(({ name: variable, type, becomes }) => ({
      ...{ name: variable, type, becomes },
    })),
    rules,
  };
}

/** The names that variables have in the fragments an operation uses, without those of other fragments. */
function namesOf(shared: readonly TypedUse[], fragments: readonly CompiledFragment[]): VariableNames {
  const used = new Set(shared.map(({ authored }) => authored.name.value));
  const names = new Map<string, ReadonlyMap<string, string>>();
  for (const fragment of fragments) {
    for (const [name, known] of fragment.names) {
      if (used.has(name)) names.set(name, known);
    }
  }
  return names;
}

/** Finds the variables that an operation or a fragment uses by itself. */
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

function buildFacts(planned: PlannedVariables, selected: SelectedFacts, facts: Facts): OperationFacts {
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

/** Whether a variable holds bytes wherever it is used, and can be brought into one form for all. */
function isBytes({ type, allUses }: PlannedVariable): boolean {
  if (baseTypeName(type) === "Bytes") return true;
  return allUses.length > 0 && allUses.every(isBytesUse);
}

function isOfIdWithBytes({ treatment }: TypedUse): boolean {
  return (treatment.kind === "value" || treatment.kind === "id") && treatment.isIdWithBytes === true;
}

function chainOf({ name, type, allUses }: PlannedVariable): [variable: string, pattern: string][] {
  const patterns = new Set(
    allUses.map(({ treatment }) => ("chainInId" in treatment ? (treatment.chainInId ?? null) : null)),
  );
  const [pattern = null, ...others] = patterns;
  return pattern === null || others.length > 0 || !/^\w+!$/.test(type) ? [] : [[name, pattern]];
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
    // Bytes beside text: the text stays as it is given, and the copy is brought into the form of bytes.
    const isOfDigits =
      (treatment.kind === "bytes" || (treatment.kind === "id" && treatment.isBytes)) && !isBytes(variable);
    if (treatment.kind === "id" && !isOfDigits) return [];
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
    const declared = variables.find((one) => one.name === variable);
    const defaults = {
      order: wordOfOrder(definition),
      direction: declared === undefined ? null : wordOfDirection(declared.definition),
    };
    return [
      {
        ...{ from: name, to, entity, isNested, defaults },
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

/** The facts of an operation that follow from what it selects. */
export type SelectedFacts = Pick<
  OperationFacts,
  | "roots"
  | "required"
  | "chains"
  | "addChain"
  | "one"
  | "isUnscoped"
  | "list"
  | "unmerged"
  | "page"
  | "idAnswers"
  | "numbers"
  | "columns"
>;

/** Collects the facts that a client needs about an answer. Refuses selections that may become empty. */
export function collectFacts(
  {
    node,
    fragments,
  }: {
    readonly node: OperationDefinitionNode;
    readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  },
  planned: PlannedVariables,
  scope: Scope,
): SelectedFacts {
  const { facts } = scope;
  const required: string[] = [];
  const chains: string[] = [];
  const addChain: string[] = [];
  const one: string[] = [];
  const idAnswers: { path: string; forms: IdForms }[] = [];
  const numbers = new Set<string>();
  const columns: Record<string, DecodedColumns> = {};
  let isUnscoped = false;
  const answer = collectAnswer(node.selectionSet, fragments);
  const roots = answer.fields;
  requireUnconditional(answer, { where: "the query", node }, scope);
  for (const root of roots) {
    const found = facts.root(root.node.name.value);
    const entity = found === undefined ? undefined : facts.entity(found.entity);
    if (found === undefined || entity === undefined || found.kind === "other") continue;
    const below = root.below();
    const { fields } = below;
    requireUnconditional(below, { where: `\`${root.key}\``, node: root.node }, scope);
    const rows = { fields, entity, path: [root.key] };
    findPlaces(rows, { required, idAnswers, numbers, scope });
    const decoded = findColumns(rows, facts);
    if (decoded !== null) columns[root.key] = decoded;
    const isLookup = found.kind === "lookup";
    const chain = findChain(rows, { isLookup, facts });
    if (chain !== null) chains.push(chain.join("."));
    // Without the nested row, its chain is unknown.
    if (chain?.length !== 2 && canAddChain(root, { node, entity, facts })) addChain.push(root.key);
    if (!isLookup) continue;
    one.push(root.key);
    if (chain !== null || facts.written.writer.lookup(entity.name)?.takesChain) continue;
    const id = entity.fields.get("id");
    // An id that is written with the chain that is asked finds no row of another.
    if (id?.kind === "column" && id.type.forms !== null && needsChain(id.type.forms.multichain)) continue;
    if (servesOneChain(facts)) continue;
    isUnscoped = true;
    scope.refuse("portable/unscoped-lookup", [root.key], root.node);
  }
  const [root, ...others] = roots;
  const only = others.length === 0 && root !== undefined && !root.isConditional ? root : null;
  return {
    roots: roots.flatMap(({ key, isConditional }) => (isConditional ? [] : [key])),
    ...{ required, chains, addChain, one, isUnscoped, idAnswers, numbers: [...numbers], columns },
    ...(only === null ? { list: null, unmerged: null } : readList(only, facts)),
    page: only === null ? null : readPage(only, planned, facts),
  };
}

function requireUnconditional(
  { mayBeEmpty }: CollectedFields,
  { where, node }: { readonly where: string; readonly node: Pick<OperationDefinitionNode, "loc"> },
  scope: Scope,
): void {
  if (mayBeEmpty) scope.refuse("portable/all-conditional", [where], node);
}

/**
 * Finds the references that are never null in one style, and null in the other where the row is missing; ids that the
 * styles write differently; and values that may be JSON numbers.
 */
function findPlaces(
  { fields, entity, path }: SelectedRows,
  into: {
    readonly required: string[];
    readonly idAnswers: { path: string; forms: IdForms }[];
    readonly numbers: Set<string>;
    readonly scope: Scope;
  },
): void {
  for (const field of fields) {
    const known = entity.fields.get(field.node.name.value);
    if (known?.kind === "column" && known.type.forms !== null) {
      into.idAnswers.push({ path: [...path, field.key].join("."), forms: known.type.forms });
    }
    if (known?.kind === "column" && !known.type.isEnum && !TEXTS.has(known.type.name))
      into.numbers.add(field.key);
    if (known === undefined || known.kind === "column") continue;
    const target = into.scope.facts.entity(known.target);
    if (target === undefined) continue;
    const own = [...path, field.key];
    if (known.kind === "reference" && isRequired(known.authoredType)) into.required.push(own.join("."));
    const inner = field.below();
    requireUnconditional(inner, { where: `\`${own.join(".")}\``, node: field.node }, into.scope);
    findPlaces({ fields: inner.fields, entity: target, path: own }, into);
  }
}

/** Scalars whose values are never JSON numbers: indexers are set up to return big numbers as text. */
const TEXTS: ReadonlySet<string> = new Set([
  ...["BigDecimal", "BigInt", "Boolean", "Bytes", "ID", "Int8", "String", "Timestamp"],
]);
