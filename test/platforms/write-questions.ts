import type {
  ApiField,
  ApiInputObject,
  ApiInputValue,
  ApiSchema,
  ApiType,
} from "../../src/dialects/api-schema.ts";
import { baseTypeName, isList, isRequired, itemType, nullableType } from "../../src/dialects/api-schema.ts";
import type { Random } from "../emulator/agreement/random.ts";

/** A query to send. */
export type Question = {
  readonly query: string;
  readonly variables: Readonly<Record<string, unknown>> | null;
};

/** The material of queries. */
export type QuestionSource = {
  readonly schema: ApiSchema;
  /** Values of rows, by the name of their field. */
  readonly values: ReadonlyMap<string, readonly unknown[]>;
  readonly hashes: readonly string[];
};

/** A value of any kind, as a document writes it. */
type Literal = string;

/** Writes queries of a schema: most are valid, and the others have one or two errors. */
export function createQuestionWriter(source: QuestionSource): (random: Random) => Question {
  const { schema } = source;
  const types = new Map(schema.types.map((type) => [type.name, type]));
  const query = types.get(schema.queryType);
  if (query?.kind !== "OBJECT") throw new Error("There is no query type.");
  const rowFields = query.fields.filter(({ name }) => !name.startsWith("_"));

  return (random) => {
    const writer = new Writer(random, source, types);
    const roots = random.some(1, 2, () =>
      random.chance(0.04) ? random.pick(query.fields) : random.pick(rowFields),
    );
    const question = writer.document(roots);
    return random.chance(0.06) ? { ...question, query: breakText(question.query, random) } : question;
  };
}

/** Writes one document. Intended errors are rare, so that a document has at most one. */
class Writer {
  readonly #random: Random;
  readonly #source: QuestionSource;
  readonly #types: ReadonlyMap<string, ApiType>;
  readonly #variables = new Map<string, { type: string; value: unknown; fallback: string | null }>();
  readonly #fragments: string[] = [];
  #errors: number;

  constructor(random: Random, source: QuestionSource, types: ReadonlyMap<string, ApiType>) {
    this.#random = random;
    this.#source = source;
    this.#types = types;
    this.#errors = random.chance(0.35) ? random.below(2) + 1 : 0;
  }

