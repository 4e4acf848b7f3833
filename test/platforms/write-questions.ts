import { parseValue, valueFromASTUntyped } from "graphql";
import type {
  ApiField,
  ApiInputObject,
  ApiInputValue,
  ApiSchema,
  ApiType,
} from "../../src/dialects/api-schema.ts";
import { baseTypeName, isList, isRequired, itemType, nullableType } from "../../src/dialects/api-schema.ts";
import type { Random } from "../emulator/agreement/random.ts";
import { breakText } from "./break-text.ts";

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

/** The place of a value. */
type Place = {
  /** The type and field whose rows may have such values. */
  readonly about: string;
  readonly depth: number;
  /** Whether it is the value of a variable, and so contains none. */
  readonly isSent: boolean;
};

/** Writes queries of a schema: most are valid, and the others have one or two errors. */
export function createQuestionWriter(source: QuestionSource): (random: Random) => Question {
  const { schema } = source;
  const types = new Map(schema.types.map((type) => [type.name, type]));
  const query = types.get(schema.queryType);
  if (query?.kind !== "OBJECT") throw new Error("There is no query type.");
  const rowFields = query.fields.filter(({ name }) => !name.startsWith("_"));
  return (random) => {
    const roots = random.some(1, 2, () => random.pick(random.chance(0.04) ? query.fields : rowFields));
    const question = writeDocument(random, { ...source, types, roots });
    return random.chance(0.06) ? { ...question, query: breakText(question.query, random) } : question;
  };
}

type DocumentSource = QuestionSource & {
  readonly types: ReadonlyMap<string, ApiType>;
  readonly roots: readonly ApiField[];
};

