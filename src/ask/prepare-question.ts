import { type FieldNode, Kind, print, type SelectionNode } from "graphql";
import { listSome } from "../base/clean-text.ts";
import { UsageError } from "../base/errors.ts";
import { styles as dialects } from "../dialects/index.ts";
import { AUTHORED_STYLE } from "../dialects/portable-style.ts";
import { IS_PER_CHAIN, type Protocol, STYLE_NAMES, type StyleName } from "../dialects/surface.ts";
import { argumentValue } from "../dialects/values.ts";
import type { AnyPortableOperation } from "../generate/portable/portable-operation.ts";
import { BUILT_IN_PROTOCOLS } from "../project/protocols.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { addUnits } from "./add-units.ts";
import { type ChangeFeed, prepareChanges } from "./changes.ts";
import { chooseChains } from "./choose-chains.ts";
import { type ClockList, findClock } from "./find-block.ts";
import { CHAIN_VARIABLES, type FoundOperation } from "./find-in-surface.ts";
import { findOperation, type OperationRequest } from "./find-operation.ts";
import { type PastBlocks, requireListed } from "./past-blocks.ts";
import { type AnswerShape, type Column, type Field, listColumns, readShape } from "./rows.ts";
import { findPlaces } from "./time-places.ts";
import { divideVariables, type GivenVariables, resolveVariables } from "./variables.ts";

export type QuestionRequest = OperationRequest & {
  /** Keys, ids, `all` or `mainnets`. */
  readonly chains: readonly string[];
  readonly variables: GivenVariables;
  /** Whether to fetch all rows, page by page. */
  readonly usesPages: boolean;
  /** Whether a block is given. */
  readonly isAsOfBlock: boolean;
  /** Whether the rows go to a log: changes of them are to be found later, and they always have their chain. */
  readonly isLogged: boolean;
  /** The time that relative times count from, in milliseconds since 1970. */
  readonly now: number;
  /** Whether to add amounts in whole units. */
  readonly units: boolean;
  /** The past blocks of chains; null for the latest. */
  readonly past: PastBlocks | null;
};

/** An operation with resolved variables and chains. */
export type Question = {
  readonly protocol: Protocol;
  readonly operation: AnyPortableOperation;
  readonly given: Readonly<Record<string, unknown>>;
  /** All given variables, also those that a built operation contains as values. */
  readonly variables: Readonly<Record<string, unknown>>;
  /** The time that values of variables depend on, in seconds since 1970; null if they do not depend on one. */
  readonly now: number | null;
  readonly chains: readonly string[];
  /** How the chains are queried: page by page, one chain, merged into one list, or each alone. */
  readonly mode: "pages" | "run" | "merged" | "each";
  /** The styles to try, in order. */
  readonly styles: readonly StyleName[];
  /** Whether answers can include their block. */
  readonly freshness: boolean;
  readonly shape: AnswerShape;
  /** The maximum rows of the list; null without a list or a limit, and in pages. */
  readonly limit: number | null;
  /** The key of the chain in rows; null if one chain was named. */
  readonly chainKey: string | null;
  /** The key of the chain id in the rows of an answer; null if it is not selected. */
  readonly chainIdKey: string | null;
  /** Whether the rows are of all chains of the indexer, because nothing filters them by chain. */
  readonly isUnscoped: boolean;
  /** The fields of a row, with that of the chain. */
  readonly fields: readonly Field[];
  readonly columns: readonly Column[];
  /** Whether amounts in whole units are added. */
  readonly units: boolean;
  /** The arguments of the lists of the operation and the defaults of its variables, as text. */
  readonly lists: string;
  readonly past: PastBlocks | null;
  /** The list that past blocks are found with; null if they are not. */
  readonly clock: ClockList | null;
  /** How changed rows are found; null if they are not, or cannot be. */
  readonly changes: ChangeFeed | null;
  /** Notices about how the operation is run. */
  readonly notices: readonly string[];
};

/**
 * Prepares questions that are sent together: finds the operations, resolves their variables and chains, and reads the forms of
 * their answers. Each gets the variables that its operation declares. Sends no request.
 *
 * @throws UsageError, OperationError, FileError and SchemaError if they cannot be run.
 */
