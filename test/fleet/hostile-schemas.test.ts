import { describe, expect, it } from "vitest";
import { canonicalize, hashSchema } from "../../src/dialects/canonicalize.ts";
import { styles } from "../../src/dialects/index.ts";
import { parseSdl } from "../../src/dialects/parse-sdl.ts";
import { createSchemaReader } from "../../src/fleet/read-schema.ts";
import { renderSnapshot, requireReadable } from "../../src/workspace/snapshot-schema.ts";
import { BUILT_IN_DEFINITIONS } from "../support/built-in-definitions.ts";
import { catchError } from "../support/catch-error.ts";
import { introspectionAnswer, subgraphProbeAnswer } from "../support/indexer-answers.ts";
import { run } from "../support/run.ts";
import { tempProject } from "../support/temp-project.ts";
import { testServer } from "../support/test-server.ts";

// biome-ignore lint/suspicious/noExplicitAny: an answer of any shape
type Data = any;

const CHAIN_IDS: Readonly<Record<string, number>> = { mainnet: 1, base: 8453, gnosis: 100 };

const OPERATION = "query Streams { streams(first: 5) { id alias category } }\n";

/** Three subgraphs of one protocol; those of `chains` serve the schema that `change` edited. */
async function fleet(chains: readonly string[], change: (schema: Data) => void) {
  const hostile = JSON.parse(introspectionAnswer("subgraph"));
  change(hostile.data.__schema);
  const body = JSON.stringify(hostile);
  const { url } = await testServer((request, response) => {
    const chain = request.path.split("-").at(-1) ?? "";
    if (request.body.includes("_meta")) response.end(subgraphProbeAnswer(CHAIN_IDS[chain] ?? null));
    else response.end(chains.includes(chain) ? body : introspectionAnswer("subgraph"));
  });
  return tempProject({
    "lockflow.config.json": JSON.stringify({
      protocols: ["lockup"],
      deployments: Object.fromEntries(
        Object.keys(CHAIN_IDS).map((chain) => {
          const name = `protocol-lockup-${chain}`;
          return [name, { testing: { url: `${url}/${name}` } }];
        }),
      ),
    }),
    "operations/lockup/subgraph/streams.graphql": OPERATION,
  });
}

const typeOf = (schema: Data, name: string) =>
  schema.types.find((type: { readonly name: string }) => type.name === name);
const fieldOf = (schema: Data, type: string, name: string) =>
  typeOf(schema, type).fields.find((field: { readonly name: string }) => field.name === name);
const addInput = (
  schema: Data,
  name: string,
  fields: readonly (readonly [string, string, string | null])[],
) => {
  schema.types.push({
    kind: "INPUT_OBJECT",
    name,
    inputFields: fields.map(([field, type, defaultValue]) => ({
      name: field,
      type: { kind: "INPUT_OBJECT", name: type },
      defaultValue,
    })),
  });
  fieldOf(schema, "Query", "streams").args.push({
    name: "more",
    type: { kind: "INPUT_OBJECT", name },
    defaultValue: null,
  });
};
const scalar = (name: string) => ({ kind: "SCALAR", name });

const accepted: readonly (readonly [name: string, change: (schema: Data) => void])[] = [
  [
    "half a surrogate pair in a deprecation reason",
    (schema) =>
      Object.assign(fieldOf(schema, "Stream", "alias"), { isDeprecated: true, deprecationReason: "a\ud800" }),
  ],
  [
    "half a surrogate pair in a description",
    (schema) => Object.assign(fieldOf(schema, "Stream", "alias"), { description: "a\udc00 b" }),
  ],
  [
    "a default with escapes",
    (schema) =>
      fieldOf(schema, "Query", "streams").args.push({
        name: "text",
        type: scalar("String"),
        defaultValue: String.raw`"a\u00e9\n\"\\"`,
      }),
  ],
  [
    "a default that is a block string",
    (schema) =>
      fieldOf(schema, "Query", "streams").args.push({
        name: "text2",
        type: scalar("String"),
        defaultValue: '"""\n  a\n    "b" \\"""\n"""',
      }),
  ],
  [
    "50,000 lines in a description",
    (schema) => Object.assign(fieldOf(schema, "Stream", "alias"), { description: "x\n".repeat(50_000) }),
  ],
  [
    "quotes, hashes and odd line ends in descriptions",
    (schema) =>
      Object.assign(fieldOf(schema, "Stream", "alias"), {
        description: '"""\r\n# type Query {\u2028"\\"""\u0085\u000b}\n  """',
      }),
  ],
  [
    "a deprecation reason with quotes and line ends",
    (schema) =>
      Object.assign(fieldOf(schema, "Stream", "alias"), {
        isDeprecated: true,
        deprecationReason: 'a"\n"""\r\u2028\\ */',
      }),
  ],
  [
    "fields with names of Object.prototype",
    (schema) => {
      for (const name of ["__proto__", "constructor", "toString", "hasOwnProperty"]) {
        typeOf(schema, "Stream").fields.push({ name, args: [], type: scalar("Int") });
      }
    },
  ],
  [
    "lists of lists",
    (schema) => {
      let type: Data = scalar("Int");
      for (let depth = 0; depth < 8; depth++) type = { kind: "LIST", ofType: type };
      typeOf(schema, "Stream").fields.push({ name: "deep", args: [], type });
    },
  ],
  [
    "defaults of another type, or out of range",
    (schema) =>
      fieldOf(schema, "Query", "streams").args.push(
        { name: "a", type: scalar("Int"), defaultValue: "99999999999999999999" },
        { name: "b", type: scalar("Int"), defaultValue: '"x"' },
        { name: "c", type: { kind: "ENUM", name: "StreamCategory" }, defaultValue: "NONE" },
      ),
  ],
  [
    "a directive with odd defaults",
    (schema) =>
      schema.directives.push({
        name: "odd",
        locations: ["FIELD", "FIELD"],
        args: [{ name: "a", type: scalar("String"), defaultValue: '"\\u0041"' }],
      }),
  ],
  ["an input with an optional member of its own type", (schema) => addInput(schema, "A", [["a", "A", null]])],
];

