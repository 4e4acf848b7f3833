import { Kind, type OperationDefinitionNode } from "graphql";
import type { PagePlan, PortableOperation } from "../../../packages/client/src/client/portable-operation.ts";
import { hash, shortHash } from "../../base/hash.ts";
import { styles } from "../../dialects/index.ts";
import { typeExpression } from "../../dialects/parse-sdl.ts";
import { AUTHORED_STYLE } from "../../dialects/portable-style.ts";
import { STYLE_NAMES } from "../../dialects/surface.ts";
import type { CompiledOperation, OperationFacts } from "../../operations/portable/compiled-operation.ts";
import { printDocument } from "../../operations/print-document.ts";

type Members = Omit<
  PortableOperation<never, never, never, "one">,
  "format" | "name" | "protocol" | "multichain" | "subgraph" | "__types"
>;

/** The members that hold functions: values of an operation that runs, or their texts in a generated file. */
type Code = {
  readonly [Key in "variables" | "chainIds" | "map" | "answer" | "normalize" | "rest"]: unknown;
};

/**
 * Returns the plan of a portable operation: the members that are not empty, in the order in which they are written.
 *
 * @param code the readers of the variables, and the functions that map variables and answers; null without them.
 * @param not the chains whose indexers refuse it, by style.
 */
export function portableMembers(
  compiled: CompiledOperation,
  code: Code,
  not: NonNullable<Members["not"]>,
): readonly (readonly [key: keyof Members, value: unknown])[] {
  const { facts, documents } = compiled;
  const { list, page, chainOf } = facts;
  const { subgraph, multichain } = documents;
  const variables = authoredVariables(compiled);
  const sent = declaredTypes(multichain.node)
    .map(([name]) => name)
    .filter((name) => !facts.chainIds.includes(name));
  const isAsDeclared = String([...sent].sort()) === String(variables.map(([name]) => name).sort());
  const sizeOf = (first: string | number) =>
    typeof first === "number"
      ? { first: null, size: first }
      : { first, size: defaultNumber(subgraph.node, first) ?? DEFAULT_ROWS };
  const members: readonly (readonly [key: keyof Members, value: unknown])[] = [
    ["digest", digestOf(compiled)],
    ["variables", variables.length > 0 ? code.variables : null],
    ["required", variables.filter(([, type]) => type.endsWith("!")).map(([name]) => name)],
    ["sent", isAsDeclared ? null : sent],
    ["chainIds", facts.chainIds.length > 0 ? code.chainIds : null],
    ["past", AUTHORED_STYLE],
    ["at", facts.block.at === `$${BLOCK_VARIABLE}` ? null : facts.block.at],
    ["pinned", facts.block.isPinned || null],
    ["chainOf", chainOf],
    ["map", code.map],
    ["answer", code.answer],
    ["normalize", code.normalize],
    ["alone", facts.isAlone || null],
    ["nonEmpty", facts.nonEmpty],
    ["roots", facts.roots],
    ["nonNull", facts.required],
    ["chains", facts.chains],
    ["addChain", facts.addChain],
    ["one", facts.one],
    ["unscoped", facts.isUnscoped || null],
    ["not", Object.keys(not).length > 0 ? not : null],
    ["list", list && { key: list.key, order: list.order, ...sizeOf(list.first), skip: list.skip }],
    ["lists", list || page ? null : facts.lists.map(({ key, first }) => ({ key, ...sizeOf(first) }))],
    ["unmerged", facts.unmerged],
    ["page", page && pagePlan(page, subgraph.node)],
    ["rest", page && code.rest],
    ["numbers", facts.numbers],
  ];
  const isEmpty = (value: unknown) => value === null || (Array.isArray(value) && value.length === 0);
  // No variable to send is a fact about the multichain text: without `sent`, all variables are sent.
  return members.filter(([key, value]) => (key === "sent" ? value !== null : !isEmpty(value)));
}

/** The number of rows of a list without `first`, in both styles. */
const DEFAULT_ROWS = 100;

function pagePlan(page: NonNullable<OperationFacts["page"]>, node: OperationDefinitionNode): PagePlan {
  const { key, cursor, after, first, direction, kind } = page;
  const filter = after === null ? filterVariable(node) : null;
  const size = defaultNumber(node, first);
  return {
    key,
    cursor,
    after,
    ...(filter !== null && { filter }),
    first,
    ...(size !== null && { size }),
    direction,
    kind,
  };
}

/** Returns the variables that the author declared, with their types. Those that are not used are not sent. */
export function authoredVariables({
  documents,
  variables,
}: CompiledOperation): [name: string, type: string][] {
  const declared = declaredTypes(documents.subgraph.node);
  const authored = new Set(variables.map(({ name }) => name));
  const unused = variables.flatMap(({ name, type }): [string, string][] =>
    declared.some(([variable]) => variable === name) ? [] : [[name, type]],
  );
  return [...declared.filter(([name]) => authored.has(name)), ...unused];
}

/** Returns the variables of the multichain text that hold the ids of the requested chains, with their types. */
export function chainVariables({ documents, facts }: CompiledOperation): [name: string, type: string][] {
  return declaredTypes(documents.multichain.node).filter(([name]) => facts.chainIds.includes(name));
}

/** Returns a digest of both texts of an operation. */
export function digestOf({ documents }: Pick<CompiledOperation, "documents">): string {
  const texts = STYLE_NAMES.map((style) => printDocument(documents[style].node, documents[style].fragments));
  return shortHash(hash(texts.join("\n\n")));
}

/** Returns variables with their types. A variable with a default may be omitted, whatever its type. */
function declaredTypes({
  variableDefinitions = [],
}: OperationDefinitionNode): [name: string, type: string][] {
  return variableDefinitions.map(({ variable, type, defaultValue }) => {
    const isOptional = defaultValue !== undefined && type.kind === Kind.NON_NULL_TYPE;
    return [variable.name.value, typeExpression(isOptional ? type.type : type)];
  });
}

/** Returns whether a text has a variable for the requested block. */
export function hasBlock({
  variableDefinitions = [],
}: Pick<OperationDefinitionNode, "variableDefinitions">): boolean {
  return variableDefinitions.some(({ variable }) => variable.name.value === BLOCK_VARIABLE);
}

const { portable } = styles[AUTHORED_STYLE];

/** The variable of the requested block. */
export const BLOCK_VARIABLE: string | null =
  portable.kind === "authored" ? portable.grammar.height.variable : null;

function defaultNumber({ variableDefinitions = [] }: OperationDefinitionNode, name: string): number | null {
  const value = variableDefinitions.find(({ variable }) => variable.name.value === name)?.defaultValue;
  return value?.kind === Kind.INT ? Number(value.value) : null;
}

/** Returns the variable of the filter of the only list. */
function filterVariable({ selectionSet }: OperationDefinitionNode): string | null {
  for (const root of selectionSet.selections) {
    const filter = root.kind === Kind.FIELD && root.arguments?.find(({ name }) => name.value === "where");
    if (filter && filter.value.kind === Kind.VARIABLE) return filter.value.name.value;
  }
  return null;
}