function writeDocument(random: Random, { schema, types, values, hashes, roots }: DocumentSource): Question {
  const { chance, pick, some } = random;
  const variables = new Map<string, { type: string; value: unknown; fallback: string | null }>();
  const fragments: string[] = [];
  let errors = chance(0.35) ? random.below(2) + 1 : 0;

  function document(): Question {
    const fields = roots.map((root, index) => field(root, 2, roots.length > 1 ? `r${index}` : ""));
    if (chance(0.05)) {
      const at = chance(0.6) ? `(block: ${block()})` : "";
      fields.push(`_meta${at} { block { number hash timestamp parentHash } deployment hasIndexingErrors }`);
    }
    const declared = [...variables].map(
      ([name, { type, fallback }]) => `$${name}: ${type}${fallback === null ? "" : ` = ${fallback}`}`,
    );
    const head = declared.length > 0 ? `query Q(${declared.join(", ")}) ` : chance(0.1) ? "query Q " : "";
    const sent = [...variables].filter(([, { value }]) => value !== undefined);
    return {
      query: [`${head}{ ${fields.join(" ")} }`, ...fragments].join(" "),
      variables:
        sent.length > 0 || chance(0.1)
          ? Object.fromEntries(sent.map(([name, { value }]) => [name, value]))
          : null,
    };
  }

  /** Whether to write an error here. They are rare, so that a document has at most two. */
  function isWrong(share: number): boolean {
    if (errors === 0 || !chance(share)) return false;
    errors -= 1;
    return true;
  }

  function field(asked: ApiField, depth: number, alias: string): string {
    const name = isWrong(0.02) ? `${asked.name}x` : asked.name;
    const args = argumentsOf(asked);
    const applied = chance(0.03) ? ` ${directive()}` : "";
    const key = alias !== "" ? `${alias}: ` : chance(0.05) ? "k: " : "";
    return `${key}${name}${args}${applied}${selectionOf(asked, depth)}`;
  }

  function selectionOf({ type }: ApiField, depth: number): string {
    if (isLeaf(type)) return isWrong(0.01) ? " { id }" : "";
    return isWrong(0.03) ? "" : ` ${selection(baseTypeName(type), depth)}`;
  }

  function isLeaf(type: string): boolean {
    const kind = types.get(baseTypeName(type))?.kind;
    return kind !== "OBJECT" && kind !== "INTERFACE";
  }

  function directive(): string {
    const value = chance(0.3)
      ? variable("Boolean!", true, chance(0.5))
      : isWrong(0.2)
        ? pick(["1", '"true"', "null", "[true]"])
        : String(chance(0.6));
    const name = isWrong(0.1) ? "unknown" : pick(["skip", "include"]);
    return isWrong(0.05) ? `@${name}` : `@${name}(if: ${value})`;
  }

  function selection(typeName: string, depth: number): string {
    const type = types.get(typeName);
    if (type === undefined || !("fields" in type) || type.kind === "INPUT_OBJECT") return "{ id }";
    const plain = type.fields.filter(({ type }) => isLeaf(type));
    const deep = depth > 0 ? type.fields.filter(({ type }) => !isLeaf(type)) : [];
    if (plain.length === 0) return "{ __typename }";
    const chosen = new Set([
      ...plain.filter(({ name }) => name === "id"),
      ...some(0, 4, () => pick(plain)),
      ...(deep.length > 0 ? some(0, 2, () => pick(deep)) : []),
    ]);
    const parts = [...chosen].map((one) => field(one, depth - 1, ""));
    if (chance(0.05)) parts.push("__typename");
    if (isWrong(0.02)) parts.push(pick(["__schema { types { name } }", '__type(name: "Int") { name }']));
    if (chance(0.06)) parts.push(fragment(type, depth));
    return `{ ${parts.join(" ")} }`;
  }

  function fragment(type: ApiType, depth: number): string {
    const members = schema.types.filter((one) => one.kind === "OBJECT" && one.interfaces.includes(type.name));
    const on = isWrong(0.1)
      ? pick(["Nope", "Query", ...types.keys()])
      : pick([type.name, ...members.map(({ name }) => name)]);
    const applied = chance(0.2) ? ` ${directive()}` : "";
    const inner = selection(types.has(on) ? on : type.name, Math.min(depth - 1, 1));
    if (chance(0.5)) return `... on ${on}${applied} ${inner}`;
    const name = `F${fragments.length}`;
    fragments.push(`fragment ${name} on ${on}${chance(0.2) ? applied : ""} ${inner}`);
    return `...${name}${applied}`;
  }

  function argumentsOf(asked: ApiField): string {
    const parts = asked.args.flatMap((arg) => {
      const isNeeded = isRequired(arg.type) && arg.defaultValue === null;
      const isLeftOut = isNeeded ? isWrong(0.05) : !chance(USUAL[arg.name] ?? 0.3);
      return isLeftOut ? [] : [`${arg.name}: ${argument(arg, asked)}`];
    });
    // Ordered only by the id of a reference, ties have no defined order, and pages no defined rows.
    const isById = (part: string) => {
      const [, name = ""] = /^orderBy: \$(\w+)/.exec(part) ?? [];
      return /^orderBy:.*__id/.test(part + JSON.stringify(variables.get(name)?.value));
    };
    const kept = parts.some(isById) ? parts.filter((part) => !/^(first|skip):/.test(part)) : parts;
    if (isWrong(0.03)) kept.push(`unknown: ${pick(ANYTHING)}`);
    return kept.length > 0 ? `(${kept.join(", ")})` : "";
  }

  function argument({ name, type }: ApiInputValue, asked: ApiField): Literal {
    if (isWrong(0.1)) return chance(0.5) ? pick(ANYTHING) : wrongVariable(type);
    if (name === "block") return block();
    if (name === "first") return pick(chance(0.95) ? ["1", "2", "3", "5", "10", "100"] : ODD_FIRST);
    if (name === "skip") return pick(["0", "1", "2", "3", "10", "5000", "5001", "-1", "null"]);
    if (name === "text") return JSON.stringify(pick(SEARCHES));
    const place: Place = { about: `${baseTypeName(asked.type)}.${name}`, depth: 2, isSent: false };
    return chance(0.12) ? valueVariable(type, place) : literal(type, place);
  }

  function block(): Literal {
    if (isWrong(0.2)) return pick(["5", "null", "{}", '{ number: "6" }', "{ hash: 5 }", '{ hash: "0x" }']);
    const inside = () => pick(["5", "6", "10", "20", "33", "39", "40"]);
    const number = chance(0.9) ? inside() : pick(["4", "0", "41", "2000", "-1", "99999999999"]);
    return random.weighted(
      [5, () => `{ hash: ${JSON.stringify(pick(hashes))} }`],
      [5, () => `{ number_gte: ${number} }`],
      [1, () => `{ number: ${number}, number_gte: ${inside()} }`],
      [14, () => `{ number: ${number} }`],
    );
  }

  /** A valid value of an input type. */
  function literal(type: string, place: Place): Literal {
    if (!isRequired(type) && chance(0.03)) return "null";
    if (isList(type)) {
      const item = () => literal(itemType(type), place);
      return chance(0.03) ? item() : `[${some(0, 3, item).join(", ")}]`;
    }
    if (!place.isSent && chance(0.03)) return valueVariable(type, place);
    const named = types.get(nullableType(type));
    if (named?.kind === "ENUM") return pick(named.values).name;
    if (named?.kind === "INPUT_OBJECT") return object(named, place);
    const value = valueFor(nullableType(type), place.about);
    return typeof value === "string" ? JSON.stringify(value) : String(value);
  }

  function object(type: ApiInputObject, { depth, isSent }: Place): Literal {
    const isGroup = ({ name }: ApiInputValue) => name === "and" || name === "or";
    const groups = depth > 0 ? type.fields.filter(isGroup) : [];
    const plain = type.fields.filter((one) => !isGroup(one));
    const chosen = new Map<string, ApiInputValue>();
    const add = (one: ApiInputValue) => chosen.set(one.name, one);
    const isMixed = chance(0.05);
    if (groups.length > 0 && chance(0.18)) add(pick(groups));
    if (chosen.size === 0 || isMixed) {
      const members = some(chance(0.02) ? 0 : 1, 2, () => pick(plain));
      for (const one of members) if (depth > 0 || !one.name.endsWith("_")) add(one);
    }
    const parts = [...chosen.values()].map((member) => {
      const about = `${type.name.replace(/_filter$/, "")}.${member.name}`;
      const inner = () => literal(member.type, { about, depth: depth - 1, isSent });
      return `${member.name}: ${isWrong(0.15) ? pick(ANYTHING) : inner()}`;
    });
    if (isWrong(0.05)) parts.push(`nope: ${pick(ANYTHING)}`);
    return `{ ${parts.join(", ")} }`;
  }

  function valueFor(scalar: string, about: string): unknown {
    const name = about.slice(about.indexOf(".") + 1).replace(OPERATOR, "");
    const known = (values.get(name) ?? values.get("id") ?? []).flat(2).filter((value) => value !== null);
    if (known.length > 0 && chance(0.8)) {
      const value = pick(known);
      const isPart = scalar !== "Bytes" && /contains|starts|ends/.test(about);
      if (typeof value === "string" && isPart && chance(0.5)) {
        const from = random.below(value.length + 1);
        return value.slice(from, from + 1 + random.below(3));
      }
      if (fits(value, scalar)) return value;
    }
    return pick(EDGES[scalar] ?? EDGES["String"] ?? []);
  }

  /** A variable of the right type with a valid value. */
  function valueVariable(type: string, place: Place): Literal {
    return variable(type, false, readLiteral(literal(type, { ...place, isSent: true })));
  }

  /** A variable of the right type with this value, or only with a default. */
  function variable(type: string, canFallBack: boolean, value: unknown): Literal {
    const hasFallback = canFallBack && chance(0.5);
    const isSent = !hasFallback && !isWrong(0.1);
    const fallback = hasFallback ? "true" : null;
    const given = isWrong(0.2) ? readLiteral(pick(ANYTHING)) : value;
    return declare({ type, value: isSent ? given : undefined, fallback });
  }

  /** A variable with a wrong type or value, or without a declaration. */
  function wrongVariable(type: string): Literal {
    if (chance(0.1)) return "$none";
    const declared = pick([type, nullableType(type), `[${type}]`, "Int", "String!", "Nope", "Boolean"]);
    const value = chance(0.04) ? undefined : readLiteral(pick(ANYTHING));
    return declare({ type: declared, value, fallback: chance(0.3) ? pick(ANYTHING) : null });
  }

  function declare(declared: { type: string; value: unknown; fallback: string | null }): Literal {
    const name = `v${variables.size}`;
    variables.set(name, declared);
    return `$${name}`;
  }

  return document();
}

