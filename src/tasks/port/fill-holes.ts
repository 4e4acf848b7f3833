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

/** The values of a document by their positions. */
export type Slots = {
  readonly slots: readonly Slot[];
  /** The places of the variables' definitions. */
  readonly definitions: readonly { readonly at: number; readonly before: string; readonly after: string }[];
  /** Why a value cannot become a variable; null if all can. */
  readonly problem: { readonly at: number; readonly message: string } | null;
};

type Frame = {
  readonly kind: "selection" | "arguments" | "variables" | "object" | "list";
  readonly start: number;
  /** The name before the value. */
  key: string;
  isBeforeValue: boolean;
  /** Of a list: the number of its items, and the last one with a value. */
  items: number;
  slot: Slot | null;
};

/** A document with variables in place of its values. */
export type Filled = {
  /** The document with marks. */
  readonly source: SourceDocument;
  readonly found: Slots;
  /** The name of the variable of each slot. */
  readonly names: readonly string[];
};

/** Finds out what each value of a document stands for. A scanner reads it: with marks, it is not valid GraphQL. */
export function findSlots({ text, holes }: Pick<SourceDocument, "text" | "holes">): Slots {
  const slots: Slot[] = [];
  const definitions: { at: number; before: string; after: string }[] = [];
  const frames: Frame[] = [];
  let problem: Slots["problem"] = null;
  let [next, words, lastName] = [0, 0, { word: "", end: 0 }];
  for (const { index, 0: token } of text.matchAll(TOKEN)) {
    const frame = frames.at(-1);
    if (token.startsWith("#")) next += countMarks(token);
    else if (token.startsWith('"')) readString(token, index, frame);
    else if (token === MARK) readBare(holeAt(next++), index, frame);
    else if (/^\w/.test(token)) readName(token, index, frame);
    else if ("{([".includes(token)) open(token, index, frame);
    else if ("})]".includes(token)) close(index);
    else if (token === "$" && frame) frame.isBeforeValue = false;
  }
  return { slots, definitions, problem };

  function holeAt(index: number): Hole {
    const hole = holes[index];
    if (hole === undefined) throw new TypeError("A value is missing.");
    return hole;
  }

  function isInVariables(): boolean {
    return frames.some(({ kind }) => kind === "variables");
  }

  function refuse(hole: Hole, at: number, message: string): void {
    problem ??= { at, message: `\`${short(hole.shown)}\` ${message}` };
  }

  function readName(token: string, index: number, frame: Frame | undefined): void {
    if (frame === undefined) {
      // The keyword and the name, not a directive.
      if (text[index - 1] === "@" || ++words > 2) return;
      lastName = { word: words === 1 ? token : lastName.word, end: index + token.length };
    } else if (/^[\s,]*:/.test(text.slice(index + token.length, index + token.length + 200))) {
      Object.assign(frame, { key: token, isBeforeValue: true });
    } else note(frame);
  }

  /** Notes a value in a frame. */
  function note(frame: Frame | undefined, slot: Slot | null = null): void {
    if (frame === undefined) return;
    Object.assign(frame, { isBeforeValue: false, items: frame.items + 1, slot: slot ?? frame.slot });
  }

  function open(token: string, index: number, frame: Frame | undefined): void {
    const isValue = frame !== undefined && frame.kind !== "selection";
    const isDefinition = frame === undefined && !/@\w+\s*$/.test(text.slice(Math.max(0, index - 200), index));
    const kinds = { "[": "list", "(": isDefinition ? "variables" : "arguments" } as const;
    const kind = token === "[" || token === "(" ? kinds[token] : isValue ? "object" : "selection";
    if (isValue) note(frame);
    if (frame === undefined && lastName.word !== "fragment") {
      const { end } = lastName;
      if (kind === "variables") words = Number.NEGATIVE_INFINITY;
      else if (kind !== "selection") words = Math.max(words, 1);
      else if (words === 0) definitions.push({ at: index, before: "query(", after: ") " });
      else if (words > 0) definitions.push({ at: end, before: "(", after: ")" });
    }
    frames.push({ kind, start: index, key: "", isBeforeValue: false, items: 0, slot: null });
  }

  function close(index: number): void {
    const frame = frames.pop();
    if (frame?.kind === "variables") definitions.push({ at: index, before: ", ", after: "" });
    if (frame?.kind === "selection" && frames.length === 0) [words, lastName] = [0, { word: "", end: 0 }];
    const { slot } = frame ?? {};
    if (frame?.kind !== "list" || !slot || slot.hole.isConditional) return;
    if (frame.items > 1) {
      if (slot.hole.writes !== "value")
        refuse(slot.hole, slot.start, "stands for several values beside others.");
    } else if (slot.hole.writes !== "value" || (slot.isBare && !slot.hole.isQuoted)) {
      // The only item is a whole list.
      const { start } = frame;
      const [before, after] = [text.slice(start, slot.start), text.slice(slot.end, index + 1)];
      slots[slots.length - 1] = {
        ...{ ...slot, start, end: index + 1 },
        write: (value) => {
          const written = slot.write(value);
          return written === null ? null : `${before}${written}${after}`;
        },
      };
    }
  }

  function readString(token: string, index: number, frame: Frame | undefined): void {
    const count = countMarks(token);
    const own = holes.slice(next, next + count);
    next += count;
    const [hole] = own;
    if (hole === undefined) note(frame);
    else if (frame === undefined || frame.kind === "selection" || isInVariables()) {
      refuse(hole, index, "is part of a text that is not a value.");
    } else addString(token, index, { own, hole, frame });
  }

  function addString(
    token: string,
    index: number,
    { own, hole, frame }: { readonly own: readonly Hole[]; readonly hole: Hole; readonly frame: Frame },
  ): void {
    const quotes = token.startsWith('"""') ? '"""' : '"';
    const parts = token.slice(quotes.length, -quotes.length).split(MARK);
    const isWhole = parts.length === 2 && parts.every((part) => part === "");
    const conditional = own.find((one) => one.isConditional);
    if (conditional) refuse(conditional, index, "may be null.");
    const isJoined = hole.writes === "joined";
    if (isJoined && !(isWhole && frame.kind === "list")) refuse(hole, index, "stands for several values.");
    const template = parts
      .map((part, at) => `${part.replaceAll(/[`\\]|\$\{/g, "\\$&")}${own[at] ? `\${${own[at].shown}}` : ""}`)
      .join("");
    const code = isWhole ? (isJoined ? hole.code : hole.shown) : `\`${template}\``;
    const write = (value: unknown) => {
      if (Array.isArray(value)) return value.map((item) => `"${String(item)}"`).join(",");
      const fits = fitsParts(String(value), parts);
      return fits ? `${quotes}${String(value)}${quotes}` : null;
    };
    const shown = { ...hole, isQuoted: false, name: isWhole ? hole.name : null };
    add({ hole: shown, start: index, end: index + token.length, code, write, isBare: false }, frame);
  }

  function readBare(hole: Hole, index: number, frame: Frame | undefined): void {
    const [before, after] = [text.slice(Math.max(0, index - 200), index), text.slice(index + 1, index + 200)];
    if (
      new RegExp(`[\\w$@${MARK}]$|\\.\\.\\.\\s*$`).test(before) ||
      new RegExp(`^(?:[\\w${MARK}]|\\s*[:(])`).test(after)
    ) {
      refuse(hole, index, "is part of a name.");
    } else if (frame === undefined) refuse(hole, index, "is not a constant document of this project.");
    else if (frame.kind === "selection") refuse(hole, index, "stands for fields or names.");
    else if (isInVariables()) refuse(hole, index, "stands for variables, or for the default of one.");
    else if (!frame.isBeforeValue && frame.kind !== "list") {
      refuse(hole, index, `stands for ${frame.kind === "object" ? "conditions" : "arguments"}.`);
    } else {
      if (hole.isConditional) refuse(hole, index, "may be null.");
      if (hole.writes !== "value" && frame.kind !== "list") refuse(hole, index, "stands for several values.");
      const item = (value: unknown) => (hole.isQuoted ? JSON.stringify(value) : String(value));
      const write = (value: unknown) =>
        Array.isArray(value) && (hole.writes !== "value" || !hole.isQuoted)
          ? value.map(item).join(", ")
          : item(value);
      add({ hole, start: index, end: index + 1, code: hole.code, write, isBare: true }, frame);
    }
  }

  function add(slot: Omit<Slot, "keys">, frame: Frame): void {
    const keys = frames.toReversed().flatMap(({ key }) => (key === "" ? [] : [key]));
    const added = { ...slot, keys };
    slots.push(added);
    note(frame, added);
  }
}

