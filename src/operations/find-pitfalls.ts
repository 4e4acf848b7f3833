import {
  type ASTNode,
  type GraphQLInputType,
  type GraphQLSchema,
  getNamedType,
  isListType,
  Kind,
  type ObjectFieldNode,
  typeFromAST,
  type ValueNode,
  type VariableDefinitionNode,
} from "graphql";
import { locateNode } from "../dialects/locate.ts";
import type { ListArgument, Pitfalls } from "../dialects/pitfalls.ts";
import type { ResolvedProtocol } from "../dialects/protocol.ts";
import { argumentValue } from "../dialects/values.ts";
import { buildFileFinding } from "../report/codes/files.ts";
import type { Finding } from "../report/finding.ts";
import type { Fragment, Operation, OperationSet } from "./operation-set.ts";
import { collectInputs, createDefinitionReader, type Input, type ListField } from "./read-definition.ts";

/**
 * Finds where valid operations are refused or behave differently than expected. Pitfalls in a fragment are reported once,
 * at the fragment, however many operations use it.
 */
export function findPitfalls(
  { operations, fragments }: Pick<OperationSet, "operations" | "fragments">,
  schema: GraphQLSchema,
  { pitfalls, protocol }: Dialect,
): Finding[] {
  const read = createDefinitionReader(schema, fragments, pitfalls.size.name);
  const findings = new Map<ASTNode, Finding>();
  const report = (node: ASTNode, finding: Finding) => {
    if (!findings.has(node)) findings.set(node, finding);
  };
  for (const operation of operations) {
    const definitions = operation.node.variableDefinitions ?? [];
    const variables = new Map(definitions.map((definition) => [definition.variable.name.value, definition]));
    const scope = { pitfalls, protocol, operation, variables, report };
    const defaults: Input[] = [];
    for (const { type, defaultValue } of definitions) {
      const inputType = typeFromAST(schema, type) as GraphQLInputType;
      if (defaultValue) collectInputs({ value: defaultValue, type: inputType, key: "" }, defaults);
    }
    // Defaults that are not objects are checked where the variable is used.
    const inObjects = defaults.filter(({ key }) => key !== "");
    for (const input of inObjects) findFilterPitfalls(input, { ...scope, owner: operation });
    const used = operation.fragments.flatMap(({ name }) => fragments.get(name.value) ?? []);
    for (const owner of [operation, ...used]) {
      const { lists, inputs } = read(owner.node);
      for (const list of lists) findListPitfalls(list, { ...scope, owner });
      for (const input of inputs) findFilterPitfalls(input, { ...scope, owner });
    }
  }
  return [...findings.values()];
}

/** The pitfalls of a dialect, and the facts about the protocol's rows. */
export type Dialect = {
  readonly pitfalls: Pitfalls;
  readonly protocol: Pick<ResolvedProtocol, "cursors" | "identity">;
};

/** An operation, and the part of it that is checked. */
type Scope = Dialect & {
  readonly operation: Operation;
  /** The operation itself, or one of its fragments. */
  readonly owner: Operation | Fragment;
  /** By name. */
  readonly variables: ReadonlyMap<string, VariableDefinitionNode>;
  /** Reports the first finding of each node. */
  readonly report: (node: ASTNode, finding: Finding) => void;
};

/** Returns the subject and the place of a finding about a node. */
export function at({ name, file }: Scope["owner"], node: ASTNode): Pick<Finding, "subject" | "place"> {
  return { subject: name, place: locateNode(file.path, node) };
}

/** Finds pitfalls of the size and the order of a list. */
function findListPitfalls({ node, row }: ListField, scope: Scope): void {
  const { pitfalls, protocol, owner, report } = scope;
  const size = readNumber(argumentValue(node, pitfalls.size.name), scope);
  const skip = readNumber(argumentValue(node, pitfalls.skip.name), scope);
  findOutside(size, { ...pitfalls.size, code: "operation/first-range" }, scope);
  findOutside(skip, { ...pitfalls.skip, code: "operation/skip-range" }, scope);
  const filter = collectEntries(argumentValue(node, "where"), pitfalls.conjunction);
  const cursor = Object.hasOwn(protocol.cursors, row) ? protocol.cursors[row] : undefined;
  const cursors = cursor === undefined ? ["id"] : [cursor, "id"];
  const key = (node.alias ?? node.name).value;

  const isSmall = pitfalls.ownTypes.has(row) || protocol.identity.chain?.entity === row;
  if (size.kind === "none" && !isSmall && !namesRows(filter, cursors, scope)) {
    const { name, unsaid, range } = pitfalls.size;
    const example = range?.most ?? MANY;
    const step =
      size.variable === null
        ? `write "${name}", as in \`${name}: ${example}\``
        : `declare it \`$${size.variable}: Int! = ${example}\``;
    const fix = `${step}, and request the next page as long as a page is full.`;
    const rest = { ...at(owner, node), fix };
    report(node, buildFileFinding("operation/no-page-size", [key, unsaid, size.variable], rest));
  }

  const skipped = argumentValue(node, pitfalls.skip.name);
  if (skipped?.kind !== Kind.VARIABLE) return;
  const order = pitfalls.orderOf(node);
  const [first] = order ?? [];
  // Pages in another order than a cursor's may be intended. But such large pages are for reading all rows.
  const isWalk =
    (order !== null && (first === undefined || cursors.includes(first))) ||
    (size.kind === "number" && size.value >= MANY);
  const hasCursor = filter.some((entry) =>
    cursors.some((column) => pitfalls.operandOf(entry, column, "order") !== null),
  );
  if (isWalk && !hasCursor) {
    const by = first !== undefined && cursors.includes(first) ? first : (cursors[0] ?? "id");
    const { range } = pitfalls.skip;
    const limit = range === null ? "" : `, and ${range.by} refuses more than ${range.most}`;
    const fix = `order by "${by}", and continue with \`where: { ${pitfalls.writeAfter(by)} }\`: the database reads every skipped row${limit}.`;
    const place = at(owner, skipped);
    report(
      skipped,
      buildFileFinding("operation/skip-walk", [key, skipped.name.value, by], { ...place, fix }),
    );
  }
}

