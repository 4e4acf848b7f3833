import { describe, expect, it } from "vitest";
import { UsageError } from "../../src/base/errors.ts";
import { type Ported, type PortOptions, port } from "../../src/port/port.ts";
import type { TempProject } from "../support/temp-project.ts";
import { createProject, portFiles, portText } from "./fixtures.ts";

const of = async (files: Readonly<Record<string, string>>) => (await portFiles(files)).operations;
const portIn = ({ root }: TempProject, more: Partial<PortOptions> = {}) =>
  port({ cwd: root, patterns: ["src"], against: null, ...more });
const resultsOf = (operations: Ported["operations"]) =>
  operations.map(({ name, result, reasons }) => [name, result, reasons[0]?.code]);

describe("a subgraph document", () => {
  it("keeps its text, comments and fragments, with corrected types of variables", async () => {
    const text = `# Top.
query Q($sender: String!, $unused: Int, $first: Int = 5) { # the sender
  streams(where: { sender: $sender }, first: $first) { ...F @include(if: true) }
}
# Of rows.
fragment F on Stream { id }
fragment Unused on Stream { alias }`;
    const ported = await portText(text);
    expect(ported).toMatchObject({ result: "portable", to: "operations/lockup/portable/q.graphql" });
    expect(ported.text).toBe(`# Top.
query Q($sender: Bytes!, $first: Int = 5) { # the sender
  streams(where: { sender: $sender }, first: $first) { ...F @include(if: true) }
}

# Of rows.
fragment F on Stream { id }`);
    expect(ported.codes).toEqual(["port/variable-type", "port/unused-variable"]);
    const { text: none } = await portText("query Q($unused: Int) { streams(first: 1) { id } }");
    expect(none).toBe("query Q { streams(first: 1) { id } }");
  });

  it("that is not portable is written to the folder of its style, with the reason", async () => {
    const ported = await portText("query Q { streams(block: { number: 1 }, first: 5000) { id } }");
    expect(ported).toMatchObject({ result: "style", to: "operations/lockup/subgraph/q.graphql" });
    expect(ported.codes).toContain("portable/first-range");
  });
});

describe("names and places", () => {
  it("names operations after their constants and files", async () => {
    const operations = await of({
      "src/latest-streams.graphql": "{ streams(first: 1) { id } }",
      "src/a.ts": "const STREAMS_QUERY = gql`query { streams(first: 2) { id } }`;",
    });
    expect(operations.map(({ name, to }) => [name, to])).toEqual([
      ["StreamsQuery", "operations/lockup/portable/streams-query.graphql"],
      ["LatestStreams", "operations/lockup/portable/latest-streams.graphql"],
    ]);
  });

  it("renames operations and fragments whose name is taken by another text", async () => {
    const project = createProject({
      "operations/lockup/portable/q.graphql":
        "query Q { streams(first: 9) { ...F } }\nfragment F on Stream { alias }\n",
      "src/a.graphql": "query Q { streams(first: 1) { ...F } }\nfragment F on Stream { id }",
      "src/b.graphql": "query q { Asset(distinct_on: [symbol], limit: 1) { id } }",
    });
    const { operations, written } = await portIn(project, { write: true });
    expect(operations.map(({ name }) => name)).toEqual(["Q2", "qMultichain"]);
    expect(written).toEqual([
      "operations/lockup/multichain/q-multichain.graphql",
      "operations/lockup/portable/q2.graphql",
    ]);
    expect(project.read("operations/lockup/portable/q2.graphql")).toBe(
      "query Q2 { streams(first: 1) { ...QF } }\n\nfragment QF on Stream { id }\n",
    );
    expect(project.read("operations/lockup/portable/q.graphql")).toContain("first: 9");
  });

  it("writes nothing in a second run", async () => {
    const project = createProject({
      "src/a.graphql": "query A { streams(first: 1) { ...F } } fragment F on Stream { id }",
    });
    const options = { patterns: ["src/*.graphql"], write: true };
    expect((await portIn(project, options)).written).toHaveLength(1);
    const again = await portIn(project, options);
    expect([again.written, again.diff]).toEqual([[], ""]);
    expect(again.operations[0]?.to).toBe("operations/lockup/portable/a.graphql");
  });

  it("writes each of several operations, and reports a document with a syntax error in one line", async () => {
    const operations = await of({
      "src/a.graphql": "query A { streams(first: 1) { id } } query B { assets(first: 1) { id } }",
      "src/b.graphql": "query C {\n  streams( }",
    });
    expect(operations).toMatchObject([
      { name: "A", result: "portable", from: [{ line: 1, surface: "lockup/subgraph" }] },
      { name: "B", result: "portable" },
      { name: "B", result: "refused", to: null, from: [{ file: "src/b.graphql", line: 2, surface: null }] },
    ]);
    expect(operations[2]?.reasons.map(({ code }) => code)).toEqual(["operation/syntax"]);
  });
});

