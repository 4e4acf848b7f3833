import { expect, it } from "vitest";
import { canonicalize, hashSchema } from "../../src/dialects/canonicalize.ts";
import { styles } from "../../src/dialects/index.ts";
import { parseSdl } from "../../src/dialects/parse-sdl.ts";
import { createSchemaReader } from "../../src/fleet/read-schema.ts";
import { renderSnapshot, requireReadable } from "../../src/workspace/snapshot-schema.ts";
import { BUILT_IN_DEFINITIONS } from "../support/built-in-definitions.ts";
import { catchError } from "../support/catch-error.ts";
import { introspectionAnswer } from "../support/indexer-answers.ts";
import { run } from "../support/run.ts";
import { serving, smallFleet } from "./small-fleet.ts";

// biome-ignore lint/suspicious/noExplicitAny: an answer of any shape
type Data = any;
type Change = (schema: Data) => void;

const named = (list: Data, name: string) =>
  list.find((item: { readonly name: string }) => item.name === name);
const typeOf = (schema: Data, name: string) => named(schema.types, name);
const scalar = (name: string) => ({ kind: "SCALAR", name });
const alias =
  (facts: object): Change =>
  (schema) =>
    Object.assign(named(typeOf(schema, "Stream").fields, "alias"), facts);
const args =
  (...added: readonly (readonly [name: string, type: object, defaultValue: string | null])[]): Change =>
  (schema) =>
    named(typeOf(schema, "Query").fields, "streams").args.push(
      ...added.map(([name, type, defaultValue]) => ({ name, type, defaultValue })),
    );
/** Adds an input with members `name:type=default`, and an argument of its type. */
const input = (name: string, ...members: readonly string[]): Change => {
  const inputFields = members.map((member) => {
    const [, field, type, defaultValue = null] = /^(\w+):(\w+)(?:=(.*))?$/.exec(member) ?? [];
    return { name: field, type: { kind: "INPUT_OBJECT", name: type }, defaultValue };
  });
  return (schema) => {
    schema.types.push({ kind: "INPUT_OBJECT", name, inputFields });
    args(["more", { kind: "INPUT_OBJECT", name }, null])(schema);
  };
};

const ACCEPTED: Readonly<Record<string, Change>> = {
  "half a surrogate pair in a deprecation reason": alias({
    isDeprecated: true,
    deprecationReason: "a\ud800",
  }),
  "half a surrogate pair in a description": alias({ description: "a\udc00 b" }),
  "a default with escapes": args(["text", scalar("String"), String.raw`"a\u00e9\n\"\\"`]),
  "a default that is a block string": args(["text2", scalar("String"), '"""\n  a\n    "b" \\"""\n"""']),
  "50,000 lines in a description": alias({ description: "x\n".repeat(50_000) }),
  "quotes, hashes and odd line ends in descriptions": alias({
    description: '"""\r\n# type Query {\u2028"\\"""\u0085\u000b}\n  """',
  }),
  "a deprecation reason with quotes and line ends": alias({
    isDeprecated: true,
    deprecationReason: 'a"\n"""\r\u2028\\ */',
  }),
  "fields with names of Object.prototype": (schema) => {
    for (const name of ["__proto__", "constructor", "toString", "hasOwnProperty"]) {
      typeOf(schema, "Stream").fields.push({ name, args: [], type: scalar("Int") });
    }
  },
  "lists of lists": (schema) => {
    let type: Data = scalar("Int");
    for (let depth = 0; depth < 8; depth++) type = { kind: "LIST", ofType: type };
    typeOf(schema, "Stream").fields.push({ name: "deep", args: [], type });
  },
  "defaults of another type, or out of range": args(
    ["a", scalar("Int"), "99999999999999999999"],
    ["b", scalar("Int"), '"x"'],
    ["c", { kind: "ENUM", name: "StreamCategory" }, "NONE"],
  ),
  "a directive with odd defaults": (schema) => {
    const odd = [{ name: "a", type: scalar("String"), defaultValue: '"\\u0041"' }];
    schema.directives.push({ name: "odd", locations: ["FIELD", "FIELD"], args: odd });
  },
  "an input with an optional member of its own type": input("A", "a:A"),
};

const REFUSED: readonly (readonly [name: string, change: Change, want: string])[] = [
  ["an input whose default contains itself", input("A", "a:A={}"), "the default of A.a contains itself"],
  [
    "a default that doubles forty times",
    (schema) => {
      for (let i = 0; i < 40; i++) input(`A${i}`, `a:A${i + 1}={}`, `b:A${i + 1}={}`)(schema);
      input("A40", "a:A0")(schema);
    },
    "has more than 1000 values",
  ],
  [
    "an invalid enum value",
    (schema) => typeOf(schema, "StreamCategory").enumValues.push({ name: "true" }),
    'StreamCategory has the value "true"',
  ],
  [
    "a default with half a surrogate pair",
    args(["text3", scalar("String"), '"\ud800"']),
    "the default of Query.streams(text",
  ],
];

/** The body of an answer with an edited schema. */
function answerWith(...changes: readonly Change[]): string {
  const answer = JSON.parse(introspectionAnswer("subgraph"));
  for (const change of changes) change(answer.data.__schema);
  return JSON.stringify(answer);
}

/** Reads an edited schema like a deployment's answer. */
function read(change: Change) {
  const bytes = new TextEncoder().encode(answerWith(change));
  const reading = createSchemaReader(BUILT_IN_DEFINITIONS, [])(bytes, styles.subgraph);
  requireReadable(reading);
  return reading;
}

it.each(Object.entries(ACCEPTED))(
  "an unusual schema of a server is accepted, and its snapshot parses to it: %s",
  (_, change) => {
    const { schema, hashes } = read(change);
    const surface = { protocol: "lockup", style: "subgraph" } as const;
    const content = renderSnapshot(schema, surface);
    const back = canonicalize(parseSdl(content, "schemas/lockup/subgraph.graphql"));
    expect(hashSchema(back)).toEqual(hashes);
    expect(renderSnapshot(back, surface)).toBe(content);
  },
);

it("an unusual schema of a server is accepted by every command", async () => {
  const { "50,000 lines in a description": _, ...changes } = ACCEPTED;
  const answer = serving(answerWith(...Object.values(changes)));
  const { project } = await smallFleet({ mainnet: answer, base: answer, gnosis: answer });
  project.write("operations/lockup/subgraph/a.graphql", "query Streams { streams(first: 5) { id alias } }\n");
  for (const command of ["introspect", "generate", "check", "drift"]) {
    expect(await run(project.root, [command])).toMatchObject({ code: 0 });
  }
  expect((await run(project.root, ["introspect"])).out).toContain("unchanged");
});

it.each(REFUSED)(
  "error: an unusual schema of a server is rejected with its coordinate: %s",
  (_, change, want) => {
    const { message } = catchError(() => read(change));
    expect(message).toMatch(/^The answer is not an introspection result: /);
    expect(message).toContain(want);
  },
);

it("error: a rejected schema fails only its own deployment", async () => {
  const { project } = await smallFleet({ base: serving(answerWith(input("A", "a:A={}"))) });
  const { code, out } = await run(project.root, ["introspect"]);
  expect(code).toBe(2);
  expect(out).toContain("Introspected 2 of 3 deployments.");
  expect(out).toMatch(/protocol-lockup-base: .* the default of A\.a contains itself/);
  const drift = await run(project.root, ["drift"]);
  expect(drift.out).toContain("protocol-lockup-base");
  expect(drift.err).not.toContain("bug");
});