/** The JSON of a value in a document. The parser refuses half characters. */
function readLiteral(text: Literal): unknown {
  return valueFromASTUntyped(parseValue(text.replaceAll(/\\ud[89a-f]../g, "x")));
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

const OPERATOR = /_(not|gte?|lte?|(not_)?(in|(contains|starts_with|ends_with)(_nocase)?))$/;

function fits(value: unknown, scalar: string): boolean {
  if (scalar === "Int") return typeof value === "number" || /^-?\d{1,9}$/.test(String(value));
  return typeof value === (scalar === "Boolean" ? "boolean" : "string");
}

const ODD_FIRST = ["0", "-1", "1000", "1001", "99999999999", "null"];

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
  String: ["", ..."a A % _ \\ a% %a %a% a\\ \\% _a ä Ä %% a%b 0xab 10 \u202e\ue000e\u0301".split(" ")],
};

/** Values that fit nowhere, or by chance. */
const ANYTHING: readonly Literal[] = [
  ...`null true false 5 -1 0 1 1.5 1e20 1e21 1e-7 1e39 1e99 -1e19 99999999999 9999999999999999999999`.split(
    " ",
  ),
  ...`x id asc $nope "x" "" "5" "true" "asc" "id" """block""" [] [1] ["a"] [null] [[]] [[1]]`.split(" "),
  ...`{} {a:1} {id:null} {number:6} {id:"a"} {id_in:"a"} {and:{}} {or:[{},null]}`.split(" "),
];

const SEARCHES = "a,abc,a & b,a | b,!a,ab:*,a <-> b,,a b,'a b',(a | b) & c,a &,%,:*".split(",");
