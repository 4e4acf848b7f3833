import type { ts } from "ts-morph";
import { type Compiler, unwrap } from "../operations/code-syntax.ts";

/** A value in the text of a document that is not constant. */
export type Hole = {
  /** The code of the value that a variable would have: `ids` for `ids.map((id) => JSON.stringify(id)).join(",")`. */
  readonly code: string;
  /** The code as it is written, on one line. */
  readonly shown: string;
  /** The name of the value; null if it is a longer expression. */
  readonly name: string | null;
  /** Whether it writes quotes itself: `JSON.stringify(x)`. */
  readonly isQuoted: boolean;
  /** Whether it writes one value or the items of a list; "joined" items write all quotes except for the outer ones. */
  readonly writes: "value" | "items" | "joined";
  /** Whether it may write `null`, or one of several texts. */
  readonly isConditional: boolean;
};

/** Describes an expression in a template, or between texts. Nothing is evaluated. */
export function readHole(compiler: Compiler, expression: ts.Expression): Hole {
  const node = unwrap(compiler, expression);
  const written = (part: ts.Node) => part.getText().replaceAll(/\s+/g, " ");
  const shown = written(expression);
  const value = { code: written(node), shown, name: rootName(compiler, node), isConditional: false } as const;
  const single = { ...value, isQuoted: false, writes: "value" } as const;
  if (isConditional(compiler, node)) return { ...single, isConditional: true };
  const quoted = quotedPart(compiler, node);
  if (quoted !== null) {
    return { ...single, isQuoted: true, code: written(quoted), name: rootName(compiler, quoted) };
  }
  const joined = calledOn(compiler, node, "join");
  const separator = joined?.argument;
  if (joined && separator && compiler.isStringLiteralLike(separator) && /^"\s*,?\s*"$/.test(separator.text)) {
    return { ...value, code: written(joined.on), isQuoted: true, writes: "joined" };
  }
  const list = joined?.on ?? node;
  const mapped = calledOn(compiler, list, "map");
  if (mapped?.argument === undefined) {
    return joined === null ? single : { ...single, code: written(list), writes: "items" };
  }
  const item = readMapper(compiler, mapped.argument);
  const on = written(mapped.on);
  const code = item === null ? written(list) : item.code === "" ? on : `${on}.map(${item.code})`;
  return { ...value, code, isQuoted: item !== null, writes: "items" };
}

function isConditional(compiler: Compiler, node: ts.Expression): boolean {
  if (compiler.isConditionalExpression(node) || /^(?:null|undefined)$/.test(node.getText())) return true;
  if (!compiler.isBinaryExpression(node)) return false;
  const { QuestionQuestionToken, BarBarToken, AmpersandAmpersandToken } = compiler.SyntaxKind;
  const { kind } = node.operatorToken;
  // With another value than null behind `??`, there is always a value.
  if (kind === QuestionQuestionToken || kind === BarBarToken)
    return isConditional(compiler, unwrap(compiler, node.right));
  return kind === AmpersandAmpersandToken;
}

/** Returns `x` of `JSON.stringify(x)` and of a template with quotes around it. */
function quotedPart(compiler: Compiler, node: ts.Expression): ts.Expression | null {
  const json = calledOn(compiler, node, "stringify");
  if (json?.argument && compiler.isIdentifier(json.on) && json.on.text === "JSON")
    return unwrap(compiler, json.argument);
  if (!compiler.isTemplateExpression(node)) return null;
  const [span, ...more] = node.templateSpans;
  const isQuoted = span && more.length === 0 && node.head.text === '"' && span.literal.text === '"';
  return isQuoted ? unwrap(compiler, span.expression) : null;
}

/** Returns the code of a function that maps items to texts with quotes: empty for the items as they are; null for others. */
function readMapper(compiler: Compiler, mapper: ts.Expression): { readonly code: string } | null {
  if (mapper.getText() === "JSON.stringify") return { code: "" };
  if (!compiler.isArrowFunction(mapper) || compiler.isBlock(mapper.body)) return null;
  const body = unwrap(compiler, mapper.body);
  const item = quotedPart(compiler, body);
  const [parameter] = mapper.parameters;
  if (item === null || parameter === undefined) return null;
  const name = parameter.name.getText();
  return { code: item.getText() === name ? "" : `(${name}) => ${item.getText()}` };
}

function calledOn(
  compiler: Compiler,
  node: ts.Expression,
  method: string,
): { readonly on: ts.Expression; readonly argument: ts.Expression | undefined } | null {
  if (!compiler.isCallExpression(node) || !compiler.isPropertyAccessExpression(node.expression)) return null;
  const { name, expression } = node.expression;
  return name.text === method ? { on: unwrap(compiler, expression), argument: node.arguments[0] } : null;
}

/** Returns the identifier that an expression is, or on which it calls methods. */
function rootName(compiler: Compiler, expression: ts.Expression): string | null {
  let node = expression;
  while (compiler.isCallExpression(node)) {
    const callee = unwrap(compiler, node.expression);
    if (!compiler.isPropertyAccessExpression(callee)) return null;
    node = unwrap(compiler, callee.expression);
  }
  const isName = compiler.isIdentifier(node) && node.text.length > 2 && !GLOBALS.test(node.text);
  return isName ? node.getText() : null;
}

const GLOBALS = /^(?:Array|BigInt|Date|JSON|Math|Number|Object|String)$/;
