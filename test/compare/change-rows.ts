import { partsOf } from "./impact/fixtures.ts";

/** A change as SDL before and after, and the changes expected for it, each with its severity. */
export type Row = {
  readonly name: string;
  readonly before: string;
  readonly after: string;
  readonly want: readonly string[];
};

/** The schema that all rows change. */
export const SDL =
  " type Query { t: T e(i: I): E i: Iface u: U b(x: E): Int s: S } type T { x: Int y: V }" +
  " type V implements Iface { g: Int } interface Iface { g: Int } union U = T | V enum E { A B }" +
  " input I { a: Int } scalar S directive @d(a: Int) on FIELD directive @t(a: Int) on OBJECT";

/**
 * Returns both sides of changes `from → to` or `after¦inserted`. The schema has one of the two parts. In
 * `part → from → to`, both replace a part of the schema; an empty part adds to it.
 */
export function sidesOf(...changes: readonly string[]): { readonly before: string; readonly after: string } {
  let [before, after] = [SDL, SDL];
  const replace = (text: string, part: string, by: string) => {
    if (!text.includes(part)) throw new Error(`The schema does not contain "${part}".`);
    return text.replace(part, () => by);
  };
  for (const change of changes) {
    const [from = "", to = "", then] = partsOf(change);
    if (then !== undefined) [before, after] = [replace(before, from, to), replace(after, from, then)];
    else if (SDL.includes(from)) after = replace(after, from, to);
    else before = replace(before, to, from);
  }
  return { before, after };
}

const row = (name: string, change: string | readonly string[], ...want: readonly string[]): Row => ({
  name,
  ...sidesOf(...[change].flat()),
  want,
});