const refused: readonly (readonly [name: string, change: (schema: Data) => void, want: string])[] = [
  [
    "an input whose default contains itself",
    (schema) => addInput(schema, "A", [["a", "A", "{}"]]),
    "the default of A.a contains itself",
  ],
  [
    "a default that doubles forty times",
    (schema) => {
      for (let i = 0; i < 40; i++) {
        addInput(schema, `A${i}`, [
          ["a", `A${i + 1}`, "{}"],
          ["b", `A${i + 1}`, "{}"],
        ]);
      }
      addInput(schema, "A40", [["a", "A0", null]]);
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
    (schema) =>
      fieldOf(schema, "Query", "streams").args.push({
        name: "text3",
        type: scalar("String"),
        defaultValue: '"\ud800"',
      }),
    "the default of Query.streams(text",
  ],
];

/** Reads an edited schema like a deployment's answer. */
function read(change: (schema: Data) => void) {
  const answer = JSON.parse(introspectionAnswer("subgraph"));
  change(answer.data.__schema);
  const bytes = new TextEncoder().encode(JSON.stringify(answer));
  const reading = createSchemaReader(BUILT_IN_DEFINITIONS, [])(bytes, styles.subgraph);
  requireReadable(reading);
  return reading;
}

describe("an unusual schema of a server", () => {
  it.each(accepted)("is accepted, and its snapshot parses to the same schema: %s", (_, change) => {
    const reading = read(change);
    const path = "schemas/lockup/subgraph.graphql";
    const content = renderSnapshot(reading, { protocol: "lockup", style: "subgraph" });
    const back = canonicalize(parseSdl(content, path));
    expect(hashSchema(back)).toEqual(reading.hashes);
    expect(
      renderSnapshot({ schema: back, hashes: reading.hashes }, { protocol: "lockup", style: "subgraph" }),
    ).toBe(content);
  });

  it("is accepted by every command", async () => {
    const project = await fleet(Object.keys(CHAIN_IDS), (schema) => {
      for (const [name, change] of accepted) if (!name.startsWith("50,000")) change(schema);
    });
    expect(await run(project.root, ["introspect"])).toMatchObject({ code: 0 });
    expect(await run(project.root, ["generate"])).toMatchObject({ code: 0, err: "" });
    expect(await run(project.root, ["check"])).toMatchObject({ code: 0, err: "" });
    expect(await run(project.root, ["drift"])).toMatchObject({ code: 0 });
    expect((await run(project.root, ["introspect"])).out).toContain("unchanged");
  });

  it.each(refused)("error: is rejected with its coordinate: %s", (_, change, want) => {
    expect(catchError(() => read(change)).message).toMatch(/^The answer is not an introspection result: /);
    expect(catchError(() => read(change)).message).toContain(want);
  });

  it("error: a rejected schema fails only its own deployment", async () => {
    const project = await fleet(["base"], (schema) => addInput(schema, "A", [["a", "A", "{}"]]));
    const { code, out } = await run(project.root, ["introspect"]);
    expect(code).toBe(2);
    expect(out).toContain("Introspected 2 of 3 deployments.");
    expect(out).toMatch(/protocol-lockup-base: .* the default of A\.a contains itself/);
    expect(Object.keys(project.files("generated/schemas"))).toEqual([
      "generated/schemas/deployments.json",
      "generated/schemas/lockup/subgraph.graphql",
    ]);
    const drift = await run(project.root, ["drift"]);
    expect(drift.out).toContain("protocol-lockup-base");
    expect(drift.err).not.toContain("bug");
  });
});
