import { expect, it } from "vitest";
import { numbered, portFiles, portRows } from "./fixtures.ts";

/** Ports the documents of one file of code. */
async function portCode(code: string) {
  const { operations, diff } = await portFiles({ "src/a.ts": code });
  const added = diff.split("\n").filter((line) => line.startsWith("+") && !line.startsWith("+++"));
  return { operations, text: added.map((line) => line.slice(1).trim()).join(" ") };
}

const FOUND: readonly string[] = [
  "const STREAMS = `query { streams(first: 1) { id } }`;",
  "const STREAMS = `\n  # Newest.\n  { streams(first: 1) { id } }`;",
  'const STREAMS = "{ streams(first: 1) { id } }";',
  'const STREAMS = "query { " + "streams(first: 1)" + ` { id } }`;',
  "async function getStreams() { return await request(url, `{ streams(first: 1) { id } }`); }",
  "class Api { async streams() { return fetch(url, { body: JSON.stringify({ query: `{ streams(first: 1) { id } }` }) }); } }",
  "const PAGE = 1;\nconst ALL = { streams: `{ streams(first: ${PAGE}) { id ${FIELDS} } }` };\nconst FIELDS = 'sender';",
  "export const streams = () => <A query={`{ streams(first: 1) { id } }`} />;",
  "const STREAMS = `{ streams(first: 1) { id } }`;\nfunction ( {",
  "const STREAMS = `\r\n{\r\n  streams(first: 1) { id }\r\n}\r\n`;\r\n",
  'const STREAMS = "query {\\n\\tstreams(first: 1, where: { alias: \\"a\\" }) { id }\\n}";',
];
const found = portRows(
  FOUND,
  (code) => code,
  (at) => `src/r${at}.${FOUND[at]?.includes("<A") ? "js" : "ts"}`,
);

it.each(FOUND.map((code, at) => [at, code] as const))(
  "%i: finds a document without a tag in %j",
  async (at, code) => {
    const name = expect.stringMatching(/get/.test(code) ? /^GetStreams$/ : /^Streams\d?$/);
    expect(await found(at)).toMatchObject({ name, result: "portable" });
  },
);

/** Conditions or a field with values, the same with variables, and the variables with the code of their values. */
const FILLED: readonly (readonly [code: string, want: string, ...holes: string[]])[] = [
  ['sender: "${sender}"', "sender: $sender", "sender: Bytes! = sender"],
  ["canceled: ${c}", "canceled: $canceled", "canceled: Boolean! = c"],
  ["streams(first: ${PAGE}, skip: ${n + 1})", "streams(first: 100, skip: $skip)", "skip: Int! = n + 1"],
  ["streams(first: ${count ?? 10})", "streams(first: $first)", "first: Int! = count ?? 10"],
  ["category: ${kind}", "category: $kind", "kind: Category! = kind"],
  ["timestamp_gt: ${Math.floor(n)}", "timestamp_gt: $timestamp", "timestamp: BigInt! = Math.floor(n)"],
  ['sender: "${who.toLowerCase()}"', "sender: $who", "who: Bytes! = who.toLowerCase()"],
  ["sender: ${JSON.stringify(me)}", "sender: $sender", "sender: Bytes! = me"],
  ['sender: ${`"${me}"`}', "sender: $sender", "sender: Bytes! = me"],
  ['alias: "a-${id}-b"', "alias: $alias", "alias: String! = `a-${id}-b`"],
  ['sender_in: [${ids.map((id) => `"${id}"`).join(",")}]', "sender_in: $ids", "ids: [Bytes!]! = ids"],
  [
    'sender_in: [${rows.map((r) => `"${r.id}"`)}]',
    "sender_in: $rows",
    "rows: [Bytes!]! = rows.map((r) => r.id)",
  ],
  ["sender_in: [ ${all.map(JSON.stringify)} ]", "sender_in: $all", "all: [Bytes!]! = all"],
  [`sender_in: ["\${ids.join('","')}"]`, "sender_in: $ids", "ids: [Bytes!]! = ids"],
  ["timestamp_in: [${times}]", "timestamp_in: $times", "times: [BigInt!]! = times"],
  ["sender_in: ${JSON.stringify(ids)}", "sender_in: $ids", "ids: [Bytes!]! = ids"],
  ["alias_in: [${JSON.stringify(own)}]", "alias_in: [$own]", "own: String! = own"],
  ['alias_in: ["a", "${own}"]', 'alias_in: ["a", $own]', "own: String! = own"],
  ["streams(first: 1) # of ${who}\n", "streams(first: 1) # of …"],
  [
    'or: [{ sender: "${who}" }, { alias: "${who}" }, { sender_not: "${who}" }]',
    "or: [{ sender: $who }, { alias: $alias }, { sender_not: $who }]",
    ...["who: Bytes! = who", "alias: String! = who"],
  ],
  [
    "timestamp_gt: ${a}, timestamp_lt: ${b}",
    "timestamp_gt: $timestamp, timestamp_lt: $timestamp_lt",
    ...["timestamp: BigInt! = a", "timestamp_lt: BigInt! = b"],
  ],
];