/** Marks, names and numbers, strings, comments and brackets. */
const TOKEN = new RegExp(
  `#[^\\n\\r]*|"""[\\s\\S]*?"""|"(?:\\\\.|[^"\\\\\\n\\r])*"|\\w+|${MARK}|[{}()[\\]$]`,
  "g",
);

function countMarks(text: string): number {
  return text.split(MARK).length - 1;
}

function short(code: string): string {
  const text = code.length > 60 ? `${code.slice(0, 60)}…` : code;
  return `\${${text}}`;
}

/** Whether a text has constant parts, in their order, with values between them. */
function fitsParts(text: string, parts: readonly string[]): boolean {
  const pattern = parts.map((part) => part.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&")).join("[^]+");
  return new RegExp(`^${pattern}$`).test(text);
}

/** Returns a document with variables in place of its values, which are declared with a type that is replaced later. */
export function fillHoles({ source, found, names }: Filled): SourceDocument {
  const declared = [...new Set(names)].map((name) => `$${name}: ${ANY_TYPE}!`).join(", ");
  const edits = [
    ...found.slots.map(({ start, end }, index) => ({ start, end, text: `$${names[index]}` })),
    ...(declared === "" ? [] : found.definitions).map(({ at, before, after }) => {
      return { start: at, end: at, text: `${before}${declared}${after}` };
    }),
    ...marksOutside(source.text, found.slots).map((at) => ({ start: at, end: at + 1, text: "" })),
  ].sort((a, b) => a.start - b.start);
  let [text, from] = ["", 0];
  const moves: { readonly at: number; readonly was: number }[] = [{ at: 0, was: 0 }];
  for (const edit of edits) {
    text += source.text.slice(from, edit.start);
    moves.push({ at: text.length, was: edit.start });
    text += edit.text;
    moves.push({ at: text.length, was: edit.end });
    from = edit.end;
  }
  text += source.text.slice(from);
  const toOriginal = (offset: number) => {
    const { at, was } = moves.findLast((move) => move.at <= offset) ?? { at: 0, was: 0 };
    return was + offset - at;
  };
  const toFilled = (offset: number) => {
    const { at, was } = moves.findLast((move) => move.was <= offset) ?? { at: 0, was: 0 };
    return at + offset - was;
  };
  return {
    ...{ ...source, text },
    locate: (offset) => source.locate(toOriginal(offset)),
    foreign: source.foreign.map(([start, end]) => [toFilled(start), toFilled(end)] as const),
  };
}

/** A type that every schema has. */
const ANY_TYPE = "String";

/** The marks of comments. */
function marksOutside(text: string, slots: readonly Slot[]): number[] {
  return [...text.matchAll(new RegExp(MARK, "g"))]
    .map(({ index }) => index)
    .filter((at) => !slots.some(({ start, end }) => start <= at && at < end));
}

/**
 * Returns the text that the project's code sends, with values by variable; null if it never writes one of them. Variables
 * without a value belong to other operations of the document.
 */
export function writeValues(
  { source: { text }, found, names }: Filled,
  values: ReadonlyMap<string, unknown>,
): string | null {
  let [written, from] = ["", 0];
  for (const [index, { start, end, write }] of found.slots.entries()) {
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
    const known = names.get(key);
    if (known !== undefined) return known;
    const own = keys.find((one) => !/^(?:_|and$|or$)/.test(one)) ?? "value";
    const plain = own.replace(OPERATOR, "");
    const base = hole.name !== null && /^[_A-Za-z]\w*$/.test(hole.name) ? hole.name : plain;
    let name = [base, plain, own].find((one) => !taken.has(one)) ?? base;
    for (let count = 2; taken.has(name); count++) name = `${base}${count}`;
    taken.add(name);
    names.set(key, name);
    return name;
  });
}

const OPERATOR = /_(?:not|gte?|lte?|in|contains|starts_with|ends_with|nocase|change_block)(?:_\w+)?$/;
