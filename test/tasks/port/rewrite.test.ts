import { expect, it } from "vitest";
import { port } from "../../../src/tasks/port.ts";
import { createProject, portFiles } from "./fixtures.ts";

/** The lines that a rewrite adds to code. */
async function rewrite(files: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const { diff, notes } = await portFiles(files, { rewrite: true });
  const added = diff.split("\n").filter((line) => line.startsWith("+") && !line.startsWith("+++"));
  return [
    ...added.map((line) => line.slice(1)).filter((line) => /use|request|const|Document/.test(line)),
    ...notes,
  ];
}

const DOCUMENT =
  "const DOCUMENT = gql`query D($chainId: numeric!) { Stream(where: { chainId: { _eq: $chainId } }, order_by: { id: asc }, limit: 1) { id } }`;";
const SENT = "request(URL, DOCUMENT, { chainId })";
const RUN =
  'run(indexers, D, {}, { chain: resolveChain(chainId) as ChainRef<"lockup"> }).then(({ data }) => data)';
const CLIENT = "const indexers = createClient();";

it.each([
  ["a call", `export const f = () => ${SENT};`, `export const f = () => ${RUN};`],
  [
    "a cached query",
    `useQuery({ queryKey: ["a"], queryFn: () => { return ${SENT}; }, retry: 1 });`,
    'useQuery({ ...query(indexers, D, {}, { chain: chainId as ChainRef<"lockup"> }), select: ({ data }) => data, retry: 1 });',
  ],
  [
    "a cached query that waits for its variables",
    `useQuery({ queryKey: ["a"], queryFn: () => ${SENT}, enabled: chainId > 0 });`,
    `useQuery({ queryKey: ["a"], queryFn: () => ${RUN}, enabled: chainId > 0 });`,
  ],
  [
    "a cached query whose key is used",
    `useQuery({ queryKey: ["a"], queryFn: () => ${SENT} }); cache.invalidateQueries({ queryKey: ["a"] });`,
    `useQuery({ queryKey: ["a"], queryFn: () => ${RUN} }); cache.invalidateQueries({ queryKey: ["a"] });`,
  ],
])("rewrites %s", async (_, code, want) => {
  expect(await rewrite({ "src/a.ts": `${DOCUMENT}\n${code}\n` })).toEqual([CLIENT, want]);
});

it("rewrites calls with the operations of a file", async () => {
  const file = "query One { streams(first: 1) { id } }\nquery Two { streams(first: 2) { id } }\n";
  const code = [
    'import { One as First, Two } from "./q.graphql";',
    "export const one = (chain) => request(URLS[chain], First);",
    "export const two = useApollo(Two, {});",
  ];
  expect(await rewrite({ "src/q.graphql": file, "src/a.js": code.join("\n") })).toEqual([
    'import { TwoDocument } from "../generated/lockup/subgraph.js";',
    CLIENT,
    "export const one = (chain) => run(indexers, lockflowOne, {}, { chain: resolveChain(chain) }).then(({ data }) => data);",
    "export const two = useApollo(TwoDocument, {});",
  ]);
});

it("reads the answer of a pair under the keys of either document", async () => {
  const pair = [
    "const ONE = gql`query One($me: Bytes!) { streams(where: { sender: $me }, orderBy: id, first: 5) { id } }`;",
    "const OTHER = gql`query Other($me: String!, $chain: numeric!) { Stream(where: { sender: { _eq: $me }, chainId: { _eq: $chain } }, order_by: { id: asc }, limit: 5) { id } }`;",
    "export const one = (chain, me) => request(URLS[chain], ONE, { me });",
    "export const other = (chain, me) => request(URL, OTHER, { chain, me });",
    "useQuery({ queryKey: [me], queryFn: () => request(URL, OTHER, { chain, me }) });",
  ];
  const call = "run(indexers, One, { me }, { chain: resolveChain(chain) })";
  expect(await rewrite({ "src/a.js": pair.join("\n") })).toEqual([
    CLIENT,
    `export const one = (chain, me) => ${call}.then(({ data }) => data);`,
    `export const other = (chain, me) => ${call}.then(({ data }) => ({ Stream: data.streams }));`,
    "useQuery({ ...query(indexers, One, { me }, { chain }), select: ({ data }) => ({ Stream: data.streams }) });",
  ]);
});