const fieldOf = (text: string) => (text.startsWith("streams") ? text : `streams(where: { ${text} })`);
const filled = portRows(
  FILLED,
  ([code], at) => `const PAGE = 100;\nconst f${at} = (x) => \`{ ${fieldOf(code)} { id } }\`;`,
);

it.each(FILLED.map(([code, want, ...holes], at) => [at, code, want, holes] as const))(
  "%i: turns values into variables: %s",
  async (at, _, want, holes) => {
    const { name, result, text, holes: own } = await filled(at);
    expect([name, result]).toEqual([`F${at}`, "portable"]);
    const [, variables = "", field = ""] =
      /^query F\d+(?:\((.*?)\))? \{ (.*) \{ id \} \}$/.exec(text.replaceAll(/\s+/g, " ").trim()) ?? [];
    expect(field).toBe(fieldOf(want));
    const declared = variables === "" ? [] : variables.split(", ");
    expect(declared.map((one, index) => `${one.slice(1)} = ${own[index]?.code}`)).toEqual(holes);
  },
);

it("declares the variables of values beside others, in each operation that has them", async () => {
  const code =
    'const F = (a, b) => `query A($n: Int!) { streams(first: $n, where: { alias: "${a}" }) { id } } query B { assets(first: ${b}) { id } }`;';
  const { text, operations } = await portCode(code);
  expect(text).toContain("query A($alias: String!, $n: Int!) {");
  expect(text).toContain("query B($first: Int!) {");
  expect(operations.map(({ usage }) => usage[1])).toEqual([
    "run(indexers, A, { alias: a, n }, { chain });",
    "run(indexers, B, { first: b }, { chain });",
  ]);
});

it("turns values of multichain documents into variables and the chain", async () => {
  const where =
    "where: { chainId: { _eq: ${chainId} }, asset: { symbol: { _in: ${JSON.stringify(symbols)} } } }";
  const { operations, text } = await portCode(
    `export const getStreams = (chainId, symbols, n) => request(URL, gql\`{ Stream(${where}, limit: \${n}, order_by: { id: asc }) { id } }\`);`,
  );
  expect(operations[0]?.reasons.map(({ code: own }) => own)).toContain("port/chain-option");
  expect(operations[0]?.usage).toEqual([
    'import { GetStreams } from "../generated/lockup/portable.js";',
    "run(indexers, GetStreams, { symbols, limit: n }, { chain });",
  ]);
  expect(text).toContain("query GetStreams($symbols: [String!]!, $limit: Int!) {");
});

const REFUSED: readonly (readonly [code: string, want: RegExp])[] = [
  ["streams(where: { alias: ${JSON.stringify(x) ?? null} })", /^`\$\{.*\}` may be null\.$/],
  ["streams(first: ${x ? x : null})", /may be null/],
  ["streams(first: ${undefined})", /`\$\{undefined\}` may be null/],
  ['streams(where: { alias: "${x ?? null}" })', /may be null/],
  ["${prefix}_streams(first: 1)", /^`\$\{prefix\}` is part of a name\.$/],
  ["${name}: streams(first: 1)", /is part of a name/],
  ["streams(where: { ${column}: 1 })", /is part of a name/],
  ["streams(where: { timestamp_${op}: 1 })", /is part of a name/],
  ["streams(first: 1) { ...${fragment} } s: streams", /is part of a name/],
  ["streams(first: 1) { ${fields} } s: streams", /^`\$\{fields\}` stands for fields or names\.$/],
  ["streams(${args})", /stands for arguments/],
  ["streams(first: 1, ${x ? 'skip: 1' : ''})", /stands for arguments/],
  ["streams(where: { ${conditions} })", /stands for arguments or conditions/],
  ["streams(where: ${filter})", /^`\$\{filter\}` stands for a whole filter\.$/],
  ["streams(where: { alias: ${x} })", /^`\$\{x\}` holds its own quotes: /],
  ["streams(where: { alias_in: [${x}] })", /holds its own quotes/],
  ["streams(where: { alias_in: [${x.map((y) => `'${y}'`)}] })", /holds its own quotes/],
  ['streams(where: { alias_in: ["a", ${x.map((y) => `"${y}"`)}] })', /stands for several values beside/],
];
const refused = portRows(REFUSED, ([code], at) => `const s${at} = (x) => \`{ ${code} { id } }\`;`);

it.each(numbered(REFUSED))("%i: refuses values that cannot be variables: %s", async (at, _, want) => {
  const reasons = [{ code: "port/interpolation", message: expect.stringMatching(want) }];
  expect(await refused(at)).toMatchObject({
    name: `S${at}`,
    result: "refused",
    from: [{ line: 1 }],
    reasons,
  });
});

const filesOf = (texts: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(texts).map(([name, code]) => [`src/${name}.ts`, code]));