  document(roots: readonly ApiField[]): Question {
    const random = this.#random;
    const fields = roots.map((field, index) => this.#field(field, 2, roots.length > 1 ? `r${index}` : ""));
    if (random.chance(0.05)) fields.push(this.#meta());
    const declared = [...this.#variables].map(
      ([name, { type, fallback }]) => `$${name}: ${type}${fallback === null ? "" : ` = ${fallback}`}`,
    );
    const head =
      declared.length > 0 ? `query Q(${declared.join(", ")}) ` : random.chance(0.1) ? "query Q " : "";
    const query = [`${head}{ ${fields.join(" ")} }`, ...this.#fragments].join(" ");
    const sent = [...this.#variables].filter(([, { value }]) => value !== undefined);
    const variables = Object.fromEntries(sent.map(([name, { value }]) => [name, value]));
    return { query, variables: sent.length > 0 || random.chance(0.1) ? variables : null };
  }

  /** Whether to write an error here. */
  #wrong(share: number): boolean {
    if (this.#errors === 0 || !this.#random.chance(share)) return false;
    this.#errors -= 1;
    return true;
  }

  #meta(): string {
    const block = this.#random.chance(0.6) ? `(block: ${this.#block()})` : "";
    return `_meta${block} { block { number hash timestamp parentHash } deployment hasIndexingErrors }`;
  }

  #field(field: ApiField, depth: number, alias: string): string {
    const random = this.#random;
    const name = this.#wrong(0.02) ? `${field.name}x` : field.name;
    const args = this.#arguments(field);
    const directive = random.chance(0.03) ? ` ${this.#directive()}` : "";
    const key = alias === "" && random.chance(0.05) ? "k: " : alias === "" ? "" : `${alias}: `;
    const selection = this.#selectionOf(field, depth);
    return `${key}${name}${args}${directive}${selection}`;
  }

  #selectionOf(field: ApiField, depth: number): string {
    const type = this.#types.get(baseTypeName(field.type));
    if (type === undefined || (type.kind !== "OBJECT" && type.kind !== "INTERFACE")) {
      return this.#wrong(0.01) ? " { id }" : "";
    }
    if (this.#wrong(0.03)) return "";
    return ` ${this.#selection(type.name, depth)}`;
  }

  #directive(): string {
    const random = this.#random;
    const value = random.chance(0.3)
      ? this.#variable("Boolean!", random.chance(0.5), null)
      : this.#wrong(0.2)
        ? random.pick(["1", '"true"', "null", "[true]"])
        : String(random.chance(0.6));
    const name = this.#wrong(0.1) ? "unknown" : random.pick(["skip", "include"]);
    return this.#wrong(0.05) ? `@${name}` : `@${name}(if: ${value})`;
  }

  #selection(typeName: string, depth: number): string {
    const random = this.#random;
    const type = this.#types.get(typeName);
    if (type === undefined || !("fields" in type) || type.kind === "INPUT_OBJECT") return "{ id }";
    const plain = type.fields.filter(({ type }) => this.#isLeaf(type));
    if (plain.length === 0) return "{ __typename }";
    const deep = depth > 0 ? type.fields.filter(({ type }) => !this.#isLeaf(type)) : [];
    const chosen = [
      ...plain.filter(({ name }) => name === "id"),
      ...random.some(0, 4, () => random.pick(plain)),
      ...(deep.length > 0 ? random.some(0, 2, () => random.pick(deep)) : []),
    ];
    const once = [...new Set(chosen)];
    const parts = once.map((field) => this.#field(field, depth - 1, ""));
    if (random.chance(0.05)) parts.push("__typename");
    if (this.#wrong(0.02))
      parts.push(random.pick(["__schema { types { name } }", '__type(name: "Int") { name }']));
    if (random.chance(0.06)) parts.push(this.#fragment(type, depth));
    return `{ ${parts.join(" ")} }`;
  }

  #fragment(type: ApiType, depth: number): string {
    const random = this.#random;
    const members = this.#source.schema.types.filter(
      (one) => one.kind === "OBJECT" && one.interfaces.includes(type.name),
    );
    const on = this.#wrong(0.1)
      ? random.pick(["Nope", "Query", ...this.#types.keys()])
      : random.pick([type.name, ...members.map(({ name }) => name)]);
    const directive = random.chance(0.2) ? ` ${this.#directive()}` : "";
    const selection = this.#selection(this.#types.has(on) ? on : type.name, Math.min(depth - 1, 1));
    if (random.chance(0.5)) return `... on ${on}${directive} ${selection}`;
    const name = `F${this.#fragments.length}`;
    this.#fragments.push(`fragment ${name} on ${on}${random.chance(0.2) ? directive : ""} ${selection}`);
    return `...${name}${directive}`;
  }

  #isLeaf(type: string): boolean {
    const kind = this.#types.get(baseTypeName(type))?.kind;
    return kind !== "OBJECT" && kind !== "INTERFACE";
  }

  #arguments(field: ApiField): string {
    const random = this.#random;
    const parts: string[] = [];
    for (const arg of field.args) {
      const isNeeded = isRequired(arg.type) && arg.defaultValue === null;
      if (isNeeded ? this.#wrong(0.05) : !random.chance(USUAL[arg.name] ?? 0.3)) continue;
      parts.push(`${arg.name}: ${this.#argument(arg, field)}`);
    }
    // Ordered only by the id of a reference, ties have no defined order, and pages no defined rows.
    const isById = (part: string) => {
      const [, name = ""] = /^orderBy: \$(\w+)/.exec(part) ?? [];
      return /^orderBy:.*__id/.test(`${part} ${this.#variables.get(name)?.value}`);
    };
    if (parts.some(isById)) {
      parts.splice(0, parts.length, ...parts.filter((part) => !/^(first|skip):/.test(part)));
    }
    if (this.#wrong(0.03)) parts.push(`unknown: ${this.#anything()}`);
    return parts.length > 0 ? `(${parts.join(", ")})` : "";
  }

  #argument(arg: ApiInputValue, field: ApiField): Literal {
    const random = this.#random;
    if (this.#wrong(0.1)) return random.chance(0.5) ? this.#anything() : this.#wrongVariable(arg.type);
    if (arg.name === "block") return this.#block();
    if (arg.name === "first" && random.chance(0.95)) return String(random.pick([1, 2, 3, 5, 10, 100]));
    if (arg.name === "first") return random.pick(["0", "-1", "1000", "1001", "99999999999", "null"]);
    if (arg.name === "skip") return random.pick(["0", "1", "2", "3", "10", "5000", "5001", "-1", "null"]);
    if (arg.name === "text") return JSON.stringify(random.pick(SEARCHES));
    if (random.chance(0.12)) return this.#variable(arg.type, false, this.#jsonOf(arg.type, arg.name, 2));
    return this.#literal(arg.type, `${baseTypeName(field.type)}.${arg.name}`, 2);
  }

  #block(): Literal {
    const random = this.#random;
    if (this.#wrong(0.2))
      return random.pick(["5", "null", "{}", '{ number: "6" }', "{ hash: 5 }", '{ hash: "0x" }']);
    const number = () => random.pick(["5", "6", "10", "20", "33", "39", "40"]);
    const outside = () => random.pick(["4", "0", "41", "2000", "-1", "99999999999"]);
    const [value] = [random.chance(0.9) ? number() : outside()];
    switch (random.below(5)) {
      case 0:
        return `{ hash: ${JSON.stringify(random.pick(this.#source.hashes))} }`;
      case 1:
        return `{ number_gte: ${value} }`;
      case 2:
        if (random.chance(0.2)) return `{ number: ${value}, number_gte: ${number()} }`;
        return `{ number: ${value} }`;
      default:
        return `{ number: ${value} }`;
    }
  }

  /** A valid value of an input type; `about` says which rows have such values. */
  #literal(type: string, about: string, depth: number): Literal {
    const random = this.#random;
    if (!isRequired(type) && random.chance(0.03)) return "null";
    if (isList(type)) {
      if (random.chance(0.03)) return this.#literal(itemType(type), about, depth);
      return `[${random.some(0, 3, () => this.#literal(itemType(type), about, depth)).join(", ")}]`;
    }
    if (random.chance(0.03)) return this.#variable(type, false, this.#jsonOf(type, about, depth));
    const named = this.#types.get(nullableType(type));
    if (named?.kind === "ENUM") return random.pick(named.values).name;
    if (named?.kind === "INPUT_OBJECT") return this.#object(named, depth);
    return this.#scalar(nullableType(type), about);
  }

  #object(type: ApiInputObject, depth: number): Literal {
    const random = this.#random;
    const isMixed = random.chance(0.05);
    const group = type.fields.filter(({ name }) => name === "and" || name === "or");
    const plain = type.fields.filter(({ name }) => name !== "and" && name !== "or");
    const chosen = new Map<string, ApiInputValue>();
    if (depth > 0 && group.length > 0 && random.chance(0.18)) {
      const one = random.pick(group);
      chosen.set(one.name, one);
    }
    if (chosen.size === 0 || isMixed) {
      for (const one of random.some(random.chance(0.02) ? 0 : 1, 2, () => random.pick(plain))) {
        if (depth > 0 || !one.name.endsWith("_")) chosen.set(one.name, one);
      }
    }
    const parts = [...chosen.values()].map((member) => {
      const about = `${type.name.replace(/_filter$/, "")}.${member.name}`;
      const value = this.#wrong(0.15) ? this.#anything() : this.#literal(member.type, about, depth - 1);
      return `${member.name}: ${value}`;
    });
    if (this.#wrong(0.05)) parts.push(`nope: ${this.#anything()}`);
    return `{ ${parts.join(", ")} }`;
  }

  #scalar(name: string, about: string): Literal {
    const value = this.#valueOf(name, about);
    if (typeof value === "string") return JSON.stringify(value);
    return String(value);
  }

  #valueOf(scalar: string, about: string): unknown {
    const random = this.#random;
    const field = about.slice(about.indexOf(".") + 1).replace(OPERATOR, "");
    const known = this.#source.values.get(field) ?? this.#source.values.get("id") ?? [];
    const flat = known.flat(2).filter((value) => value !== null && value !== undefined);
    if (flat.length > 0 && random.chance(0.8)) {
      const value = random.pick(flat);
      if (
        typeof value === "string" &&
        scalar !== "Bytes" &&
        /contains|starts|ends/.test(about) &&
        random.chance(0.5)
      ) {
        const from = random.below(value.length + 1);
        return value.slice(from, from + 1 + random.below(3));
      }
      if (fits(value, scalar)) return value;
    }
    return random.pick(EDGES[scalar] ?? EDGES["String"] ?? [""]);
  }

  #jsonOf(type: string, about: string, depth: number): unknown {
    const random = this.#random;
    if (!isRequired(type) && random.chance(0.05)) return null;
    if (isList(type)) return random.some(0, 3, () => this.#jsonOf(itemType(type), about, depth));
    const named = this.#types.get(nullableType(type));
    if (named?.kind === "ENUM") return random.pick(named.values).name;
    if (named?.kind === "INPUT_OBJECT") {
      const plain = named.fields.filter(({ name }) => depth > 0 || !/^(and|or)$|_$/.test(name));
      const members = random.some(1, 2, () => random.pick(plain));
      return Object.fromEntries(
        members.map((one) => [one.name, this.#jsonOf(one.type, `.${one.name}`, depth - 1)]),
      );
    }
    return this.#valueOf(nullableType(type), about);
  }

  /** A variable of the right type with this value. */
  #variable(type: string, hasFallback: boolean, value: unknown): Literal {
    const name = `v${this.#variables.size}`;
    const isSent = !hasFallback && !this.#wrong(0.1);
    const fallback = hasFallback ? (baseTypeName(type) === "Boolean" ? "true" : "null") : null;
    const sent = this.#wrong(0.2) ? this.#random.pick(ANY_JSON) : (value ?? this.#random.chance(0.5));
    this.#variables.set(name, { type, value: isSent ? sent : undefined, fallback });
    return `$${name}`;
  }

  /** A variable with a wrong type or value. */
  #wrongVariable(type: string): Literal {
    const random = this.#random;
    const name = `v${this.#variables.size}`;
    const declared = random.pick([
      type,
      nullableType(type),
      `[${type}]`,
      "Int",
      "String!",
      "Nope",
      "Boolean",
    ]);
    const fallback = random.chance(0.3) ? this.#anything() : null;
    if (!random.chance(0.1)) {
      this.#variables.set(name, { type: declared, value: random.pick([undefined, ...ANY_JSON]), fallback });
    }
    return `$${name}`;
  }

  #anything(): Literal {
    return this.#random.pick(ANY_LITERAL);
  }
}

/** The probability of an argument. */
const USUAL: Readonly<Record<string, number>> = {
  where: 0.7,
  orderBy: 0.4,
  orderDirection: 0.35,
  first: 0.35,
  skip: 0.12,
  block: 0.15,
  subgraphError: 0.03,
  // The current bucket follows from the readings, but the rows of these roll-ups do not.
  current: 0,
};

const OPERATOR =
  /_(not|gt|lt|gte|lte|in|not_in|contains|contains_nocase|not_contains|not_contains_nocase|starts_with|starts_with_nocase|not_starts_with|not_starts_with_nocase|ends_with|ends_with_nocase|not_ends_with|not_ends_with_nocase)$/;

function fits(value: unknown, scalar: string): boolean {
  if (scalar === "Int")
    return typeof value === "number" || (typeof value === "string" && /^-?\d{1,9}$/.test(value));
  if (scalar === "Boolean") return typeof value === "boolean";
  return typeof value === "string";
}

/** Values that few rows have. */
const EDGES: Readonly<Record<string, readonly unknown[]>> = {
  Int: [0, 1, -1, 2, 10, 2147483647, -2147483648, 2147483648, 4294967297, 99999999999],
  Int8: ["0", "1", "-1", "9223372036854775807", "9223372036854775808", "x", ""],
  Boolean: [true, false],
  BigInt: ["0", "1", "-1", "10", "+1", "007", "1.5", "", "x", "-", "1_0", "1e3", "18446744073709551616"],
  BigDecimal: ["0", "1", "-1", "1.0", "0.50", "1e3", "1E-2", ".5", "5.", "", "x", "NaN", "+1", ".", "1_0.5"],
  Bytes: ["0x", "0x00", "ab", "0xAB", "0xabc", "0xzz", "", "abcd", "0x5c", "%"],
  Timestamp: ["0", "1", "-1", "1700000000000000", "x", "", "2023-11-14T22:13:20Z", "1.5"],
  ID: ["", "a", "A", "0xab", "10", "x", "nowhere", "%", "\\"],
  String: [
    "",
    "a",
    "A",
    "%",
    "_",
    "\\",
    "a%",
    "%a",
    "%a%",
    "a\\",
    "\\%",
    "_a",
    "ä",
    "Ä",
    "%%",
    "a%b",
    "0xab",
    "10",
    "\u202e\ue000e\u0301",
  ],
};

const ANY_LITERAL: readonly Literal[] = [
  ...[
    "null",
    "true",
    "5",
    "-1",
    "0",
    "1.5",
    '"x"',
    '""',
    '"5"',
    "x",
    "id",
    "asc",
    "[]",
    "{}",
    "[1]",
    '["a"]',
    "[null]",
  ],
  ...[
    "{ a: 1 }",
    "{ id: null }",
    "99999999999",
    "9999999999999999999999",
    "1e99",
    "$nope",
    '"""block"""',
    "[[1]]",
  ],
];

const ANY_JSON: readonly unknown[] = [
  ...[
    null,
    true,
    false,
    0,
    1,
    -1,
    1.5,
    1e20,
    1e21,
    1e-7,
    1e39,
    -1e19,
    99999999999,
    "",
    "x",
    "5",
    "true",
    "asc",
    "id",
    [],
    [1],
    ["a"],
    [null],
    [[]],
  ],
  ...[
    {},
    { a: 1 },
    { id: null },
    { number: 6 },
    { id: "a" },
    { id_in: "a" },
    { and: {} },
    { or: [{}, null] },
  ],
];

const SEARCHES = [
  "a",
  "abc",
  "a & b",
  "a | b",
  "!a",
  "ab:*",
  "a <-> b",
  "",
  "a b",
  "'a b'",
  "(a | b) & c",
  "a &",
  "%",
  ":*",
];

/** Breaks a text at one place. */
export function breakText(text: string, random: Random): string {
  const tokens = text.match(/\.\.\.|[\w$]+|"(?:[^"\\]|\\.)*"|\s+|[^\s\w]/g) ?? [];
  const at = random.below(tokens.length);
  const token = tokens[at] ?? "";
  switch (random.below(6)) {
    case 0:
      return tokens.toSpliced(at, 1).join("");
    case 1:
      return tokens.toSpliced(at, 0, token).join("");
    case 2:
      return tokens.toSpliced(at, 1, random.pick(BREAKERS)).join("");
    case 3:
      return tokens.toSpliced(at, 0, random.pick(BREAKERS)).join("");
    case 4:
      return tokens.slice(0, at).join("");
    default: {
      const other = random.below(tokens.length);
      const swapped = [...tokens];
      [swapped[at], swapped[other]] = [tokens[other] ?? "", token];
      return swapped.join("");
    }
  }
}

const BREAKERS = [
  ...[
    "{",
    "}",
    "(",
    ")",
    "[",
    "]",
    ":",
    "!",
    "$",
    "@",
    "...",
    "|",
    "&",
    "=",
    ",",
    "#",
    '"',
    "'",
    "-",
    ".",
    "\\",
    "\n",
    "\r",
  ],
  ...[
    "query",
    "mutation",
    "subscription",
    "fragment",
    "on",
    "true",
    "null",
    "__typename",
    "__schema",
    "5",
    "1.",
    '"\\u00"',
    "é",
    "\u0000",
  ],
];
