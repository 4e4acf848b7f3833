import { buildClientSchema, buildSchema, introspectionFromSchema, parse, validate } from "graphql";
import { describe, expect, it } from "vitest";
import { compareSchemas } from "../../src/compare/compare-schemas.ts";
import { createJudge } from "../../src/compare/severity-rules.ts";
import type { ApiSchema } from "../../src/dialects/api-schema.ts";
import { canonicalize } from "../../src/dialects/canonicalize.ts";
import { parseIntrospection } from "../../src/dialects/introspection.ts";
import { parseSdl } from "../../src/dialects/parse-sdl.ts";

const fromSdl = (sdl: string) => canonicalize(parseSdl(sdl, "schema.graphql"));

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

function judged(before: ApiSchema, after: ApiSchema): string[] {
  const judge = createJudge(before, after, { exhaustiveEnums: false });
  return compareSchemas(before, after).map(
    (change) => `${change.coordinate} ${change.kind} ${judge(change)}: ${change.before} → ${change.after}`,
  );
}

describe("defects of other tools", () => {
  it("1: a schema from a file equals the same schema from introspection", () => {
    const sdl = `
      directive @tag(name: String) on FIELD_DEFINITION
      scalar Url @specifiedBy(url: "https://url.example")
      type Query { a: Url @deprecated(reason: "old") @tag(name: "x") b(c: Int): Int }`;
    expect(judged(fromSdl(sdl), fromServer(sdl))).toEqual([]);
  });

  it("2: a new description does not hide a breaking change", () => {
    expect(judged(fromSdl("type Query { id: String! }"), fromSdl('type Query { "d" id: String }'))).toEqual([
      "Query.id description-changed cosmetic: null → d",
      "Query.id field-type-changed breaking: String! → String",
    ]);
  });

  it("3: a field whose name begins like another's is reported separately", () => {
    const before = fromSdl("type Query { user: Int userName: Int kept: Int }");
    expect(judged(before, fromSdl("type Query { kept: Int }"))).toEqual([
      "Query.user field-removed breaking: Int → null",
      "Query.userName field-removed breaking: Int → null",
    ]);
  });

  it("4: removing an executable directive is breaking, although no type refers to it", () => {
    const sdl = "type Query { a: Int }";
    expect(judged(fromSdl(`${sdl} directive @d on FIELD`), fromSdl(sdl))).toEqual([
      "@d directive-removed breaking: directive → null",
    ]);
  });

  it("5: an interface is reachable if only its implementation is", () => {
    const before = fromSdl(
      "type Query { t: T } interface N { f: Int g: Int } type T implements N { f: Int g: Int }",
    );
    const after = fromSdl("type Query { t: T } interface N { f: Int } type T implements N { f: Int g: Int }");
    expect(judged(before, after)).toEqual(["N.g field-removed breaking: Int → null"]);
    // The types of its fields are reachable too.
    const hidden = "type Query { t: T } interface N { f: Int g: E } type T implements N { f: Int g: E }";
    expect(judged(fromSdl(`${hidden} enum E { A }`), fromSdl(`${hidden} enum E { A B }`))).toEqual([
      "E.B enum-value-added risky: null → B",
    ]);
  });

  it("6: removing a type is breaking, even if only deprecated fields return it", () => {
    const before = fromSdl("type Query { a: Int t: T @deprecated } type T { a: Int }");
    expect(judged(before, fromSdl("type Query { a: Int }"))).toEqual([
      "Query.t field-removed breaking: T → null",
      "T type-removed breaking: type → null",
    ]);
  });

  it("7: adding a description is cosmetic", () => {
    expect(judged(fromSdl("type Query { a: Int }"), fromSdl('"d" type Query { a: Int }'))).toEqual([
      "Query description-changed cosmetic: null → d",
    ]);
  });

  it("8: an added directive is one change of the directive", () => {
    const sdl = "type Query { a: Int }";
    const changes = compareSchemas(fromSdl(sdl), fromSdl(`${sdl} directive @d(a: Int) on FIELD`));
    expect(changes.map(({ kind }) => kind)).toEqual(["directive-added"]);
  });

  it("9: a changed kind of type names both kinds, also from introspection", () => {
    const before = fromServer("type Query { a: T } type T { a: Int }");
    expect(judged(before, fromServer("type Query { a: T } union T = U type U { a: Int }"))).toContain(
      "T type-kind-changed breaking: type → union",
    );
  });

  it("10: oneOf and specifiedBy are compared if introspection returns them", () => {
    const asked = (sdl: string) =>
      canonicalize(
        parseIntrospection(introspectionFromSchema(buildSchema(sdl), { oneOf: true, specifiedByUrl: true })),
      );
    const one =
      'type Query { a(i: I): S } input I { a: Int } scalar S @specifiedBy(url: "https://one.example")';
    const other = one.replace("input I", "input I @oneOf").replace("one.example", "two.example");
    expect(judged(asked(one), asked(other))).toEqual([
      "I input-one-of-added breaking: null → oneOf",
      "S scalar-specification-changed risky: https://one.example → https://two.example",
    ]);
  });

  it("12: an object default of a custom scalar is compared by value", () => {
    const of = (value: string) => fromSdl(`scalar J type Query { a(j: J = ${value}): Int }`);
    expect(judged(of("{ k: 1, a: 2 }"), of("{ a: 2, k: 1 }"))).toEqual([]);
    expect(judged(of("{ k: 1 }"), of("{ k: 2 }"))).toEqual([
      "Query.a(j:) argument-default-changed risky: { k: 1 } → { k: 2 }",
    ]);
  });

  it("13: a new default does not hide a looser type", () => {
    expect(
      judged(fromSdl("type Query { a(p: Int! = 1): Int }"), fromSdl("type Query { a(p: Int = 2): Int }")),
    ).toEqual([
      "Query.a(p:) argument-type-changed additive: Int! = 1 → Int = 2",
      "Query.a(p:) argument-default-changed risky: 1 → 2",
    ]);
  });

  it("14: a tightened type is not safe, because it can make a document invalid", () => {
    const before = "type Query { u: U } union U = T | V type T { x: Int } type V { x: Int }";
    const after = before.replace("T { x: Int }", "T { x: Int! }");
    const document = parse("{ u { ... on T { x } ... on V { x } } }");
    const errors = [before, after].map((sdl) => validate(buildSchema(sdl), document).length);
    expect(errors).toEqual([0, 1]);
    expect(judged(fromSdl(before), fromSdl(after))).toEqual(["T.x field-type-changed risky: Int → Int!"]);
  });

  it("defaults and enums from SDL equal those from introspection", () => {
    const sdl = "type Query { a(p: [Int!] = [1, 2]): E } enum E { B A }";
    expect(buildClientSchema(introspectionFromSchema(buildSchema(sdl))).getType("E")).toBeDefined();
    expect(compareSchemas(fromSdl(sdl), fromServer(sdl))).toEqual([]);
  });
});
