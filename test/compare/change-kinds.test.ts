import { buildSchema, introspectionFromSchema, parse, validate } from "graphql";
import { describe, expect, it } from "vitest";
import { compareSchemas } from "../../src/compare/compare-schemas.ts";
import { createJudge } from "../../src/compare/severity-rules.ts";
import type { ApiSchema } from "../../src/dialects/api-schema.ts";
import { canonicalize } from "../../src/dialects/canonicalize.ts";
import { parseIntrospection } from "../../src/dialects/introspection.ts";
import { ROWS, sidesOf } from "./change-rows.ts";
import { schemaOf } from "./impact/fixtures.ts";

/** As the classic introspection query shows it. */
const fromServer = (sdl: string) =>
  canonicalize(
    parseIntrospection(
      introspectionFromSchema(buildSchema(sdl), {
        specifiedByUrl: false,
        inputValueDeprecation: false,
        oneOf: false,
        directiveIsRepeatable: false,
      }),
    ),
  );

function judged(before: ApiSchema, after: ApiSchema, exhaustiveEnums = false): string[] {
  const judge = createJudge(before, after, { exhaustiveEnums });
  return compareSchemas(before, after).map(
    (change) => `${change.coordinate} ${change.kind} ${judge(change)}: ${change.before} → ${change.after}`,
  );
}

it.each(ROWS)("the kind and severity of a change: $name", ({ before, after, want }) => {
  const changes = judged(schemaOf(before), schemaOf(after)).map((line) => line.replace(/: .*/s, ""));
  expect(changes.sort()).toEqual([...want].sort());
});

it("a new enum value is breaking with exhaustiveEnums", () => {
  const { before, after } = sidesOf("A B → A B C");
  expect(judged(schemaOf(before), schemaOf(after), true)).toEqual([
    "E.C enum-value-added breaking: null → C",
  ]);
});

describe("defects of other tools", () => {
  it.each<[name: string, before: string, after: string, ...want: string[]]>([
    [
      "a new description does not hide a breaking change",
      "type Query { id: String! }",
      'type Query { "d" id: String }',
      "Query.id description-changed cosmetic: null → d",
      "Query.id field-type-changed breaking: String! → String",
    ],
    [
      "a field whose name begins like another's is reported separately",
      "type Query { user: Int userName: Int kept: Int }",
      "type Query { kept: Int }",
      "Query.user field-removed breaking: Int → null",
      "Query.userName field-removed breaking: Int → null",
    ],
    [
      "an interface is reachable if only its implementation is",
      "type Query { t: T } interface N { f: Int g: Int } type T implements N { f: Int g: Int }",
      "type Query { t: T } interface N { f: Int } type T implements N { f: Int g: Int }",
      "N.g field-removed breaking: Int → null",
    ],
    [
      "the types of fields of such an interface are reachable too",
      "type Query { t: T } interface N { g: E } type T implements N { g: E } enum E { A }",
      "type Query { t: T } interface N { g: E } type T implements N { g: E } enum E { A B }",
      "E.B enum-value-added risky: null → B",
    ],
    [
      "removing a type is breaking, even if only deprecated fields return it",
      "type Query { a: Int t: T @deprecated } type T { a: Int }",
      "type Query { a: Int }",
      "Query.t field-removed breaking: T → null",
      "T type-removed breaking: type → null",
    ],
    [
      "a type and its default are two changes",
      "type Query { a(p: Int): Int }",
      "type Query { a(p: Int! = 1): Int }",
      "Query.a(p:) argument-type-changed risky: Int → Int! = 1",
      "Query.a(p:) argument-default-changed risky: null → 1",
    ],
    [
      "an added directive with arguments is one change",
      "type Query { a: Int }",
      "type Query { a: Int } directive @d(a: Int) on FIELD",
      "@d directive-added additive: null → directive",
    ],
    [
      "an equal object default of a custom scalar",
      "scalar J type Query { a(j: J = { k: 1, a: 2 }): Int }",
      "scalar J type Query { a(j: J = { a: 2, k: 1 }): Int }",
    ],
    [
      "another object default of a custom scalar",
      "scalar J type Query { a(j: J = { k: 1 }): Int }",
      "scalar J type Query { a(j: J = { k: 2 }): Int }",
      "Query.a(j:) argument-default-changed risky: { k: 1 } → { k: 2 }",
    ],
  ])("%s", (_, before, after, ...want) => {
    expect(judged(schemaOf(before), schemaOf(after))).toEqual(want);
  });

  it("a schema from a file equals the same schema from introspection", () => {
    const sdl = `
      directive @tag(name: String) on FIELD_DEFINITION
      scalar Url @specifiedBy(url: "https://url.example")
      type Query { a: Url @deprecated(reason: "old") @tag(name: "x") b(c: Int, p: [Int!] = [1, 2]): E }
      enum E { B A }`;
    expect(judged(schemaOf(sdl), fromServer(sdl))).toEqual([]);
  });

  it("a changed kind of type names both kinds, also from introspection", () => {
    const before = fromServer("type Query { a: T } type T { a: Int }");
    expect(judged(before, fromServer("type Query { a: T } union T = U type U { a: Int }"))).toContain(
      "T type-kind-changed breaking: type → union",
    );
  });

  it("oneOf and specifiedBy are compared if introspection returns them", () => {
    const asked = (sdl: string) =>
      canonicalize(
        parseIntrospection(introspectionFromSchema(buildSchema(sdl), { oneOf: true, specifiedByUrl: true })),
      );
    const text =
      'type Query { a(i: I): S } input I { a: Int } scalar S @specifiedBy(url: "https://one.example")';
    const other = text.replace("input I", "input I @oneOf").replace("one.example", "two.example");
    expect(judged(asked(text), asked(other))).toEqual([
      "I input-one-of-added breaking: null → oneOf",
      "S scalar-specification-changed risky: https://one.example → https://two.example",
    ]);
  });

  it("a tightened type is not safe, because it can make a document invalid", () => {
    const before = "type Query { u: U } union U = T | V type T { x: Int } type V { x: Int }";
    const after = before.replace("T { x: Int }", "T { x: Int! }");
    const document = parse("{ u { ... on T { x } ... on V { x } } }");
    const errors = [before, after].map((sdl) => validate(buildSchema(sdl), document).length);
    expect(errors).toEqual([0, 1]);
    expect(judged(schemaOf(before), schemaOf(after))).toEqual(["T.x field-type-changed risky: Int → Int!"]);
  });
});