/** Every kind of change. */
export const ROWS: readonly Row[] = [
  row(
    "the query root is renamed",
    ["→ schema { query: Root }", "type Query → type Root"],
    "query root-renamed cosmetic",
  ),
  row(
    "the query root is renamed and loses a field",
    ["→ schema { query: Root }", "type Query { t: T → type Root {"],
    "query root-renamed cosmetic",
    "Query.t field-removed breaking",
  ),
  row(
    "another type becomes the root",
    "→ type Root { a: Int } → schema { query: Root } type Root { a: Int }",
    "query root-renamed cosmetic",
  ),
  row(
    "a subscription root is added",
    "→ schema { query: Query subscription: Sub } type Sub { a: Int }",
    "subscription root-added additive",
  ),
  row(
    "a subscription root is removed",
    "schema { query: Query subscription: Sub } type Sub { a: Int } →",
    "subscription root-removed breaking",
  ),
  row(
    "a mutation root is removed",
    "schema { query: Query mutation: M } type M { a: Int } →",
    "mutation root-removed breaking",
  ),
  row("a type is added and reported once", "→ type New { a: Int b(c: Int): Int }", "New type-added additive"),
  row(
    "a reachable type is removed",
    ["u: U →", "union U = T | V →"],
    "Query.u field-removed breaking",
    "U type-removed breaking",
  ),
  row("an unreachable type is removed", "type Alone { a: Int } →", "Alone type-removed cosmetic"),
  row(
    "a reachable input type is removed",
    ["(i: I) →", "input I { a: Int } →"],
    "I type-removed breaking",
    "Query.e(i:) argument-removed breaking",
  ),
  row(
    "an interface becomes a type",
    ["interface Iface → type Iface", "implements Iface →"],
    "Iface type-kind-changed breaking",
    "V interface-removed breaking",
  ),
  row("an enum becomes a scalar", "enum E { A B } → scalar E", "E type-kind-changed risky"),
  row("a scalar becomes a type", ["scalar S → type S { a: Int }"], "S type-kind-changed breaking"),
  row("the last Float is removed", "x: Int z: Float → x: Int", "T.z field-removed breaking"),
  row("a description is added", 'type T → "T" type T', "T description-changed cosmetic"),
  row("a description changes", 'x: Int → "a" x: Int → "b" x: Int', "T.x description-changed cosmetic"),
  row("a description is removed", '"a" A B → A B', "E.A description-changed cosmetic"),
  row("a description changes in trailing white space", 'x: Int → "a" x: Int → "a  " x: Int'),
  row(
    "a description is wrapped differently",
    'x: Int → """one two\nthree""" x: Int → """one\ntwo  three""" x: Int',
  ),
  row(
    "a description is split into two paragraphs",
    'x: Int → """one\ntwo""" x: Int → """one\n\ntwo""" x: Int',
    "T.x description-changed cosmetic",
  ),
  row(
    "the specifiedBy URL of a scalar changes",
    'scalar S → scalar S @specifiedBy(url: "https://one.example") → scalar S @specifiedBy(url: "https://two.example")',
    "S scalar-specification-changed risky",
  ),
  row("an input type becomes @oneOf", "input I¦ @oneOf", "I input-one-of-added breaking"),
  row("an input type stops being @oneOf", "input I @oneOf → input I", "I input-one-of-removed additive"),
  row("a field is added", "x: Int¦ z: Int", "T.z field-added additive"),
  row("a field of an interface is added", "interface Iface { g: Int¦ h: Int", "Iface.h field-added additive"),
  row("a field is removed", "y: V →", "T.y field-removed breaking"),
  row("the type of a leaf field changes", "x: Int → x: String", "T.x field-type-changed breaking"),
  row("a leaf field becomes an object", "x: Int → x: V", "T.x field-type-changed breaking"),
  row("a field becomes a list", "x: Int → x: [Int]", "T.x field-type-changed breaking"),
  row("a field becomes non-null", "x: Int¦!", "T.x field-type-changed risky"),
  row("a field becomes nullable", "x: Int! → x: Int", "T.x field-type-changed breaking"),
  row("the items of a list become non-null", "x: Int → x: [Int] → x: [Int!]", "T.x field-type-changed risky"),
  row("items become nullable", "x: Int → x: [Int!] → x: [Int]!", "T.x field-type-changed breaking"),
  row("an interface is narrowed to an implementation", "i: Iface → i: V", "Query.i field-type-changed risky"),
  row("a union is narrowed to a member", "u: U → u: T", "Query.u field-type-changed risky"),
  row("an object is widened to its interface", "y: V → y: Iface", "T.y field-type-changed breaking"),
  row(
    "a narrowed field becomes nullable",
    "i: Iface → i: Iface! → i: V",
    "Query.i field-type-changed breaking",
  ),
  row("a field is deprecated", "x: Int¦ @deprecated", "T.x field-deprecation-changed cosmetic"),
  row("an optional argument is added", "x: Int → x(a: Int): Int", "T.x(a:) argument-added additive"),
  row("a default argument is added", "x: Int → x(a: Int! = 1): Int", "T.x(a:) argument-added additive"),
  row("a required argument is added", "x: Int → x(a: Int!): Int", "T.x(a:) argument-added breaking"),
  row("an argument is removed", "(i: I) →", "Query.e(i:) argument-removed breaking"),
  row("the type of an argument changes", "(x: E) → (x: Int)", "Query.b(x:) argument-type-changed breaking"),
  row("an argument becomes a list", "(x: E) → (x: [E])", "Query.b(x:) argument-type-changed breaking"),
  row("an argument becomes non-null", "(x: E) → (x: E!)", "Query.b(x:) argument-type-changed breaking"),
  row(
    "an argument becomes non-null with a default",
    "(x: E) → (x: E! = A)",
    "Query.b(x:) argument-type-changed risky",
    "Query.b(x:) argument-default-changed risky",
  ),
  row("an argument becomes nullable", "(x: E!) → (x: E)", "Query.b(x:) argument-type-changed additive"),
  row(
    "argument items become nullable",
    "(x: E) → (x: [E!]) → (x: [E])",
    "Query.b(x:) argument-type-changed additive",
  ),
  row("a default is added", "(x: E) → (x: E = A)", "Query.b(x:) argument-default-changed risky"),
  row("a default changes", "(x: E) → (x: E = A) → (x: E = B)", "Query.b(x:) argument-default-changed risky"),
  row("a default is removed", "(x: E = A) → (x: E)", "Query.b(x:) argument-default-changed risky"),
  row(
    "a default is removed, which makes its argument required",
    "(x: E) → (x: E! = A) → (x: E!)",
    "Query.b(x:) argument-type-changed breaking",
    "Query.b(x:) argument-default-changed risky",
  ),
  row(
    "a default and its type change",
    "(x: E) → (x: E! = A) → (x: E = B)",
    "Query.b(x:) argument-type-changed additive",
    "Query.b(x:) argument-default-changed risky",
  ),
  row("a default is formatted differently", "(x: E) → (x: [E] = [A,B]) → (x: [E] = [ A B ])"),
  row("an argument gets a description", '(x: E) → ("d" x: E)', "Query.b(x:) description-changed cosmetic"),
  row("an optional input field is added", "a: Int } → a: Int b: Int }", "I.b input-field-added additive"),
  row("a member with a default is added", "a: Int } → a: Int b: Int = 1 }", "I.b input-field-added risky"),
  row("a required input field is added", "a: Int } → a: Int b: Int! }", "I.b input-field-added breaking"),
  row("an input field is removed", "a: Int b: Int } → a: Int }", "I.b input-field-removed breaking"),
  row(
    "the type of an input field changes",
    "{ a: Int → { a: String",
    "I.a input-field-type-changed breaking",
  ),
  row("an input field becomes non-null", "{ a: Int¦!", "I.a input-field-type-changed breaking"),
  row("an input field becomes nullable", "{ a: Int! → { a: Int", "I.a input-field-type-changed additive"),
  row(
    "a default of a member changes",
    "{ a: Int → { a: Int = 1 → { a: Int = 2",
    "I.a input-field-default-changed risky",
  ),
  row("an input field gets a description", '{ a: Int → { "d" a: Int', "I.a description-changed cosmetic"),
  row("a value is added to an enum of the output", "A B¦ C", "E.C enum-value-added risky"),
  row(
    "a value is added to an enum of the input only",
    ["(i: I): E → (i: I): Int → (i: I): Int", "A B¦ C"],
    "E.C enum-value-added additive",
  ),
  row("a value is removed from an enum of the input", "A B → A", "E.B enum-value-removed breaking"),
  row(
    "a value is removed from an enum of the output only",
    ["(x: E) → →", "A B → A"],
    "E.B enum-value-removed risky",
  ),
  row("an enum value is deprecated", "A B¦ @deprecated", "E.B enum-value-deprecation-changed cosmetic"),
  row("an enum value gets a description", 'A B → A "b" B', "E.B description-changed cosmetic"),
  row("a member is added to a union", "= T enum → = T | V enum", "U member-added risky"),
  row("a member is removed from a union", "= T | V → = T", "U member-removed breaking"),
  row(
    "a type starts to implement an interface",
    "type V { → type V implements Iface {",
    "V interface-added risky",
  ),
  row("a type stops implementing an interface", "implements Iface →", "V interface-removed breaking"),
  row("an executable directive is added", "→ directive @n on FIELD", "@n directive-added additive"),
  row("a location of a directive is added", "on FIELD¦ | QUERY", "@d directive-location-added additive"),
  row("an executable directive is removed", "directive @n on FIELD →", "@n directive-removed breaking"),
  row("a location is removed", "on FIELD | QUERY → on FIELD", "@d directive-location-removed breaking"),
  row(
    "an argument of a directive is removed",
    "@d(a: Int) → @d",
    "@d(a:) directive-argument-removed breaking",
  ),
  row(
    "an argument of a directive changes",
    "@d(a: Int → @d(a: E",
    "@d(a:) directive-argument-type-changed breaking",
  ),
  row(
    "a required argument of a directive is added",
    "@d(a: Int¦ b: Int!",
    "@d(b:) directive-argument-added breaking",
  ),
  row(
    "an optional argument of a directive is added",
    "@d(a: Int¦ b: Int",
    "@d(b:) directive-argument-added additive",
  ),
  row(
    "a default of a directive changes",
    "@d(a: Int → @d(a: Int! = 60 → @d(a: Int! = 30",
    "@d(a:) directive-argument-default-changed risky",
  ),
  row("a type-system directive is added", "→ directive @n(a: Int!) on OBJECT", "@n directive-added cosmetic"),
  row(
    "a type-system directive is removed",
    "directive @n(a: Int!) on OBJECT →",
    "@n directive-removed cosmetic",
  ),
  row(
    "the argument and location of a type-system directive change",
    "@t(a: Int) on OBJECT → @t(a: String) on ENUM",
    "@t directive-location-added cosmetic",
    "@t directive-location-removed cosmetic",
    "@t(a:) directive-argument-type-changed cosmetic",
  ),
  row("a directive gets a description", 'directive @d → "d" directive @d', "@d description-changed cosmetic"),
  row("definitions are reordered", ["scalar S →", "→ scalar S"]),
  row("members are reordered", ["A B → B A", "T | V → V | T", "x: Int y: V → y: V x: Int"]),
];
