import type { Budget } from "../served-style.ts";
import { messages } from "./messages.ts";
import {
  caseVariants,
  createRegexTest,
  LETTER_CHARACTERS,
  LETTER_CLASSES,
  literalSource,
  NAMED_CLASSES,
  WORD_MEMBERS,
} from "./regex-classes.ts";

export type Matcher = (text: string) => boolean;

/**
 * Compiles an advanced regular expression of Postgres, which matches anywhere in the text. Translates it to JavaScript
 * part by part: the two syntaxes look alike, but differ in most details.
 *
 * @param budget of the request that matches.
 * @throws QueryError with Postgres' reason for what it cannot read.
 */
export function compilePosix(pattern: string, ignoreCase: boolean, budget: Budget): Matcher {
  const literal = /^\*\*\*=/.exec(pattern);
  const director = literal ?? /^\*\*\*:/.exec(pattern);
  const rest = director ? pattern.slice(director[0].length) : pattern;
  const embedded = literal ? null : /^\(\?([a-z]+)\)/.exec(rest);
  const options = embedded?.[1] ?? "";
  if (/[^bceimnpqstwx]/.test(options)) throw messages.regexInvalid("invalid embedded option");
  const body = embedded ? rest.slice(embedded[0].length) : rest;
  // Of two opposite options, the last counts.
  const insensitive = /[ic](?!.*[ic])/.exec(options)?.[0] ?? (ignoreCase ? "i" : "c");
  const lines = /[nmpws](?!.*[nmpws])/.exec(options)?.[0] ?? "s";
  const isLiteral = literal !== null || options.includes("q");
  const ignored = insensitive === "i";
  const translator = new Translator(body, {
    isExpanded: options.includes("x"),
    isWithinLines: "nmp".includes(lines),
    ignoresCase: ignored,
    budget,
  });
  const source = isLiteral ? translator.literal() : translator.translate();
  // The source itself ignores case, except for back references.
  const flags = `sv${ignored && /\\[1-9]/.test(source) ? "i" : ""}${"nmw".includes(lines) ? "m" : ""}`;
  return createRegexTest(new RegExp(source, flags), budget);
}

const MOST_REPEATED = 255;

type TranslatorOptions = {
  readonly isExpanded: boolean;
  /** Whether dots and negated classes do not match line ends. */
  readonly isWithinLines: boolean;
  readonly ignoresCase: boolean;
  readonly budget: Budget;
};

class Translator {
  readonly #pattern: string;
  readonly #options: TranslatorOptions;
  #at = 0;
  #groups = 0;
  #depth = 0;

  constructor(pattern: string, options: TranslatorOptions) {
    this.#pattern = pattern;
    this.#options = options;
  }

