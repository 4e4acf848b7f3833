import type { ts } from "ts-morph";
import { loadCompiler, unwrap } from "../../../operations/code-syntax.ts";
import type { CodeModule } from "../read-code.ts";
import type { Reference } from "./find-references.ts";

/** A call that sends a document. */
export type DocumentCall = {
  readonly module: CodeModule;
  /** The call, with an `await` before it. */
  readonly node: ts.Expression;
  readonly isAwaited: boolean;
  /** The text of the variables; null without any. */
  readonly variables: ts.Expression | null;
  /** The chain with which the URL is chosen; null without one. */
  readonly chain: ts.Expression | null;
  /** Whether it resolves to the data alone, or to an object with them. */
  readonly isBare: boolean;
  /** The options of a cached query whose function is the call; null if there are none that `query` can replace. */
  readonly cached: CachedQuery | null;
};

/** The options of a cached query. */
export type CachedQuery = {
  readonly options: ts.ObjectLiteralExpression;
  /** Those other than the key and the function. */
  readonly others: readonly ts.ObjectLiteralElementLike[];
};

/** Reads the call that sends a document: `request(url, document, variables)` or `client.query({ query, variables })`. */
export function readCall({ node, module }: Reference): DocumentCall | null {
  const compiler = loadCompiler();
  const { parent } = node;
  if (compiler.isCallExpression(parent)) {
    const index = parent.arguments.indexOf(node);
    if (!isNamed(parent, "request") || (index !== 0 && index !== 1)) return null;
    const isMethod = compiler.isPropertyAccessExpression(unwrap(compiler, parent.expression));
    if (isMethod !== (index === 0) || parent.arguments.length > index + 2) return null;
    const url = index === 1 ? (parent.arguments[0] ?? null) : null;
    return build(parent, { variables: parent.arguments[index + 1] ?? null, url, isBare: true });
  }
  const isMember = compiler.isPropertyAssignment(parent) || compiler.isShorthandPropertyAssignment(parent);
  if (!isMember || !compiler.isIdentifier(parent.name)) return null;
  const object = parent.parent;
  const call = object.parent;
  if (!compiler.isCallExpression(call) || call.arguments[0] !== object) return null;
  if (!compiler.isObjectLiteralExpression(object)) return null;
  const isQuery = parent.name.text === "query" && isNamed(call, "query");
  const isRequest = parent.name.text === "document" && isNamed(call, "request");
  if (!isQuery && !isRequest) return null;
  const take = (name: string): ts.Expression | null => {
    const member = object.properties.find(
      (one) => one.name !== undefined && compiler.isIdentifier(one.name) && one.name.text === name,
    );
    if (member && compiler.isShorthandPropertyAssignment(member)) return member.name;
    return member && compiler.isPropertyAssignment(member) ? member.initializer : null;
  };
  const known = ["query", "document", "variables", "url"];
  const isKnown = object.properties.every(
    ({ name }) => name !== undefined && compiler.isIdentifier(name) && known.includes(name.text),
  );
  return isKnown ? build(call, { variables: take("variables"), url: take("url"), isBare: isRequest }) : null;

  function isNamed({ expression }: ts.CallExpression, name: string): boolean {
    const callee = unwrap(compiler, expression);
    if (compiler.isPropertyAccessExpression(callee)) return callee.name.text === name;
    return compiler.isIdentifier(callee) && callee.text === name;
  }

  function build(
    call: ts.CallExpression,
    given: Pick<DocumentCall, "variables" | "isBare"> & { readonly url: ts.Expression | null },
  ): DocumentCall {
    const isAwaited = compiler.isAwaitExpression(call.parent);
    const { variables, isBare, url } = given;
    const chain = url === null ? null : readChain(unwrap(compiler, url));
    const sent = isAwaited ? (call.parent as ts.Expression) : call;
    return { module, node: sent, isAwaited, variables, chain, isBare, cached: readCached(sent) };
  }

  /**
   * `useQuery({ queryKey, queryFn: () => … })`. A function with parameters may use them in the variables, `enabled` may guard
   * the variables, and `select` reads the former data.
   */
  function readCached(sent: ts.Expression): CachedQuery | null {
    let body: ts.Node = sent;
    while (compiler.isParenthesizedExpression(body.parent) || compiler.isReturnStatement(body.parent)) {
      body = body.parent;
    }
    const block = body.parent;
    const isOnly = compiler.isBlock(block) && block.statements.length === 1;
    const work = isOnly ? block.parent : block;
    if (!compiler.isArrowFunction(work) && !compiler.isFunctionExpression(work)) return null;
    const member = work.parent;
    if (work.parameters.length > 0 || !compiler.isPropertyAssignment(member)) return null;
    const options = member.parent;
    const call = options.parent;
    if (!compiler.isCallExpression(call) || call.arguments[0] !== options || call.typeArguments) return null;
    if (member.name.getText() !== "queryFn" || !HOOKS.some((name) => isNamed(call, name))) return null;
    const others = options.properties.filter((one) => !/^query(?:Key|Fn)$/.test(one.name?.getText() ?? ""));
    const isSafe = others.every(
      (one) => one.name !== undefined && !/^(?:enabled|select|skip)$/.test(one.name.getText()),
    );
    return isSafe && others.length === options.properties.length - 2 ? { options, others } : null;
  }

  /** Reads the chain of `URLS[chain]` and `subgraphUrl(chain)`. */
  function readChain(url: ts.Expression): ts.Expression | null {
    if (compiler.isElementAccessExpression(url)) return url.argumentExpression;
    // `URLS[chain] ?? ""` and `SUBGRAPHS[chain].url`.
    if (compiler.isBinaryExpression(url)) return readChain(unwrap(compiler, url.left));
    if (compiler.isPropertyAccessExpression(url)) return readChain(unwrap(compiler, url.expression));
    if (!compiler.isCallExpression(url) || url.arguments.length !== 1) return null;
    const callee = unwrap(compiler, url.expression);
    const name = compiler.isIdentifier(callee)
      ? callee.text
      : compiler.isPropertyAccessExpression(callee)
        ? callee.name.text
        : "";
    return /url|endpoint|subgraph/i.test(name) ? (url.arguments[0] ?? null) : null;
  }
}

/** Functions with the options of a cached query as argument. */
const HOOKS = ["useQuery", "useSuspenseQuery", "queryOptions"];

/** A member of an object literal: its name, and its value as text. */
export type Member = { readonly name: string; readonly value: string; readonly node: ts.Node };

/** Reads the members of variables that are written as an object; null for other expressions and for spreads. */
export function readMembers(variables: ts.Expression | null, text: string): readonly Member[] | null {
  const compiler = loadCompiler();
  if (variables === null) return [];
  const object = unwrap(compiler, variables);
  if (!compiler.isObjectLiteralExpression(object)) return null;
  const members: Member[] = [];
  for (const node of object.properties) {
    if (!node.name || !compiler.isIdentifier(node.name)) return null;
    const name = node.name.text;
    if (compiler.isShorthandPropertyAssignment(node)) members.push({ name, value: name, node });
    else if (compiler.isPropertyAssignment(node)) {
      members.push({ name, value: text.slice(node.initializer.getStart(), node.initializer.end), node });
    } else return null;
  }
  return members;
}