export async function prepareQuestions(
  workspace: Workspace,
  { operations, ...request }: Omit<QuestionRequest, "operation"> & { readonly operations: readonly string[] },
): Promise<readonly Question[]> {
  const authored = await Promise.all(
    operations.map((operation) => findOperation(workspace, { ...request, operation })),
  );
  for (const [index, { name }] of authored.entries()) {
    // Their names become those of folders, whose case does not count on some systems.
    const other = authored
      .slice(0, index)
      .find((earlier) => earlier.name.toLowerCase() === name.toLowerCase());
    if (other === undefined) continue;
    throw new UsageError({
      sentence: `Two operations have the name ${other.name}${other.name === name ? "" : `, apart from its case: ${name}`}.`,
      hint: "name each operation once.",
    });
  }
  const variables =
    authored.length === 1 ? [request.variables] : divideVariables(request.variables, authored);
  return authored.map((operation, index) =>
    buildQuestion(workspace, operation, { ...request, variables: variables[index] ?? request.variables }),
  );
}

function buildQuestion(
  workspace: Workspace,
  authored: FoundOperation,
  request: Omit<QuestionRequest, "operation">,
): Question {
  const { project } = workspace;
  const { protocol, name } = authored;
  const styles = stylesOf(authored, request.style);
  const named = chooseChains(project, request.chains, { protocol, styles });
  const paged = request.usesPages ? requirePage(authored) : null;
  const definition = project.definitions.find(({ key }) => key === protocol);
  const { times = [], amounts = [] } = definition ?? {};
  const { filters } = dialects[authored.style ?? AUTHORED_STYLE];
  const placeOf = findPlaces(authored, { filters, times });
  const others = [...CHAIN_VARIABLES, ...(paged === null ? [] : [paged])];
  // Other indexers of many chains may store addresses with a checksum.
  const keepsCase =
    authored.style !== null && !IS_PER_CHAIN[authored.style] && !BUILT_IN_PROTOCOLS.includes(protocol);
  const resolveAt = (now: number) =>
    resolveVariables(request.variables, { ...authored, others, placeOf, keepsCase, now });
  const resolved = resolveAt(request.now);
  // Only times such as -7d depend on the clock.
  const isRelative = JSON.stringify(resolved) !== JSON.stringify(resolveAt(request.now + 1000));
  const { operation, given } = authored.build(resolved);
  const units: string[] = [];
  const limitOf = createLimitReader(authored, resolved);
  const shape = readShape({ ...authored, times, limitOf }, (fields) => {
    if (!request.units) return fields;
    const added = addUnits(fields, amounts, name);
    if (added.notice !== null) units.push(added.notice);
    return added.fields;
  });
  const root = authored.node.selectionSet.selections.find((selection) => selection.kind === Kind.FIELD);
  const isUnscoped = isOfAllChains(authored);
  const chains = isUnscoped ? named.keys.slice(0, 1) : named.keys;
  const chainIdKey = chainIdKeyOf(operation);
  const mode = request.usesPages
    ? "pages"
    : chains.length === 1
      ? "run"
      : operation.list && chainIdKey !== null
        ? "merged"
        : "each";
  if (request.past) requireListed(request.past, chains);
  const isFound = request.past !== null && request.past.listed === null;
  const clock = isFound ? findClock(protocol, definition?.clock ?? null, authored.schema) : null;
  if (isFound && clock === null) {
    throw new UsageError({
      sentence: `--at needs the times of blocks, which the indexers of ${protocol} do not have.`,
      hint: "add --blocks with a table of blocks, or name the fields in `clock` of the protocol.",
    });
  }
  if (request.isAsOfBlock && chains.length > 1) {
    throw new UsageError({
      sentence: "--block needs exactly one chain.",
      hint: "query one chain at a time, or omit --block.",
    });
  }
  const isLoose =
    operation.unscoped === true && !operation.addChain && styles.some((name) => !IS_PER_CHAIN[name]);
  if (isLoose && chains.length > 1) {
    throw new UsageError({
      sentence: `${name} reads a row by id without chainId, so a multichain indexer would return the same row for every chain.`,
      hint: "select chainId, or add --style subgraph.",
    });
  }
  const feed = definition?.updatedBy;
  const changes = request.isLogged ? prepareChanges(workspace, authored) : null;
  const columns = listColumns(shape.fields);
  const isOfOne = (named.isOne && !request.isLogged) || isUnscoped;
  const chainKey = isOfOne ? null : freeName("chain", columns);
  // Variables with default values also filter, but for the size of a page.
  const defaults = (authored.node.variableDefinitions ?? []).filter(
    ({ variable, defaultValue }) => defaultValue && variable.name.value !== paged,
  );
  const notices = [...describeRefusing(operation, chains, styles), ...units];
  if (request.isLogged && changes === null && feed?.operation !== name) {
    notices.push(
      `Rows that change later are not exported again: \`updatedBy\` of ${protocol} does not apply to ${name}.`,
    );
  }
  if (isUnscoped)
    notices.push(`${name} has no variable for chains, so it returns rows of every chain of the indexer.`);
  if (isLoose) notices.push(`${name} does not select chainId, so the row may be of another chain.`);
  if (mode === "each" && shape.list !== null) {
    notices.push(
      `Rows are listed chain by chain, with the limit for each: to merge them, ${name} must select chainId, id and the field that it orders by.`,
    );
  }
  const chainField: Field[] =
    chainKey === null ? [] : [{ name: chainKey, isList: false, kind: "text", fields: null }];
  return {
    protocol,
    operation,
    given,
    chains,
    mode,
    styles,
    shape,
    chainIdKey,
    chainKey,
    isUnscoped,
    limit: mode === "pages" || shape.list === null || !root ? null : limitOf(root),
    variables: resolved,
    now: isRelative || request.past?.isRelative ? Math.floor(request.now / 1000) : null,
    // Without pages, a document of one style is sent unchanged, so it cannot request the block.
    freshness: authored.style === null || paged !== null,
    changes,
    clock,
    past: request.past,
    fields: [...chainField, ...shape.fields],
    columns: [...listColumns(chainField), ...columns],
    units: request.units,
    lists: [
      ...defaults.map((definition) => print(definition)),
      ...authored.node.selectionSet.selections.map(renderList),
    ].join(" "),
    notices,
  };
}

