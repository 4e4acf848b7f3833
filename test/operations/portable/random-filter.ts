import fc from "fast-check";
import {
  type GraphQLInputObjectType,
  type GraphQLInputType,
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isListType,
} from "graphql";
import type { PortableContext } from "../../../src/operations/portable/read-entities.ts";

/** A GraphQL literal. */
export type Literal =
  | null
  | boolean
  | number
  | string
  | Enum
  | readonly Literal[]
  | { readonly [key: string]: Literal };

class Enum {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

/** Converts a literal to JSON. */
export function toValue(literal: Literal): unknown {
  if (literal instanceof Enum) return literal.name;
  if (Array.isArray(literal)) return literal.map(toValue);
  return typeof literal === "object" && literal !== null
    ? Object.fromEntries(Object.entries(literal).map(([key, value]) => [key, toValue(value)]))
    : literal;
}

/** Prints a literal for an operation. */
export function printLiteral(literal: Literal): string {
  if (literal instanceof Enum) return literal.name;
  if (Array.isArray(literal)) return `[${literal.map(printLiteral).join(", ")}]`;
  if (typeof literal !== "object" || literal === null) return JSON.stringify(literal);
  return `{ ${Object.entries(literal)
    .map(([key, value]) => `${key}: ${printLiteral(value)}`)
    .join(", ")} }`;
}

/** Random filters of a type of the subgraph's schema, including filters that are rejected. */
export function randomFilter(context: PortableContext, name: string): fc.Arbitrary<Literal> {
  const { filters } = fc.letrec<Record<string, Literal>>((tie) => {
    const made: Record<string, fc.Arbitrary<Literal>> = {};
    const types = Object.values(context.schemas.subgraph.graphql.getTypeMap()).filter(isInputObjectType);
    for (const type of types) made[type.name] = objectOf(type, tie);
    const root = made[name];
    if (!root) throw new TypeError(`There is no ${name}.`);
    made["filters"] = root;
    return made;
  });
  if (!filters) throw new TypeError("There are no filters.");
  return filters;
}

type Tie = (name: string) => fc.Arbitrary<Literal>;

function objectOf(type: GraphQLInputObjectType, tie: Tie): fc.Arbitrary<Literal> {
  const fields = Object.values(type.getFields());
  const isWord = ({ name }: { readonly name: string }) => name === "and" || name === "or";
  const entry = (given: typeof fields) =>
    fc
      .constantFrom(...given)
      .chain(({ name, type: of }) => literalOf(of, tie).map((value) => [name, value] as const));
  const some = fc.array(entry(fields), { maxLength: 3 });
  const words = fields.filter(isWord);
  const alone = words.length > 0 ? [{ weight: 1, arbitrary: fc.tuple(entry(words)) }] : [];
  return fc
    .oneof({ depthSize: "small", withCrossShrink: true }, { weight: 3, arbitrary: some }, ...alone)
    .map((entries) => Object.fromEntries(entries));
}

function literalOf(type: GraphQLInputType, tie: Tie): fc.Arbitrary<Literal> {
  const inner = getNullableType(type);
  const value = isListType(inner)
    ? fc.array(literalOf(inner.ofType, tie), { maxLength: 3, depthIdentifier: "list" })
    : leafOf(getNamedType(inner), tie);
  return fc.oneof({ weight: 8, arbitrary: value }, { weight: 1, arbitrary: fc.constant(null) });
}

const WORDS = ["", "a", "%a", "a%", "_", "a\\", "%\\", "a\\\\", "0xAB", "0xabc", "zz", "\u00e9", "5"];
const NUMBERS: readonly Literal[] = ["5", "+7", "-0", "007", "7.5", " 7", "7e0", "", 5, -1, "2147483648"];

function leafOf(type: ReturnType<typeof getNamedType>, tie: Tie): fc.Arbitrary<Literal> {
  if (isInputObjectType(type)) return tie(type.name);
  if (isEnumType(type)) return fc.constantFrom(...type.getValues().map(({ name }) => new Enum(name)));
  switch (type?.name) {
    case "Boolean":
      return fc.boolean();
    case "Int":
      return fc.constantFrom(0, 5, -1);
    case "BigInt":
      return fc.constantFrom(...NUMBERS);
    case "BigDecimal":
      return fc.constantFrom(...NUMBERS, "1.50", ".5", "1.", "1e3", "NaN", 0.5);
    case "Bytes":
      return fc.constantFrom("0x", "0xAB", "ab", "0xabc", "0xzz", "0XAB", "0x0xab", "", " 0xab");
    case "ID":
      return fc.constantFrom("a", "5", 5);
    default:
      return fc.constantFrom(...WORDS);
  }
}
