import { type ASTNode, type DocumentNode, Kind, TokenKind, visit } from "graphql";
import type { Hole } from "./read-hole.ts";
import { MARK, type SourceDocument } from "./source-document.ts";

/** A part of a document with a value, which becomes a variable. */
export type Slot = {
  /** The range in the text with marks. */
  readonly start: number;
  readonly end: number;
  readonly hole: Hole;
  /** The code of the variable's value. */
  readonly code: string;
  /** The keys around it, the nearest first: `["_eq", "asset", "where"]`. */
  readonly keys: readonly string[];
  /** Whether the value is written without quotes of the document. */
  readonly isBare: boolean;
  /** Returns the text that the project's code writes for a value; null if it never writes that value. */
  readonly write: (value: unknown) => string | null;
};

/** Why a value cannot become a variable; null if all can. */
type Problem = { readonly at: number; readonly message: string } | null;

/** A document with variables in place of its values. */
export type Filled = {
  /** The document with marks. */
  readonly source: SourceDocument;
  readonly slots: readonly Slot[];
  /** The name of the variable of each slot. */
  readonly names: readonly string[];
};

/** Finds out what each value of a parsed document stands for: a mark is a name, or part of a text. */
export function findSlots({ text, holes }: SourceDocument, document: DocumentNode) {
  const marks = marksOf(text);
  const slots: Slot[] = [];
  let problem: Problem = null;
  visit(document, { enter });
  return { slots, problem: problem as Problem };

  function holeAt(at: number): Hole {
    const hole = holes[marks.filter((mark) => mark < at).length];
    if (hole === undefined) throw new TypeError("A value is missing.");
    return hole;
  }

  function refuse(at: number, message: string, hole = holeAt(at)): void {
    problem ??= { at, message: `${showHole(hole)} ${message}` };
  }

  function enter(
    node: ASTNode,
    _key: unknown,
    parent: ASTNode | readonly ASTNode[] | undefined,
    _path: unknown,
    around: readonly (ASTNode | readonly ASTNode[])[],
  ): void {
    const hasMark = "value" in node && typeof node.value === "string" && node.value.includes(MARK);
    if (!hasMark || !node.loc) return;
    const above = [...around, ...(parent ? [parent] : [])].filter((item): item is ASTNode => "kind" in item);
    const at = text.indexOf(MARK, node.loc.start);
    const isMark = node.value === MARK;
    if (node.kind === Kind.NAME) {
      const isField = isMark && parent && "kind" in parent && parent.kind === Kind.FIELD;
      const isPlain = isField && !parent.alias && !parent.arguments?.length && !parent.selectionSet;
      refuse(at, isPlain ? "stands for fields or names." : "is part of a name.");
    } else if (above.some(({ kind }) => kind === Kind.VARIABLE_DEFINITION)) {
      refuse(at, "stands for the default of a variable.");
    } else if (node.kind === Kind.STRING || isMark) {
      addValue(node, { ...node.loc, at, above });
    } else refuse(at, "is part of a name.");
  }

  function addValue(
    node: ASTNode,
    { start, end, at, above }: { start: number; end: number; at: number; above: readonly ASTNode[] },
  ): void {
    const part = node.kind === Kind.STRING ? readText(start, end) : readBare(start);
    const { hole, isBare } = part;
    const conditional = holes.find(
      (part, index) => part.isConditional && at <= (marks[index] ?? 0) && (marks[index] ?? 0) < end,
    );
    if (conditional) refuse(at, "may be null.", conditional);
    const keys = above
      .filter((ancestor) => ancestor.kind === Kind.ARGUMENT || ancestor.kind === Kind.OBJECT_FIELD)
      .map((ancestor) => ancestor.name.value)
      .reverse();
    const list = above.at(-1)?.kind === Kind.LIST ? above.at(-1) : undefined;
    const isSeveral = hole.writes !== "value";
    const isOnlyItem = list?.kind === Kind.LIST && list.values.length === 1;
    if (isSeveral && !isOnlyItem) refuse(at, `stands for several values${list ? " beside others" : ""}.`);
    // The only item is a whole list, unless the list writes its quotes.
    if (!list?.loc || !isOnlyItem || !(isSeveral || (isBare && !hole.isQuoted))) {
      slots.push({ ...part, start, end, keys });
      return;
    }
    const [before, after] = [text.slice(list.loc.start, start), text.slice(end, list.loc.end)];
    const write = (value: unknown) => `${before}${part.write(value)}${after}`;
    slots.push({ ...part, start: list.loc.start, end: list.loc.end, keys, write });
  }

  function readText(start: number, end: number): Omit<Slot, "start" | "end" | "keys"> {
    const quotes = text.startsWith('"""', start) ? '"""' : '"';
    const parts = text.slice(start + quotes.length, end - quotes.length).split(MARK);
    const isWhole = parts.length === 2 && parts.every((part) => part === "");
    const first = holeAt(start);
    const hole = isWhole ? first : { ...first, name: null, writes: "value" as const };
    const index = marks.filter((mark) => mark < start).length;
    const escaped = parts.map((part) => part.replaceAll(/[`\\]|\$\{/g, "\\$&"));
    const template = escaped.reduce((all, part, at) => `${all}\${${holes[index + at - 1]?.shown}}${part}`);
    return {
      hole,
      isBare: false,
      code: !isWhole ? `\`${template}\`` : hole.writes === "joined" ? hole.code : hole.shown,
      write: (value) => {
        if (Array.isArray(value)) return value.map((item) => `"${String(item)}"`).join(",");
        return fitsParts(String(value), parts) ? `${quotes}${String(value)}${quotes}` : null;
      },
    };
  }

  function readBare(start: number): Omit<Slot, "start" | "end" | "keys"> {
    const hole = holeAt(start);
    const item = (value: unknown) => (hole.isQuoted ? JSON.stringify(value) : String(value));
    const isSpread = hole.writes !== "value" || !hole.isQuoted;
    const write = (value: unknown) =>
      Array.isArray(value) && isSpread ? value.map(item).join(", ") : item(value);
    return { hole, code: hole.code, isBare: true, write };
  }
}

/** Returns the problem of a document with a syntax error: if it is at a value, that stands for more than a value. */
export function explainError({ text, holes }: SourceDocument, at: number): Problem {
  const marks = marksOf(text).filter((mark) => mark <= at);
  const [mark, hole] = [marks.at(-1), holes[marks.length - 1]];
  if (mark === undefined || !hole || !/^\s*$/.test(text.slice(mark + MARK.length, at))) return null;
  const before = text.slice(0, mark);
  const isInside = before.replaceAll(/[^({[]/g, "").length > before.replaceAll(/[^)}\]]/g, "").length;
  const stands = isInside
    ? "stands for arguments or conditions."
    : "is not a constant document of this project.";
  return { at: mark, message: `${showHole(hole)} ${stands}` };
}

function marksOf(text: string): number[] {
  return [...text.matchAll(new RegExp(MARK, "g"))].map(({ index }) => index);
}

function showHole({ shown }: Hole): string {
  return `\`\${${shown.length > 60 ? `${shown.slice(0, 60)}…` : shown}}\``;
}

/** Whether a text has constant parts, in their order, with values between them. */
function fitsParts(text: string, parts: readonly string[]): boolean {
  const pattern = parts.map((part) => part.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&")).join("[^]+");
  return new RegExp(`^${pattern}$`).test(text);
}

/** A replacement of a range of a text. */
export type Edit = { readonly start: number; readonly end: number; readonly text: string };

/** Returns a document with variables in place of its values. */
export function fillHoles({ source, slots, names }: Filled): SourceDocument {
  const edits = slots.map(({ start, end }, index) => ({ start, end, text: `$${names[index]}` }));
  const filled = edit(source, edits);
  // The other marks are in comments.
  return { ...filled, text: filled.text.replaceAll(MARK, "…") };
}

/** Declares variables in each operation of a document, with a type that is replaced later. */
export function declareNames(
  source: SourceDocument,
  document: DocumentNode,
  names: readonly string[],
): SourceDocument {
  const declared = [...new Set(names)].map((name) => `$${name}: String!`).join(", ");
  if (declared === "") return source;
  const edits = document.definitions.flatMap((node): Edit[] => {
    if (node.kind !== Kind.OPERATION_DEFINITION || !node.loc) return [];
    const { start, startToken } = node.loc;
    const [first] = node.variableDefinitions ?? [];
    if (first?.loc) return [{ start: first.loc.start, end: first.loc.start, text: `${declared}, ` }];
    if (startToken.kind === TokenKind.BRACE_L) return [{ start, end: start, text: `query(${declared}) ` }];
    const end = node.name?.loc?.end ?? startToken.end;
    return [{ start: end, end, text: `(${declared})` }];
  });
  return edit(source, edits);
}

function edit(source: SourceDocument, edits: readonly Edit[]): SourceDocument {
  let [text, from] = ["", 0];
  const moves = [{ at: 0, was: 0 }];
  for (const { start, end, text: added } of edits) {
    text += source.text.slice(from, start);
    moves.push({ at: text.length, was: start });
    text += added;
    moves.push({ at: text.length, was: end });
    from = end;
  }
  text += source.text.slice(from);
  const move = (offset: number, of: "at" | "was", to: "at" | "was") => {
    const last = moves.findLast((step) => step[of] <= offset) ?? { at: 0, was: 0 };
    return last[to] + offset - last[of];
  };
  return {
    ...source,
    text,
    locate: (offset) => source.locate(move(offset, "at", "was")),
    foreign: source.foreign.map(
      ([start, end]) => [move(start, "was", "at"), move(end, "was", "at")] as const,
    ),
  };
}

/**
 * Returns the text that the project's code sends, with values by variable; null if it never writes one of them. Variables
 * without a value belong to other operations of the document.
 */
export function writeValues(
  { source: { text }, slots, names }: Filled,
  values: ReadonlyMap<string, unknown>,
): string | null {
  let [written, from] = ["", 0];
  for (const [index, { start, end, write }] of slots.entries()) {
    const name = names[index] ?? "";
    const code = values.has(name) ? write(values.get(name)) : "null";
    if (code === null) return null;
    written += text.slice(from, start) + code;
    from = end;
  }
  return (written + text.slice(from)).replaceAll(MARK, "");
}

/**
 * Names the variable of each slot: equal code at places of equal types is one variable.
 *
 * @param types a text for the types of each slot.
 */
export function nameSlots(text: string, slots: readonly Slot[], types: readonly string[]): string[] {
  const taken = new Set([...text.matchAll(/\$(\w+)/g)].map(([, name = ""]) => name));
  const names = new Map<string, string>();
  return slots.map(({ hole, code, keys }, index) => {
    const key = JSON.stringify([code, types[index]]);
    const earlier = names.get(key);
    if (earlier !== undefined) return earlier;
    const keyName = keys.find((candidate) => !/^(?:_|and$|or$)/.test(candidate)) ?? "value";
    const plain = keyName.replace(OPERATOR, "");
    const base = hole.name !== null && /^[_A-Za-z]\w*$/.test(hole.name) ? hole.name : plain;
    let name = [base, plain, keyName].find((candidate) => !taken.has(candidate)) ?? base;
    for (let count = 2; taken.has(name); count++) name = `${base}${count}`;
    taken.add(name);
    names.set(key, name);
    return name;
  });
}

const OPERATOR = /_(?:not|gte?|lte?|in|contains|starts_with|ends_with|nocase|change_block)(?:_\w+)?$/;