it("reports a file without remaining code", async () => {
  const files = {
    "src/q.ts":
      'import { gql } from "graphql-request";\nexport const Q = gql`query Q { streams(first: 1) { id } }`;\n',
    "src/a.ts": 'import { Q } from "./q";\nexport const f = (chain: number) => request(URLS[chain], Q);\n',
  };
  const { notes } = await portFiles(files, { rewrite: true });
  expect(notes).toEqual(["src/q.ts has no code left: delete it."]);
});

it("keeps directives first, and does not rewrite CommonJS modules", async () => {
  const client = `"use client";\n${DOCUMENT}\n${SENT};\n`;
  const { diff, notes } = await portFiles(
    {
      "src/a.js": client,
      "src/b.js": `const { gql } = require("graphql-request");\n${DOCUMENT}\nmodule.exports = () => ${SENT};\n`,
    },
    { rewrite: true },
  );
  expect(diff).toContain(' "use client";\n-const DOCUMENT');
  expect(notes).toEqual([
    "src/b.js:2 keeps its document: a CommonJS module cannot import the generated code.",
  ]);
});

it("gives documents of several styles and protocols distinct names", async () => {
  const project = createProject({
    "lockflow.config.json": '{ "protocols": ["lockup", "flow"] }',
    "src/lockup/a.js": [
      "const A = gql`query Streams { streams(first: 2, orderBy: id) { id } }`;",
      "const B = gql`query Streams($ids: [numeric!]!) { streams: Stream(where: { chainId: { _in: $ids } }, order_by: { id: asc }, limit: 2) { id } }`;",
      "use(A);",
      "request(URL, B, { ids });\n",
    ].join("\n"),
    "src/flow/b.js": "const C = gql`query Streams { streams(first: 1) { id } }`;\nuse(C);\n",
  });
  for (const style of ["multichain", "subgraph"]) {
    const snapshot = project.read(`generated/schemas/lockup/${style}.graphql`);
    project.write(`generated/schemas/flow/${style}.graphql`, snapshot);
  }
  const { diff } = await port({ cwd: project.root, patterns: ["src"], rewrite: true, against: null });
  expect(diff).toContain("+const A = lockupStreamsSubgraphDocument;");
  expect(diff).toContain("+const B = lockupStreamsMultichainDocument;");
  expect(diff).toContain("+const C = flowStreamsDocument;");
});

it.each([
  ["documentNode", "+const A = DDocument;", "-const B"],
  ["string", "+const B = DDocument;", "-const A"],
])("replaces documents by forms that the mode %s generates", async (documentMode, replaced, kept) => {
  const document = "`query D { chain_metadata { chain_id } }`";
  const lines = [`const A = gql${document};`, `const B = /* GraphQL */ ${document};`, "use(A, B);"];
  const { diff } = await portFiles(
    {
      "lockflow.config.json": JSON.stringify({ protocols: ["lockup"], documentMode }),
      "src/a.js": `${lines.join("\n")}\n`,
    },
    { rewrite: true },
  );
  expect(diff).toContain(replaced);
  expect(diff).not.toContain(kept);
});

it("uses the document of its style if a call requests several chains", async () => {
  const list = DOCUMENT.replace("$chainId: numeric!", "$ids: [numeric!]!").replace(
    "_eq: $chainId",
    "_in: $ids",
  );
  const code = `${list}\nexport const f = (ids: number[]) => request(URL, DOCUMENT, { ids });\n`;
  expect(await rewrite({ "src/a.ts": code })).toEqual([
    'import { DDocument } from "../generated/lockup/multichain.js";',
    "const DOCUMENT = DDocument;",
    "export const f = (ids: number[]) => request(URL, DOCUMENT, { chainIds: ids });",
  ]);
});