describe("surfaces", () => {
  it("reports the nearest surface with its errors", async () => {
    const operations = await of({ "src/a.graphql": "query A { streams { id nope } }" });
    const reasons = [{ code: "port/unknown-surface" }, { code: "operation/invalid" }];
    expect(operations).toMatchObject([
      { result: "refused", from: [{ surface: "lockup/subgraph" }], reasons },
    ]);
  });

  it("refuses an operation that two protocols accept, whatever its names and its neighbours are", async () => {
    const project = createProject({
      "src/flow.graphql": "query FlowStreams { streams(first: 1) { id } }",
      "src/flow/b.graphql": "query B { streams(first: 1) { id isPaused } }",
      "src/flow/c.graphql": "query C { streams(first: 1) { id } }",
    });
    project.write("lockflow.config.json", '{ "protocols": ["lockup", "flow"] }');
    for (const style of ["multichain", "subgraph"]) {
      const schema = project.read(`generated/schemas/lockup/${style}.graphql`);
      project.write(
        `generated/schemas/flow/${style}.graphql`,
        schema.replace(/^type Stream .*\{/m, (line) => `${line}\n  isPaused: Boolean`),
      );
    }
    const { operations } = await portIn(project);
    const ambiguous = [
      { code: "port/ambiguous", message: expect.stringContaining("--protocol lockup or flow.") },
    ];
    expect(operations).toMatchObject([
      { name: "FlowStreams", result: "refused", reasons: ambiguous },
      { name: "B", result: "portable", from: [{ surface: "flow/subgraph" }] },
      { name: "C", result: "refused", reasons: ambiguous },
    ]);
    const chosen = await portIn(project, { protocols: ["flow"] });
    expect(chosen.operations.map(({ from }) => from[0]?.surface)).toEqual(Array(3).fill("flow/subgraph"));
  });
});

describe("pairs", () => {
  const SUBGRAPH =
    "query Streams($me: Bytes!, $first: Int! = 5) { streams(where: { sender: $me }, orderBy: timestamp, orderDirection: desc, first: $first) { id alias } }";
  const multichain = (rest: string) =>
    `query StreamsEnvio($owner: String!, $chain: numeric!, $limit: Int! = 5) { Stream(where: { _and: [{ sender: { _eq: $owner } }, { chainId: { _eq: $chain } }] }, ${rest} }`;

  it("are merged if they are equivalent, whatever their names and variables", async () => {
    const operations = await of({
      "src/a.graphql": SUBGRAPH,
      "src/b.graphql": multichain("order_by: { timestamp: desc }, limit: $limit) { alias id }").replace(
        "StreamsEnvio",
        "Other",
      ),
    });
    expect(operations).toMatchObject([
      {
        name: "Streams",
        result: "portable",
        differences: [],
        from: [
          { file: "src/a.graphql", surface: "lockup/subgraph" },
          { file: "src/b.graphql", surface: "lockup/multichain" },
        ],
      },
    ]);
  });

  it("are merged if callers pass the filter, which is optional", async () => {
    const shared = "orderBy: timestamp, first: 5) { id } }";
    const operations = await of({
      "src/a.graphql": `query A($where: Stream_filter) { streams(where: $where, ${shared}`,
      "src/b.graphql":
        "query B($where: Stream_bool_exp) { Stream(where: $where, order_by: { timestamp: asc }, limit: 5) { id } }",
    });
    expect(operations).toMatchObject([{ name: "A", result: "portable", differences: [] }]);
    expect(operations[0]?.from).toHaveLength(2);
  });

  it("differ if one has a variable where the other has two", async () => {
    const [operation] = await of({
      "src/a.graphql": "query Q($a: String!) { streams(where: { alias: $a, shape: $a }, first: 5) { id } }",
      "src/b.graphql":
        "query Q($x: String!, $y: String!) { Stream(where: { alias: { _eq: $x }, shape: { _eq: $y } }, limit: 5) { id } }",
    });
    const [multichain, subgraph] = ["alias = $x and shape = $y", "alias = $a and shape = $a"];
    expect(operation?.differences).toEqual([{ path: "streams.where", multichain, subgraph }]);
  });

  it("are merged, with a list of differences, if they drifted apart", async () => {
    const [operation, ...others] = await of({
      "src/a.graphql": SUBGRAPH,
      "src/b.graphql": multichain("order_by: { timestamp: asc }, limit: 7) { id asset { symbol } }"),
    });
    expect(others).toEqual([]);
    expect(operation).toMatchObject({ result: "portable", reasons: [{ code: "port/kept" }] });
    expect(operation?.differences).toEqual([
      { path: "streams.orderBy", multichain: "timestamp asc, id asc", subgraph: "timestamp desc, id desc" },
      { path: "streams.first", multichain: "7", subgraph: "$first" },
      { path: "streams.asset", multichain: "asset", subgraph: "" },
      { path: "streams.alias", multichain: "", subgraph: "alias" },
    ]);
  });
});

it("keeps a pair separate if its subgraph document is not portable, or neither is", async () => {
  const operations = await of({
    "src/a.graphql":
      'query OneGraph { streams(first: 5000) { id } } query Two { streams(where: { alias_gt: "a" }, block: { number: 1 }, first: 2000) { id } }',
    "src/b.graphql":
      "query OneEnvio { Stream(limit: 5) { id } } query Two { Stream(distinct_on: [alias], limit: 5) { id } }",
  });
  const twins = operations.map(({ name, result, to, reasons }) => [
    ...[name, result, to],
    reasons.find(({ code }) => code === "port/twin")?.message,
  ]);
  const apart = (place: string, style: string) =>
    `src/${place} asks for the same entities in ${style} style, and stays apart.`;
  const folder = "operations/lockup";
  expect(twins).toEqual([
    ["OneGraph", "style", `${folder}/subgraph/one-graph.graphql`, apart("b.graphql:1", "multichain")],
    ["Two", "style", `${folder}/subgraph/two.graphql`, apart("b.graphql:1", "multichain")],
    ["OneEnvio", "portable", `${folder}/portable/one-envio.graphql`, apart("a.graphql:1", "subgraph")],
    ["Two", "style", `${folder}/multichain/two.graphql`, apart("a.graphql:1", "subgraph")],
  ]);
});

describe("documents in code", () => {
  it("are found by tag, call and comment, with constants of this and other files inlined", async () => {
    const operations = await of({
      "src/fragments.ts":
        "export const ROW = gql`fragment Row on Stream { id ...Inner } ${INNER}`;\nconst INNER = gql`fragment Inner on Stream { alias }`;\nexport const PLAIN = 'id category';",
      "src/index.ts": 'export { ROW as EXPORTED, PLAIN } from "./fragments.js";',
      "src/b.tsx": `import { EXPORTED, PLAIN } from ".";
const A = gql\`query A { streams(first: 1) { ...Row } } \${EXPORTED}\`;
const B = graphql(\`query B { streams(first: 2) { \${PLAIN} } }\`);
const C = /* GraphQL */ \`query C { streams(first: 3) { id } }\`;
const D = gql\`query D { streams(first: 3) { \${fields()} } }\`;
`,
    });
    expect(operations.map(({ name, result, from }) => [name, result, from[0]?.line])).toEqual([
      ["A", "portable", 2],
      ["B", "portable", 3],
      ["C", "portable", 4],
      ["D", "refused", 5],
    ]);
    expect(operations[3]?.reasons).toEqual([
      { code: "port/interpolation", message: "`${fields()}` stands for fields or names." },
    ]);
  });

  it("are found through tsconfig.json paths and barrels, and exponential interpolation ends", async () => {
    const doubled = Array.from({ length: 30 }, (_, at) => `const D${at} = "\${D${at + 1}}\${D${at + 1}}";`);
    const operations = await of({
      "tsconfig.json": '{ "compilerOptions": { "paths": { "@/*": ["./src/*"], "@/x/*": ["./none/*"] } } }',
      "src/parts/row.ts": "export const ROW = gql`fragment Row on Stream { id }`;",
      "src/parts/index.ts": 'import { ROW } from "./row.js";\nexport { ROW as PART };',
      "src/a.ts":
        'import { PART } from "@/parts";\nconst A = gql`query A { streams(first: 1) { ...Row } } ${PART}`;',
      "src/b.ts": `const B = gql\`query B { \${D0} }\`;\n${doubled.join("\n").replaceAll('"', "`")}\nconst D30 = "x ";`,
    });
    expect(resultsOf(operations)).toEqual([
      ["A", "portable", undefined],
      ["B", "refused", "port/interpolation"],
    ]);
  });

  it("are searched once in barrels that export each other", async () => {
    const barrels = ["a", "b", "c", "d"].map((name, _, all): [string, string] => [
      `src/${name}.ts`,
      all.flatMap((other) => (other === name ? [] : `export * from "./${other}";`)).join("\n"),
    ]);
    const [operation] = await of({
      ...Object.fromEntries(barrels),
      "src/q.ts": 'import { NONE } from "./a";\nconst Q = gql`query Q { streams { ...F } } ${NONE}`;',
    });
    expect(operation?.reasons[0]?.code).toBe("port/interpolation");
  });

  it("are not evaluated, and cycles and unreadable files are rejected", async () => {
    const { operations, notes } = await portFiles({
      "src/a.ts": 'throw new Error("evaluated");\nconst A = gql`${B}`;\nconst B = gql`${A}`;',
      "src/b.graphql": "fragment F on Stream { ...F }\nquery Deep { streams(first: 1) { ...F } }",
      "src/c.graphql": "query Binary { \u0000 }",
      "src/d.graphql": "fragment Lonely on Stream { id }",
      "src/e.graphql": `query { streams { ...F0 } }${Array.from({ length: 10_000 }, (_, at) => ` fragment F${at} on Stream { id ...F${at + 1} }`).join("")}`,
      "src/empty.graphql": "",
      "src/comment.graphql": "\uFEFF# moved to streams.graphql\r\n",
    });
    expect(resultsOf(operations)).toEqual([
      ["A", "refused", "port/interpolation"],
      ["B", "refused", "port/interpolation"],
      ["Deep", "refused", "port/unknown-surface"],
      ["C", "refused", "port/unreadable"],
      ["E", "refused", "port/too-deep"],
    ]);
    expect(notes).toEqual(["The fragment Lonely of src/d.graphql is not used and was left out."]);
  });
});

it.each([
  ["multichain", "Stream(distinct_on: [alias], limit: 5) { id asset_id }"],
  ["subgraph", "streams(first: 5000) { id }"],
])("gives no reason of the other style in a project with one: %s", async (style, list) => {
  const project = createProject({
    "src/a.graphql": `query A { ${list} } query Progress { _meta { block { number } } } query B { chain_metadata { chain_id } }`,
  });
  project.write("lockflow.config.json", `{ "protocols": { "lockup": { "styles": ["${style}"] } } }`);
  const { operations } = await portIn(project);
  const message = `It stays in ${style}, the only style of lockup.`;
  expect(operations).toMatchObject([{ name: "A", reasons: [{ code: "port/only-style", message }] }]);
});

it("writes nothing without `write`, and refuses patterns without a file", async () => {
  const project = createProject({ "src/a.graphql": "query A { streams(first: 1) { id } }" });
  const before = project.files();
  const { diff, written } = await portIn(project, { patterns: ["src/**/*.graphql"] });
  expect(diff).toContain("+++ operations/lockup/portable/a.graphql");
  expect(written).toEqual([]);
  expect(project.files()).toEqual(before);
  await expect(port({ cwd: project.root, patterns: ["none/*.ts"] })).rejects.toBeInstanceOf(UsageError);
});