it("drops other texts", async () => {
  const { operations, others, notes } = await portFiles(
    filesOf({
      keyboard: 'await user.type(input, "{Enter}");',
      css: "const css = `{ streams { color: red; } }`;\nconst T = styled.div`{ streams(first: 1) { id } }`;",
      icu: 'const M = "{count, plural, one {# stream} other {# streams}}";',
      placeholder: 'const M = ["{streams}", "{actions, plural, one {# action} other {# actions}}"];',
      sql: "const rows = sql`query { streams { id } }`;",
      sentence: 'const M = "query the indexer {name}";',
      comment: "// const A = `{ streams(first: 1) { id } }`;\n/* `{ streams { id } }` */",
      value: "const M = `${a} { width: ${b} }`;",
      broken: "const M = `{ streams( { id } }`;",
    }),
  );
  expect({ operations, others, notes }).toEqual({ operations: [], others: [], notes: [] });
});

it("lists documents of other APIs, of progress, and of similar names", async () => {
  const { operations, others } = await portFiles(
    filesOf({
      "other-api": "const Q = `query { viewer { login } }`;",
      "other-api.b": "const Q = gql`mutation { streams { id } }`;",
      // Equal names of another API.
      "other-api.c": "const Q = `query { streams(channel: 1) { title views host } }`;",
      near: "const Q = `{ lockupStreams(first: 1) { id } }`;",
      "near.b": "const Q = `{ flow_streams(first: 1) { id } }`;",
      health: "const Q = `{ _meta { block { number } } }`;",
      "health.b": "const Q = gql`{ chain_metadata { chain_id } }`;",
      built: "const Q = { query: { streams: { __args: { first: 1 }, id: true } } };",
    }),
  );
  expect(operations).toEqual([]);
  expect(others).toHaveLength(8);
  for (const { file, line, code } of others) {
    expect([file, line]).toEqual([expect.stringMatching(`^src/${code.replace("port/", "")}\\.`), 1]);
  }
});

const BROKEN: readonly (readonly [code: string, want: RegExp])[] = [
  ["const Q = `query { streams( { id } }`;", /Expected/],
  ["const Q = (n) => `query { streams(first: ${n}) { id `;", /Expected Name, found <EOF>/],
  [`const Q = (n) => \`query { streams(first: \${n}) ${"{ a\n".repeat(20_000)}\`;`, /nested/],
  ["const Q = `subscription { Stream(limit: 1) { id } }`;", /It is a subscription/],
  ["const Q = `${head} { streams(first: 1) { id } }`;", /is not a constant document/],
  ["const Q = `{ streams(first: 1) { sender { address } } }`;", /Write `sender`: it is the/],
];
const broken = portRows(BROKEN, ([code]) => code);

it.each(numbered(BROKEN))("%i: refuses %.60j", async (at, _, want) => {
  const { result, reasons } = await broken(at);
  expect([result, reasons.map(({ message }) => message).join(" ")]).toEqual([
    "refused",
    expect.stringMatching(want),
  ]);
});

it("counts the files of code that are not read, and never runs the others", async () => {
  const code = "export const A = `{ streams(first: 1) { id } }`;";
  const { operations, notes } = await portFiles({
    "src/large.ts": `${code}\n${"// large\n".repeat(700_000)}`,
    "src/bundle.js": `${code}${"a(1);".repeat(5000)}`,
    "src/lib.min.js": code,
    "src/__generated__/types.ts": code,
    "src/types.ts": `// @generated\n${code}`,
    "src/generated/a.js": code,
    "src/a.generated.tsx": code,
    "src/header.ts": `/* eslint-disable */\n// This file was automatically generated by a tool.\n${code}`,
    "src/gql/graphql.ts": `/* eslint-disable */\nexport type Maybe<T> = T | null;\nexport type Exact<T extends { [key: string]: unknown }> = T;\n${code}`,
    "src/gql/gql.ts": `/* eslint-disable */\nimport * as types from './graphql';\n${code}`,
    "src/binary.ts": "\u0000",
    "src/thrown.ts": `throw new Error("run"); ${code.replace("A", "THROWN")}`,
    "src/type.ts": `// Ids come from the contract.\nexport type Maybe<T> = T | null;\n${code.replace("A", "OWN")}`,
  });
  expect(operations).toMatchObject([
    { name: "Thrown", from: [{ file: "src/thrown.ts" }] },
    { name: "Own", from: [{ file: "src/type.ts" }] },
  ]);
  expect(notes).toEqual([
    "11 files of code were not read: 7 generated, 1 larger than 1 MB, 2 minified, 1 not text.",
  ]);
});

it("reads templates in templates once", async () => {
  const { operations } = await portCode(
    "const url = (n) => `${HOST}?query=${encodeURIComponent(`{ streams(first: ${n}) { id ${`sender`} } }`)}`;",
  );
  expect(operations.map(({ name, result, holes }) => [name, result, holes.length])).toEqual([
    ["Url", "portable", 1],
  ]);
});