  /** The pattern as literal text. */
  literal(): string {
    return Array.from(this.#pattern, (character) => this.#character(character)).join("");
  }

  translate(): string {
    const source = this.#branches();
    if (this.#at < this.#pattern.length) throw messages.regexInvalid("parentheses () not balanced");
    return source;
  }

  #branches(): string {
    const branches = [this.#branch()];
    while (this.#peek() === "|") {
      this.#at++;
      branches.push(this.#branch());
    }
    return branches.join("|");
  }

  /** The next significant character; empty at the end. */
  #peek(): string {
    if (this.#options.isExpanded) {
      const blank = /(?:\s|#[^\n]*)*/y;
      blank.lastIndex = this.#at;
      this.#at += blank.exec(this.#pattern)?.[0].length ?? 0;
    }
    const code = this.#pattern.codePointAt(this.#at);
    return code === undefined ? "" : String.fromCodePoint(code);
  }

  #branch(): string {
    let source = "";
    for (let next = this.#peek(); next !== "" && next !== "|"; next = this.#peek()) {
      if (next === ")") {
        if (this.#depth === 0) throw messages.regexInvalid("parentheses () not balanced");
        break;
      }
      source += this.#quantified();
    }
    return source;
  }

  #quantified(): string {
    this.#refuseQuantifier();
    const { source, constrains } = this.#atom();
    this.#peek();
    if (constrains) this.#refuseQuantifier();
    const quantifier = this.#quantifier();
    if (quantifier === null) return source;
    this.#peek();
    this.#refuseQuantifier();
    return `(?:${source})${quantifier}`;
  }

  #refuseQuantifier(): void {
    const begin = /[*+?]|\{\d/y;
    begin.lastIndex = this.#at;
    if (begin.test(this.#pattern)) throw messages.regexInvalid("quantifier operand invalid");
  }

  /** Reads `*`, `+`, `?` or `{m,n}`, and drops greediness, which does not change whether a text matches. */
  #quantifier(): string | null {
    const form = /([*+?])\??|\{(\d+)(,(\d*))?(\}\??)?/y;
    form.lastIndex = this.#at;
    const match = form.exec(this.#pattern);
    if (!match) return null;
    const [whole, sign, least = "", range, most = "", end] = match;
    this.#at += whole.length;
    if (sign !== undefined) return sign;
    if (end === undefined) {
      const unclosed = this.#at === this.#pattern.length;
      throw messages.regexInvalid(unclosed ? "braces {} not balanced" : "invalid repetition count(s)");
    }
    const upper = most === "" ? Number(least) : Number(most);
    if (Number(least) > MOST_REPEATED || upper > MOST_REPEATED || upper < Number(least)) {
      throw messages.regexInvalid("invalid repetition count(s)");
    }
    return `{${Number(least)}${range === undefined ? "" : `,${most}`}}`;
  }

  #atom(): { readonly source: string; readonly constrains: boolean } {
    const character = this.#peek();
    this.#at += character.length;
    switch (character) {
      case "(":
        return this.#group();
      case "[":
        return this.#wordEdge() ?? { source: this.#bracket(), constrains: false };
      case "\\":
        return this.#escape();
      case "^":
        return { source: "^", constrains: true };
      case "$":
        return { source: "$", constrains: true };
      case ".":
        return { source: this.#options.isWithinLines ? "[^\\n]" : ".", constrains: false };
      default:
        return { source: this.#character(character), constrains: false };
    }
  }

  /** A character, or any of its cases. */
  #character(character: string): string {
    const variants = this.#variants(character);
    return variants.length > 1 ? `[${variants.join("")}]` : variants.join("");
  }

  #variants(character: string): readonly string[] {
    return Array.from(this.#options.ignoresCase ? caseVariants(character) : [character], literalSource);
  }

  #group(): { readonly source: string; readonly constrains: boolean } {
    const form = /\?(?::|<?[=!])/y;
    form.lastIndex = this.#at;
    const kind = form.exec(this.#pattern)?.[0] ?? "";
    if (kind === "" && this.#pattern[this.#at] === "?")
      throw messages.regexInvalid("quantifier operand invalid");
    this.#at += kind.length;
    this.#depth++;
    const inner = this.#branches();
    this.#depth--;
    if (this.#peek() !== ")") throw messages.regexInvalid("parentheses () not balanced");
    this.#at++;
    if (kind === "") this.#groups++;
    return { source: `(${kind}${inner})`, constrains: /[=!]/.test(kind) };
  }

  #escape(): { readonly source: string; readonly constrains: boolean } {
    const letter = this.#pattern.charAt(this.#at);
    const constraint = CONSTRAINTS[letter];
    if (constraint !== undefined) {
      this.#at++;
      return { source: constraint, constrains: true };
    }
    const letterClass = LETTER_CLASSES[letter];
    if (letterClass !== undefined) {
      this.#at++;
      return { source: `[${letterClass[1] ? "^" : ""}${letterClass[0]}]`, constrains: false };
    }
    const reference = /[1-9]\d*/y;
    reference.lastIndex = this.#at;
    const digits = reference.exec(this.#pattern)?.[0];
    if (digits !== undefined && (digits.length === 1 || Number(digits) <= this.#groups)) {
      if (Number(digits) > this.#groups) throw messages.regexInvalid("invalid backreference number");
      this.#at += digits.length;
      return { source: `(?:\\${digits})`, constrains: false };
    }
    return { source: this.#character(this.#escapedCharacter()), constrains: false };
  }

  /** Reads the escape of a single character. */
  #escapedCharacter(): string {
    const form =
      /u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})|x([0-9A-Fa-f]+)|(0|[0-7]{2,3})|c(.)|([abBefnrtv])|([^A-Za-z0-9])/suy;
    form.lastIndex = this.#at;
    const match = form.exec(this.#pattern);
    if (!match) throw messages.regexInvalid("invalid escape \\ sequence");
    const [whole, four, eight, hex, octal, control, letter, itself = ""] = match;
    this.#at += whole.length;
    const code = four ?? eight ?? hex;
    if (code !== undefined) return characterOf(Number.parseInt(code, 16));
    if (octal !== undefined) return characterOf(Number.parseInt(octal, 8));
    if (control !== undefined) return characterOf((control.codePointAt(0) ?? 0) & 31);
    return letter === undefined ? itself : (LETTER_CHARACTERS[letter] ?? "");
  }

  /** Reads the rest of `[[:<:]]` or `[[:>:]]`, which look like classes. */
  #wordEdge(): { readonly source: string; readonly constrains: boolean } | null {
    const edge = /^\[:([<>]):\]\]/.exec(this.#pattern.slice(this.#at, this.#at + 6))?.[1];
    if (edge === undefined) return null;
    this.#at += 6;
    return { source: CONSTRAINTS[edge === "<" ? "m" : "M"] ?? "", constrains: true };
  }

  #bracket(): string {
    const negated = this.#pattern[this.#at] === "^";
    if (negated) this.#at++;
    let members = negated && this.#options.isWithinLines ? "\\n" : "";
    const start = this.#at;
    while (this.#at === start || this.#pattern[this.#at] !== "]") {
      if (this.#at >= this.#pattern.length) throw messages.regexInvalid("brackets [] not balanced");
      members += this.#member();
    }
    this.#at++;
    return `[${negated ? "^" : ""}${members}]`;
  }

  #member(): string {
    const named = /\[:(.*?):\]/sy;
    named.lastIndex = this.#at;
    const match = named.exec(this.#pattern);
    if (match) {
      const name = match[1] ?? "";
      const members = NAMED_CLASSES.get(
        this.#options.ignoresCase && /^(?:low|upp)er$/.test(name) ? "alpha" : name,
      );
      if (members === undefined) throw messages.regexInvalid("invalid character class");
      this.#at += match[0].length;
      return members;
    }
    const letterClass = LETTER_CLASSES[this.#pattern[this.#at + 1] ?? ""];
    if (this.#pattern[this.#at] === "\\" && letterClass !== undefined) {
      this.#at += 2;
      return `[${letterClass[1] ? "^" : ""}${letterClass[0]}]`;
    }
    const first = this.#end();
    const next = this.#pattern[this.#at + 1];
    if (this.#pattern[this.#at] !== "-" || next === "]" || next === undefined) {
      return this.#variants(first).join("");
    }
    this.#at++;
    const last = this.#end();
    const [from, to] = [first.codePointAt(0) ?? 0, last.codePointAt(0) ?? 0];
    if (from > to) throw messages.regexInvalid("invalid character range");
    const range = `${literalSource(first)}-${literalSource(last)}`;
    if (!this.#options.ignoresCase) return range;
    this.#options.budget.spend((to - from) / 8);
    const members = new Set<string>();
    for (let code = from; code <= to; code++) {
      const character = String.fromCodePoint(code);
      if (CASED.test(character)) for (const variant of this.#variants(character)) members.add(variant);
    }
    return range + [...members].join("");
  }

  /** One character inside brackets: plain, escaped, or `[.x.]`. */
  #end(): string {
    const collating = /\[([.=])(.*?)\1\]/suy;
    collating.lastIndex = this.#at;
    const match = collating.exec(this.#pattern);
    if (match) {
      if ([...(match[2] ?? "")].length !== 1) throw messages.regexInvalid("invalid collating element");
      this.#at += match[0].length;
      return match[2] ?? "";
    }
    const character = characterOf(this.#pattern.codePointAt(this.#at) ?? 0);
    this.#at += character.length;
    return character === "\\" ? this.#escapedCharacter() : character;
  }
}

function characterOf(code: number): string {
  if (code > 0x10ffff) throw messages.regexInvalid("invalid escape \\ sequence");
  return String.fromCodePoint(code);
}

const CASED = /\p{Changes_When_Casemapped}/u;

const IN_WORD = `[${WORD_MEMBERS}]`;

/** Zero-width assertions. */
const CONSTRAINTS: Readonly<Record<string, string>> = {
  A: "(?<![\\s\\S])",
  Z: "(?![\\s\\S])",
  m: `(?<!${IN_WORD})(?=${IN_WORD})`,
  M: `(?<=${IN_WORD})(?!${IN_WORD})`,
  y: `(?:(?<!${IN_WORD})(?=${IN_WORD})|(?<=${IN_WORD})(?!${IN_WORD}))`,
  // Without the lookahead, JavaScript also tries the position inside a surrogate pair.
  Y: `(?=[^]|$)(?:(?<=${IN_WORD})(?=${IN_WORD})|(?<!${IN_WORD})(?!${IN_WORD}))`,
};