/** The largest page: the limit of graph-node, and of the row caps of hosted indexers. */
const MANY = 1000;

/** The value of an argument: absent, a number, or chosen by the caller. */
type Amount =
  | { readonly kind: "none"; readonly variable: string | null }
  | {
      readonly kind: "number";
      readonly value: number;
      readonly node: ValueNode;
      readonly variable: string | null;
    }
  | { readonly kind: "callers" };

function readNumber(value: ValueNode | null, { variables }: Scope): Amount {
  if (value?.kind === Kind.INT)
    return { kind: "number", value: Number(value.value), node: value, variable: null };
  if (value?.kind !== Kind.VARIABLE) return { kind: "none", variable: null };
  const variable = value.name.value;
  const { type, defaultValue } = variables.get(variable) ?? {};
  if (defaultValue?.kind === Kind.INT) {
    return { kind: "number", value: Number(defaultValue.value), node: defaultValue, variable };
  }
  return type?.kind === Kind.NON_NULL_TYPE ? { kind: "callers" } : { kind: "none", variable };
}

function findOutside(
  amount: Amount,
  { name, range, code }: ListArgument & { readonly code: "operation/first-range" | "operation/skip-range" },
  { owner, operation, report }: Scope,
): void {
  if (amount.kind !== "number" || range === null) return;
  const { value, variable, node } = amount;
  if (value >= range.least && value <= range.most) return;
  const place = at(variable === null ? owner : operation, node);
  report(node, buildFileFinding(code, [name, value, { ...range, variable }], place));
}

/** Returns the entries of a literal filter that must all hold. */
function collectEntries(filter: ValueNode | null, conjunction: string): ObjectFieldNode[] {
  if (filter?.kind === Kind.LIST) return filter.values.flatMap((value) => collectEntries(value, conjunction));
  if (filter?.kind !== Kind.OBJECT) return [];
  return filter.fields.flatMap((entry) =>
    entry.name.value === conjunction ? collectEntries(entry.value, conjunction) : [entry],
  );
}

/** Returns whether a filter lists the ids of its rows, so that they fit on one page. */
function namesRows(
  filter: readonly ObjectFieldNode[],
  columns: readonly string[],
  { pitfalls }: Scope,
): boolean {
  const { operandOf, size } = pitfalls;
  return filter.some((entry) =>
    columns.some((column) => {
      const operand = operandOf(entry, column, "equal");
      if (operand !== null && operand.kind !== Kind.NULL) return true;
      const some = operandOf(entry, column, "in");
      if (some === null) return false;
      return size.unsaid === null || (some.kind === Kind.LIST && some.values.length <= size.unsaid);
    }),
  );
}

/** Finds pitfalls of a value in an argument: a text that cannot match a row, and a list that may be empty. */
function findFilterPitfalls({ value, type, key }: Input, scope: Scope): void {
  const { pitfalls, operation, owner, variables, report } = scope;
  const variable = value.kind === Kind.VARIABLE ? value.name.value : null;
  const standing = variable === null ? value : variables.get(variable)?.defaultValue;
  // The items of a literal list are inputs of their own.
  const isSent = standing?.kind === Kind.LIST && variable !== null;
  for (const text of isSent ? standing.values : standing ? [standing] : []) {
    if (text.kind !== Kind.STRING || !isHex(text.value)) continue;
    const place = at(variable === null ? owner : operation, text);
    const scalar = getNamedType(type).name;
    const shown = shorten(text.value);
    const bytes = pitfalls.writeBytes(scalar, text.value.slice(2));
    if (bytes !== null) {
      const fix = `write ${JSON.stringify(shorten(bytes))}.`;
      report(text, buildFileFinding("operation/text-as-bytes", [shown], { ...place, fix }));
    } else if (/[A-Z]/.test(text.value) && pitfalls.comparesCase(scalar, key)) {
      const fix = `write "${shown.toLowerCase()}".`;
      report(text, buildFileFinding("operation/upper-case-hex", [shown], { ...place, fix }));
    }
  }
  const { isOperator, ofNothing } = pitfalls.exclusion;
  if (isOperator(key) && isListType(type) && mayBeEmpty(standing, variable !== null)) {
    const fix =
      variable === null
        ? "leave the condition out, or write what to exclude."
        : `give "$${variable}" a default that excludes nothing you have, and leave it out instead of sending an empty list.`;
    const severity = ofNothing === "every row" ? ({ severity: "cosmetic" } as const) : {};
    const rest = { ...at(owner, value), ...severity, fix };
    report(value, buildFileFinding("operation/empty-exclusion", [key, variable, ofNothing], rest));
  }
}

/** Longer than a transaction hash. */
const LONGEST = 80;

function shorten(text: string): string {
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}

function isHex(text: string): boolean {
  return /^0[xX][0-9a-fA-F]+$/.test(text);
}

/** @param isDefault whether callers may send another. */
function mayBeEmpty(list: ValueNode | undefined, isDefault: boolean): boolean {
  if (list === undefined || list.kind === Kind.NULL) return isDefault;
  return list.kind === Kind.LIST && list.values.length === 0;
}