/** Returns a reader of the maximum number of items that lists of an operation request; null without a limit. */
function createLimitReader(
  { node, style }: Pick<FoundOperation, "node" | "style">,
  variables: Readonly<Record<string, unknown>>,
): (list: FieldNode) => number | null {
  const { size } = dialects[style ?? AUTHORED_STYLE].pitfalls;
  return (list) => {
    let value = argumentValue(list, size.name);
    if (value?.kind === Kind.VARIABLE) {
      const name = value.name.value;
      const limit = variables[name];
      if (typeof limit === "number") return limit;
      const definition = node.variableDefinitions?.find(({ variable }) => variable.name.value === name);
      value = definition?.defaultValue ?? null;
    }
    return value?.kind === Kind.INT ? Number(value.value) : size.unsaid;
  };
}

/** Renders a list without its selection, which may differ between the runs of an export. */
function renderList(root: SelectionNode): string {
  if (root.kind !== Kind.FIELD) return print(root);
  const { selectionSet: _, ...list } = root;
  return print(list);
}

/** Describes the chains that are skipped in a style, because the operation is not valid there. */
function describeRefusing(
  { name, not = {} }: AnyPortableOperation,
  chains: readonly string[],
  styles: readonly StyleName[],
): string[] {
  return styles.flatMap((style) => {
    const refusing = chains.filter((chain) => not[style]?.includes(chain));
    if (refusing.length === 0) return [];
    return `${name} is skipped on ${listSome(refusing, 6)} in ${style} style: it is not valid for the schema there, as last introspected.`;
  });
}

function stylesOf({ name, style }: FoundOperation, wanted: StyleName | null): readonly StyleName[] {
  if (style === null) return wanted === null ? STYLE_NAMES : [wanted];
  if (wanted === null || wanted === style) return [style];
  throw new UsageError({
    sentence: `${name} is written for the ${style} style only.`,
    hint: `omit --style, or make it portable: \`lockflow compile\` shows what that needs.`,
  });
}

/** Returns the variable for the size of a page. */
function requirePage(authored: FoundOperation): string {
  const { page } = authored.build({}).operation;
  if (page && !isOfAllChains(authored)) return page.first;
  throw new UsageError({
    sentence: `The rows of ${authored.name} cannot be paged.`,
    hint: page
      ? "it returns rows of every chain, but cursors count per chain: filter by a variable $chainIds."
      : "--pages needs one list that is ordered by a cursor such as subgraphId, selects it, filters it by `_gt` with a variable that has a default, and takes its limit from a variable.",
  });
}

/** Returns whether an operation queries a multichain indexer for rows of all its chains. */
function isOfAllChains({ style, node }: FoundOperation): boolean {
  if (style === null || IS_PER_CHAIN[style]) return false;
  const declared = (node.variableDefinitions ?? []).map(({ variable }) => variable.name.value);
  return !declared.some((name) => CHAIN_VARIABLES.includes(name));
}

/** Returns the key of the chain id in the rows of the one list. */
function chainIdKeyOf({ list, chains = [] }: AnyPortableOperation): string | null {
  const paths = chains.map((path) => path.split("."));
  return paths.find(([root, , more]) => root === list?.key && more === undefined)?.[1] ?? null;
}

/** Returns a name that no column has. */
function freeName(name: string, columns: readonly Column[]): string {
  return columns.some(({ path }) => path[0] === name) ? freeName(`_${name}`, columns) : name;
}
