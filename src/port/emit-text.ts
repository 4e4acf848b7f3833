import {
  type FragmentDefinitionNode,
  type FragmentSpreadNode,
  Kind,
  type OperationDefinitionNode,
  print,
  type SelectionNode,
  type Token,
  TokenKind,
  visit,
} from "graphql";
import { cached } from "../base/collections.ts";
import { printDefinition } from "../operations/print-document.ts";
import { withTypes } from "./classify-surface.ts";
import type { Edit } from "./fill-holes.ts";
import { type Definitions, usedVariables } from "./port-types.ts";

type Definition = OperationDefinitionNode | FragmentDefinitionNode;

/** The changes of a text that moves to its own file. */
export type TextChanges = {
  readonly name: string;
  /** The new names of fragments by their old names. */
  readonly fragments: ReadonlyMap<string, string>;
  /** The types that variables need, by name. */
  readonly types: ReadonlyMap<string, string>;
};

/** Returns the authored text of an operation and its fragments, with comments and with changes. */
export function emitSource(definitions: Definitions, changes: TextChanges): string {
  const used = usedVariables(definitions);
  const texts = [definitions.node, ...definitions.fragments].map((definition) => {
    const edits =
      definition.kind === Kind.OPERATION_DEFINITION ? editOperation(definition, changes, used) : [];
    edits.push(...editFragments(definition, changes));
    return `${commentsOf(definition)}${slice(definition, edits)}\n`;
  });
  return texts.join("\n");
}

/** Prints an operation and its fragments, with the comments before and in the originals. */
export function emitPrinted(
  { node, fragments }: Definitions,
  originals: readonly Definition[],
  changes: Pick<TextChanges, "name" | "fragments">,
): string {
  const texts = [node, ...fragments].map((definition, index) => {
    const original = originals[index];
    const renamed = renameFragments(definition, changes.fragments);
    const named =
      renamed.kind === Kind.OPERATION_DEFINITION
        ? { ...renamed, name: { kind: Kind.NAME, value: changes.name } as const }
        : renamed;
    if (original === undefined) return `${printDefinition(named)}\n`;
    const inner = innerComments(original);
    const above = [...(inner.get(null) ?? []), ""].join("\n");
    // Translated selections keep the places of their originals.
    const printed = printDefinition(named, ({ loc }) => (loc && inner.get(loc.start)) ?? []);
    return `${commentsOf(original)}${above}${printed}\n`;
  });
  return texts.join("\n");
}

function renameFragments<T extends Definition>(definition: T, names: ReadonlyMap<string, string>): T {
  const rename = <N extends FragmentSpreadNode | FragmentDefinitionNode>(node: N): N | undefined => {
    const value = names.get(node.name.value);
    return value === undefined ? undefined : { ...node, name: { kind: Kind.NAME, value } };
  };
  return visit(definition, { FragmentSpread: rename, FragmentDefinition: rename });
}

/** Returns the comments directly before a definition, without imports of other files. */
function commentsOf({ loc }: Definition): string {
  const comments: string[] = [];
  let token: Token | null = loc?.startToken.prev ?? null;
  while (token?.kind === TokenKind.COMMENT) {
    const before: Token | null = token.prev;
    // A comment after other text belongs to that text.
    const isBehind = before !== null && before.kind !== TokenKind.SOF && before.line === token.line;
    if (isBehind) break;
    if (!/^\s*import\b/.test(token.value)) comments.unshift(`#${token.value}\n`);
    token = before;
  }
  return comments.join("");
}

/**
 * Returns the comments inside a definition by the start of the innermost selection next to them; comments outside of its
 * selections by null.
 */
