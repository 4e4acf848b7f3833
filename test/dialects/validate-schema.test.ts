import { describe, expect, it } from "vitest";
import type { LockflowError } from "../../src/base/errors.ts";
import { buildIntrospection, parseIntrospection } from "../../src/dialects/introspection.ts";
import { parseSdl } from "../../src/dialects/parse-sdl.ts";
import { catchError } from "../support/catch-error.ts";

const SCHEMA = parseSdl(
  `
  directive @tag(name: String = "a") on FIELD
  scalar Date
  interface Node { id: ID! }
  type Query implements Node { id: ID! find(first: Int = 10, color: Color): [Node!]! }
  type Mutation { a: Int }
  union Any = Query
  enum Color { RED }
  input Options { a: Options b: [Int!] = [1, 2] }
  `,
  "test",
);

type Member = Record<string, unknown>;
type Answer = { readonly __schema: Member & { readonly types: Member[]; readonly directives: Member[] } };

const answer = () => structuredClone(buildIntrospection(SCHEMA)) as unknown as Answer;

function part(of: unknown, list: string, name: string): Member {
  const found = (of as Record<string, Member[]>)[list]?.find((member) => member["name"] === name);
  if (!found) throw new Error(`no ${name} in ${list}`);
  return found;
}

const named = (kind: string, name: string) => ({ kind, name, ofType: null });
const type = (data: Answer, name: string) => part(data.__schema, "types", name);
const field = (data: Answer, owner: string, name: string) => part(type(data, owner), "fields", name);
const first = (data: Answer) => part(field(data, "Query", "find"), "args", "first");
const option = (data: Answer, name: string) => part(type(data, "Options"), "inputFields", name);
const tag = (data: Answer) => part(data.__schema, "directives", "tag");

const malformed: [name: string, mutate: (data: Answer) => unknown, want: string][] = [
  [
    "an empty default of an argument",
    (data) => Object.assign(first(data), { defaultValue: "" }),
    'the default of Query.find(first:) is "", which is not a GraphQL value',
  ],
  [
    "an argument's default that closes the argument list",
    (data) => Object.assign(first(data), { defaultValue: '") { evil' }),
    'the default of Query.find(first:) is "\\") { evil", which is not a GraphQL value',
  ],
  [
    "an input field's default with an open bracket",
    (data) => Object.assign(option(data, "b"), { defaultValue: "[1" }),
    'the default of Options.b is "[1", which is not a GraphQL value',
  ],
  [
    "a directive's default with a raw line break",
    (data) => Object.assign(part(tag(data), "args", "name"), { defaultValue: '"a\nb"' }),
    'the default of @tag(name:) is "\\"a\\nb\\"", which is not a GraphQL value',
  ],
  ...["true", "false", "null"].map((value): (typeof malformed)[number] => [
    `an enum value ${value}`,
    (data) => Object.assign(part(type(data, "Color"), "enumValues", "RED"), { name: value }),
    `Color has the value "${value}", which is not a valid name of a value`,
  ]),
  ...(
    [
      ["query", "Node", "INTERFACE"],
      ["mutation", "Color", "ENUM"],
      ["subscription", "Any", "UNION"],
      ["mutation", "Int", "SCALAR"],
    ] as const
  ).map(([root, name, kind]): (typeof malformed)[number] => [
    `a ${root} root that is of kind ${kind}`,
    (data) => Object.assign(data.__schema, { [`${root}Type`]: { name } }),
    `the ${root} root refers to type "${name}" of kind ${kind}, but only OBJECT are valid there`,
  ]),
  [
    "an unknown directive location",
    (data) => Object.assign(tag(data), { locations: ["FIELD", "EVERYWHERE"] }),
    '@tag has the unknown location "EVERYWHERE"',
  ],
  [
    "a type required twice",
    (data) => {
      const once = { kind: "NON_NULL", name: null, ofType: named("SCALAR", "Int") };
      Object.assign(field(data, "Mutation", "a"), { type: { kind: "NON_NULL", name: null, ofType: once } });
    },
    'Mutation.a has the type "Int!!", required twice',
  ],
  [
    "an input type as the type of a field",
    (data) => Object.assign(field(data, "Mutation", "a"), { type: named("INPUT_OBJECT", "Options") }),
    'Mutation.a refers to type "Options" of kind INPUT_OBJECT, but only SCALAR, OBJECT, INTERFACE, UNION, ENUM are valid there',
  ],
  [
    "an output type as the type of an argument",
    (data) => Object.assign(first(data), { type: named("OBJECT", "Query") }),
    'Query.find(first:) refers to type "Query" of kind OBJECT, but only SCALAR, ENUM, INPUT_OBJECT are valid there',
  ],
  [
    "an output type as the type of an input field",
    (data) => Object.assign(option(data, "a"), { type: named("UNION", "Any") }),
    'Options.a refers to type "Any" of kind UNION, but only SCALAR, ENUM, INPUT_OBJECT are valid there',
  ],
  [
    "an output type as the type of a directive's argument",
    (data) => Object.assign(part(tag(data), "args", "name"), { type: named("INTERFACE", "Node") }),
    '@tag(name:) refers to type "Node" of kind INTERFACE, but only SCALAR, ENUM, INPUT_OBJECT are valid there',
  ],
  [
    "an object type as an interface",
    (data) => Object.assign(type(data, "Query"), { interfaces: [named("OBJECT", "Mutation")] }),
    'Query refers to type "Mutation" of kind OBJECT, but only INTERFACE are valid there',
  ],
  [
    "a union of types other than objects",
    (data) => Object.assign(type(data, "Any"), { possibleTypes: [named("INTERFACE", "Node")] }),
    'Any refers to type "Node" of kind INTERFACE, but only OBJECT are valid there',
  ],
  [
    "a standard scalar that is an object",
    (data) => data.__schema.types.push({ kind: "OBJECT", name: "Float", fields: [] }),
    "Float is of kind OBJECT, but should be of kind SCALAR",
  ],
  [
    "a name of 2000 characters",
    (data) => Object.assign(type(data, "Color"), { name: "a".repeat(2000) }),
    `types[5].name should be a GraphQL name, but is "${"a".repeat(60)}"…`,
  ],
];