function innerComments(definition: Definition): ReadonlyMap<number | null, readonly string[]> {
  const byOwner = new Map<number | null, string[]>();
  const { loc } = definition;
  const comments: { readonly token: Token; readonly at: number }[] = [];
  for (let token = loc?.startToken ?? null; token && token !== loc?.endToken; token = token.next) {
    if (token.kind !== TokenKind.COMMENT) continue;
    const [before, after] = [nextToken(token, "prev"), nextToken(token, "next")];
    const isBehind = before?.line === token.line || after?.kind === TokenKind.BRACE_R;
    comments.push({ token, at: (isBehind ? before : after)?.start ?? token.start });
  }
  if (comments.length === 0) return byOwner;
  const selections: { readonly start: number; readonly end: number }[] = [];
  const note = (selection: SelectionNode) => {
    if (selection.loc) selections.push(selection.loc);
  };
  visit(definition, { Field: note, InlineFragment: note, FragmentSpread: note });
  for (const { token, at } of comments) {
    // Of nested selections, the inner one is later.
    const owner = selections.findLast(({ start, end }) => start <= at && at < end)?.start ?? null;
    cached(byOwner, owner, (): string[] => []).push(`#${token.value.trimEnd()}`);
  }
  return byOwner;
}

/** The next token in a direction that is not a comment. */
function nextToken(token: Token, direction: "prev" | "next"): Token | null {
  let near = token[direction];
  while (near?.kind === TokenKind.COMMENT) near = near[direction];
  return near;
}

function editOperation(
  node: OperationDefinitionNode,
  { name, types }: TextChanges,
  used: ReadonlySet<string>,
): Edit[] {
  const { loc, variableDefinitions = [], operation } = node;
  if (loc === undefined) return [];
  const edits: Edit[] = [];
  if (node.name?.loc) edits.push({ start: node.name.loc.start, end: node.name.loc.end, text: name });
  else if (loc.startToken.kind === TokenKind.BRACE_L) {
    edits.push({ start: loc.start, end: loc.start, text: `query ${name} ` });
  } else {
    const end = loc.start + operation.length;
    edits.push({ start: end, end, text: ` ${name}` });
  }
  const [first, last] = [variableDefinitions[0]?.loc, variableDefinitions.at(-1)?.loc];
  const kept = (withTypes(node, types).variableDefinitions ?? []).filter(({ variable }) =>
    used.has(variable.name.value),
  );
  if (kept.length < variableDefinitions.length && first && last) {
    // With the parentheses, which must not be empty.
    const [open, close] = [nextToken(first.startToken, "prev"), nextToken(last.endToken, "next")];
    const text = kept.length === 0 ? "" : `(${kept.map((variable) => print(variable)).join(", ")})`;
    edits.push({ start: open?.start ?? first.start, end: close?.end ?? last.end, text });
    return edits;
  }
  for (const { variable, type } of variableDefinitions) {
    const text = types.get(variable.name.value);
    if (text !== undefined && type.loc) edits.push({ start: type.loc.start, end: type.loc.end, text });
  }
  return edits;
}

function editFragments(definition: Definition, { fragments }: TextChanges): Edit[] {
  const edits: Edit[] = [];
  const rename = ({ name }: FragmentSpreadNode | FragmentDefinitionNode) => {
    const text = fragments.get(name.value);
    if (text !== undefined && name.loc) edits.push({ start: name.loc.start, end: name.loc.end, text });
  };
  visit(definition, { FragmentSpread: rename, FragmentDefinition: rename });
  return edits;
}

/** Returns the text of a definition with edits, without the indentation of its first line. */
function slice({ loc }: Definition, edits: readonly Edit[]): string {
  if (loc === undefined) return "";
  let text = loc.source.body.slice(loc.start, loc.end);
  for (const { start, end, text: replacement } of [...edits].sort((a, b) => b.start - a.start)) {
    text = text.slice(0, start - loc.start) + replacement + text.slice(end - loc.start);
  }
  const line = loc.source.body.slice(loc.source.body.lastIndexOf("\n", loc.start - 1) + 1, loc.start);
  const indent = /^[ \t]*$/.test(line) ? line.length : 0;
  const lines = text.replaceAll("\r\n", "\n").split("\n");
  return lines
    .map((line, index) =>
      index === 0 ? line : line.slice(Math.min(indent, line.length - line.trimStart().length)),
    )
    .map((line) => line.trimEnd())
    .join("\n");
}