const partial: [name: string, mutate: (data: Answer) => unknown, want: string][] = [
  ...(["query", "mutation", "subscription"] as const).map((root): (typeof partial)[number] => [
    `a missing ${root} root`,
    (data) => Object.assign(data.__schema, { [`${root}Type`]: { name: "Gone" } }),
    `the ${root} root refers to type "Gone", which is missing`,
  ]),
  [
    "an object type without fields",
    (data) => Object.assign(type(data, "Mutation"), { fields: [] }),
    "Mutation has no fields",
  ],
  [
    "an interface without fields",
    (data) => Object.assign(type(data, "Node"), { fields: [] }),
    "Node has no fields",
  ],
  [
    "an enum without values",
    (data) => Object.assign(type(data, "Color"), { enumValues: [] }),
    "Color has no values",
  ],
  [
    "an input without fields",
    (data) => Object.assign(type(data, "Options"), { inputFields: [] }),
    "Options has no fields",
  ],
  [
    "a union without members",
    (data) => Object.assign(type(data, "Any"), { possibleTypes: [] }),
    "Any has no members",
  ],
  [
    "a directive without locations",
    (data) => Object.assign(tag(data), { locations: [] }),
    "@tag has no locations",
  ],
  [
    "a directive's argument with a missing type",
    (data) => Object.assign(part(tag(data), "args", "name"), { type: named("SCALAR", "Gone") }),
    '@tag(name:) refers to type "Gone", which is missing',
  ],
  [
    "an argument with a missing type",
    (data) => Object.assign(first(data), { type: named("SCALAR", "Gone") }),
    'Query.find(first:) refers to type "Gone", which is missing',
  ],
];

describe("validateSchema", () => {
  it.each(malformed)("error: %s", (_, mutate, want) => {
    const data = answer();
    mutate(data);
    expect(catchError(() => parseIntrospection(data))).toMatchObject({
      code: "SCHEMA_NOT_INTROSPECTION",
      sentence: `The answer is not an introspection result: ${want}.`,
    } satisfies Partial<LockflowError>);
  });

  it.each(partial)("error: %s", (_, mutate, want) => {
    const data = answer();
    mutate(data);
    expect(catchError(() => parseIntrospection(data))).toMatchObject({
      code: "SCHEMA_INCOMPLETE",
      sentence: `The schema is incomplete: ${want}.`,
    } satisfies Partial<LockflowError>);
  });

  const fine: [name: string, mutate: (data: Answer) => unknown][] = [
    [
      "a loose meta-type",
      (data) => {
        const loose = {
          name: "args",
          args: [{ name: "a", type: named("OBJECT", "__Type"), defaultValue: "(" }],
          type: named("INPUT_OBJECT", "Options"),
        };
        data.__schema.types.push(
          { kind: "OBJECT", name: "__Field", fields: [loose], interfaces: [] },
          { kind: "OBJECT", name: "__Type", fields: [], interfaces: [] },
        );
      },
    ],
    [
      "a second type with the same name",
      (data) =>
        data.__schema.types.push({
          kind: "OBJECT",
          name: "Color",
          fields: [{ name: "a", args: [], type: named("SCALAR", "Int") }],
        }),
    ],
    [
      "listed standard scalars",
      (data) => data.__schema.types.push({ kind: "SCALAR", name: "Int" }, { kind: "SCALAR", name: "ID" }),
    ],
    ["no directives", (data) => Object.assign(data.__schema, { directives: [] })],
  ];
  it.each(fine)("accepts %s", (_, mutate) => {
    const data = answer();
    mutate(data);
    expect(() => parseIntrospection(data)).not.toThrow();
  });
});
