import { describe, expect, it } from "vitest";
import { createClient } from "../../packages/client/src/client/create-client.ts";
import { askChains } from "../../src/ask/ask-chains.ts";
import type { AskedChain, AskedRows } from "../../src/ask/asked-rows.ts";
import { prepareQuestions, type Question, type QuestionRequest } from "../../src/ask/prepare-question.ts";
import type { Row } from "../../src/ask/rows.ts";
import { buildRoutes } from "../../src/project/manifest-rows.ts";
import { resolveProject } from "../../src/project/project.ts";
import { renderFleetRecord } from "../../src/workspace/fleet-record.ts";
import { openWorkspace } from "../../src/workspace/workspace.ts";
import { fleetRows, generatedProject, snapshotText } from "../support/generated-project.ts";
import { retryAtOnce } from "../support/retry-at-once.ts";

retryAtOnce();

const ENTITIES = `
  type Stream @entity(immutable: false) {
    id: String! chainId: BigInt! subgraphId: BigInt! symbol: String! sender: Bytes!
  }
  type Batch @entity(immutable: false) { id: String! size: BigInt! streams: BigInt! chainId: BigInt! }
`;

const OPERATIONS = {
  "portable/all.graphql": `query All($first: Int! = 100, $after: BigInt! = 0) {
    streams(first: $first, orderBy: subgraphId, orderDirection: asc, where: { subgraphId_gt: $after }) { id chainId subgraphId symbol }
  }`,
  "portable/newest.graphql": `query Newest($first: Int! = 2) {
    streams(first: $first, orderBy: subgraphId, orderDirection: desc) { id chainId subgraphId }
  }`,
  "portable/blind.graphql": `query Blind($first: Int! = 4) { streams(first: $first) { symbol } }`,
  "portable/one.graphql": `query One($id: ID!) { stream(id: $id) { id chainId symbol } }`,
  "portable/loose.graphql": `query Loose($id: ID!) { stream(id: $id) { symbol } }`,
  "portable/two.graphql": `query Two { streams(first: 9) { id } batches(first: 9) { id } }`,
  "multichain/sum.graphql": `query Sum { Stream(limit: 5) { id chainId } }`,
  "multichain/of.graphql": `query Of($chainIds: [numeric!]!) { Stream(where: { chainId: { _in: $chainIds } }) { id } }`,
  "subgraph/own.graphql": `query Own($first: Int, $after: BigInt = 0, $symbol_not: String) {
    streams(first: $first, orderBy: subgraphId, where: { and: [{ subgraphId_gt: $after }, { symbol_not: $symbol_not }] }) { id subgraphId symbol }
  }`,
  "multichain/every.graphql": `query Every($chainIds: [numeric!]!, $first: Int!, $after: numeric! = 0, $symbol: String) {
    streams: Stream(limit: $first, order_by: [{ subgraphId: asc }, { id: asc }], where: { chainId: { _in: $chainIds }, _and: [{ subgraphId: { _gt: $after } }, { symbol: { _neq: $symbol } }] }) { ...EveryRow }
  }
  fragment EveryRow on Stream { subgraphId symbol }`,
  "multichain/unscoped.graphql": `query Unscoped($first: Int!, $after: numeric! = 0) {
    streams: Stream(limit: $first, order_by: { subgraphId: asc }, where: { subgraphId: { _gt: $after } }) { subgraphId }
  }`,
  "subgraph/names.graphql": `query Names { streams { symbol } }`,
  "subgraph/meta.graphql": `query Meta($at: Block_height) { _meta(block: $at) { block { number } deployment } }`,
};

/** The rows of the indexers: four streams on base, two on optimism. */
const STREAMS = [8453, 8453, 10, 8453, 10, 8453].map((chainId, at) => ({
  id: `s-${chainId}-${at}`,
  chainId: String(chainId),
  subgraphId: String(at + 1),
  symbol: `T${at}`,
}));

type Sent = {
  readonly chain: number | null;
  readonly query: string;
  readonly variables: Record<string, unknown>;
};

/** The response to one request; undefined to answer from the rows. */
type Answer = { readonly status?: number; readonly body?: unknown } | undefined;

const ENV = {
  LOCKFLOW_MULTICHAIN_URL: "https://multi.example/{id}",
  LOCKFLOW_LOCKUP_ID: "lockup",
  LOCKFLOW_FLOW_ID: "flow",
  LOCKFLOW_SUBGRAPH_PRODUCTION_URL: "https://sub.example/{deployment}",
  LOCKFLOW_SUBGRAPH_API_KEY: "secret",
};

type Asking = Partial<QuestionRequest> &
  Pick<QuestionRequest, "operation" | "chains"> & {
    /** Chains whose subgraph serves a schema without symbols. */
    readonly behind?: readonly string[];
  };

/** The path of a second schema, which some chains serve. */
const VARIANT = "schemas/lockup/subgraph.0123abcd.graphql";

async function question({ behind = [], operation, ...request }: Asking) {
  const written = generatedProject(OPERATIONS, ENTITIES);
  const { root } = written;
  written.write(`generated/${VARIANT}`, snapshotText("subgraph", ENTITIES.replace(" symbol: String!", "")));
  const rows = [...fleetRows("subgraph", ENTITIES), ...fleetRows("multichain", ENTITIES)].map((row) =>
    row.style === "subgraph" && behind.includes(row.chains.join()) ? { ...row, snapshot: VARIANT } : row,
  );
  written.write("generated/schemas/deployments.json", renderFleetRecord(rows));
  const project = resolveProject({ protocols: ["lockup"] }, root);
  const [prepared] = await prepareQuestions(openWorkspace(project), {
    operations: [operation],
    cwd: root,
    protocol: null,
    style: null,
    usesPages: false,
    isAsOfBlock: false,
    isLogged: false,
    now: 0,
    units: false,
    past: null,
    variables: { texts: [], values: {} },
    ...request,
  });
  return { project, prepared: prepared as Question };
}

async function asked(
  request: Parameters<typeof question>[0],
  answer: (sent: Sent) => Answer = () => undefined,
  from: { readonly places?: ReadonlyMap<string, never>; readonly done?: readonly string[] } = {},
) {
  const { project, prepared } = await question(request);
  const sent: Sent[] = [];
  const fetch = async (url: string, init: { readonly body: string }) => {
    const { query, variables } = JSON.parse(init.body);
    const suffix = /sub\.example\/protocol-lockup-(.+)$/.exec(url)?.[1];
    const chain = project.chains.find(({ subgraphSuffix }) => subgraphSuffix === suffix)?.chainId ?? null;
    const request = { chain, query, variables };
    sent.push(request);
    const { status = 200, body = { data: dataOf(request) } } = answer(request) ?? {};
    return new Response(JSON.stringify(body), { status });
  };
  const client = createClient(buildRoutes(project), {
    env: ENV,
    retries: 0,
    styles: prepared.styles,
    freshness: prepared.freshness,
    fetch: fetch as never,
  });
  const chains: AskedChain[] = [];
  const parts: AskedRows[] = [];
  const options = {
    signal: undefined,
    block: undefined,
    from: from.places ?? new Map(),
    done: new Set(from.done),
    onChain: (one: AskedChain) => chains.push(one),
  };
  for await (const part of askChains(client, prepared, options)) parts.push(part);
  return {
    sent,
    parts,
    rows: parts.flatMap(({ rows }) => rows),
    chains: chains.map(({ chain, rows, style, error }) => [chain, error?.code ?? style, rows]),
    columns: prepared.columns.map(({ name }) => name),
    notices: prepared.notices,
  };
}

function dataOf({ chain, query, variables }: Sent): object {
  const ids = chain === null ? (variables["chainIds"] as string[] | undefined)?.map(String) : [String(chain)];
  const rows = STREAMS.map((row) => ({ ...row }))
    .filter(({ chainId }) => ids?.includes(chainId) ?? true)
    .filter(({ subgraphId }) => Number(subgraphId) > Number(variables["after"] ?? 0))
    .sort((a, b) => (/desc/.test(query) ? -1 : 1) * (Number(a.subgraphId) - Number(b.subgraphId)))
    .slice(0, Number(variables["first"] ?? /\$first: Int! = (\d+)/.exec(query)?.[1] ?? 100));
  if (/lockflow: chainId/.test(query)) for (const row of rows) Object.assign(row, { lockflow: row.chainId });
  const asked = /chain_metadata\(where: \{chain_id: \{_in: \[([\d,]+)\]/.exec(query)?.[1]?.split(",") ?? [];
  const heads = asked.map((id) => ({ chain_id: Number(id), latest_processed_block: 9, block_height: 9 }));
  const { hash = "0x09" } = (variables["block"] ?? {}) as { readonly hash?: string };
  const block = { number: 9, hash, timestamp: null };
  return {
    ...(chain === null ? { lockflow: heads } : { _meta: { block, hasIndexingErrors: false } }),
    ...(/Sum|Of/.test(query) ? { Stream: rows } : { streams: rows }),
    stream: rows.find(({ id }) => id === variables["id"]) ?? null,
    batches: [],
  };
}

const DOWN = { status: 503 };
const down = () => DOWN;
const given = (...texts: readonly string[]) => ({ variables: { texts, values: {} } });
const idsOf = (rows: readonly Row[]) => rows.map((row) => row["subgraphId"]);
const symbols = (...at: readonly number[]) => at.map((one) => ({ symbol: `T${one}` }));
const of = (operation: string, chains: string, more: Partial<Asking> = {}): Asking => ({
  operation,
  chains: [chains],
  ...more,
});
const SKIPPED = "in subgraph style: it is not valid for the schema there, as last introspected.";
const behind = ["base", "optimism"];
const inSubgraphs = { style: "subgraph" } as const;

/** What an operation gets: its rows, the result of each chain, and the chains of its requests. */
type Case = readonly [name: string, request: Asking, want: object, answer?: (sent: Sent) => Answer];

const CASES: readonly Case[] = [
  [
    "has the selected columns of the answer",
    of("Blind", "base"),
    { rows: symbols(0, 1, 3, 5), columns: ["symbol"], chains: [["base", "multichain", 4]], asked: [null] },
  ],
  [
    "is read in the other style if the first fails",
    of("Blind", "optimism"),
    { rows: symbols(2, 4), chains: [["optimism", "subgraph", 2]] },
    ({ chain }) => (chain === null ? DOWN : undefined),
  ],
  [
    "has an error if both fail",
    of("Blind", "10"),
    { parts: 0, chains: [["optimism", "unavailable", 0]] },
    down,
  ],
  [
    "is merged in the order of the operation if it selects the columns for that",
    of("Newest", "base,10"),
    {
      rows: [
        { chain: "base", id: "s-8453-5", chainId: "8453", subgraphId: "6" },
        { chain: "optimism", id: "s-10-4", chainId: "10", subgraphId: "5" },
      ],
      columns: ["chain", "id", "chainId", "subgraphId"],
      chains: behind.map((chain) => [chain, "multichain", 1]),
      parts: 1,
    },
  ],
  [
    "is listed chain by chain otherwise, with a notice",
    of("Blind", "10,base"),
    {
      rows: [
        ...symbols(2, 4).map((row) => ({ chain: "optimism", ...row })),
        ...symbols(0, 1, 3, 5).map((row) => ({ chain: "base", ...row })),
      ],
      notices: [expect.stringContaining("Rows are listed chain by chain")],
    },
  ],
  [
    "is the requested record",
    of("One", "base", given("id=s-8453-1")),
    { rows: [{ id: "s-8453-1", chainId: "8453", symbol: "T1" }], chains: [["base", "multichain", 1]] },
  ],
  [
    "has no record of another chain",
    of("One", "base", given("id=s-10-2")),
    { rows: [], chains: [["base", "multichain", 0]] },
  ],
  [
    "is a record of each chain that has it",
    of("One", "all", given("id=s-10-2")),
    { rows: [{ chain: "optimism", id: "s-10-2", chainId: "10", symbol: "T2" }] },
  ],
  [
    "has no other record without its chain",
    of("Loose", "base", given("id=s-10-2")),
    { rows: [], notices: [] },
  ],
  [
    "is a record of its chain, though that is not selected",
    of("Loose", "base,10", given("id=s-10-2")),
    { rows: [{ chain: "optimism", symbol: "T2" }], notices: [] },
  ],
  [
    "has all root fields if there are several",
    of("Two", "base"),
    {
      rows: [{ streams: ["0", "1", "3", "5"].map((at) => ({ id: `s-8453-${at}` })), batches: [] }],
      columns: ["streams", "batches"],
    },
  ],
  [
    "of one style is sent unchanged, with the chains in their variable",
    of("Of", "10"),
    {
      rows: [{ id: "s-10-2" }, { id: "s-10-4" }],
      chains: [["optimism", "multichain", 2]],
      variables: [{ chainIds: ["10"] }],
      query:
        "query Of($chainIds: [numeric!]!) {\n  Stream(where: { chainId: { _in: $chainIds } }) {\n    id\n  }\n}",
    },
  ],
  [
    "of one style is sent once if it returns every chain of the indexer",
    of("Sum", "all"),
    {
      asked: [null],
      rows: STREAMS.map(({ id, chainId }) => ({ id, chainId })),
      columns: ["id", "chainId"],
      notices: ["Sum has no variable for chains, so it returns rows of every chain of the indexer."],
    },
  ],
  [
    "of one style accepts variables of any type",
    of("Meta", "base", given('at={"number": 5}')),
    { variables: [{ at: { number: 5 } }] },
  ],
  ...["Blind", "All"].map(
    (operation): Case => [
      "is sent in the other style only, if a subgraph does not support it",
      of(operation, "base", { behind, usesPages: operation === "All" }),
      {
        asked: [null],
        chains: [["base", "unavailable", 0]],
        notices: [`${operation} is skipped on base ${SKIPPED}`],
      },
      down,
    ],
  ),
  [
    "is not served if no other style is allowed",
    of("Blind", "base", { ...inSubgraphs, behind }),
    { asked: [], chains: [["base", "not-served", 0]] },
  ],
  [
    "is not served on some of the chains",
    of("Blind", "10,ethereum,base", { ...inSubgraphs, behind }),
    {
      asked: [1],
      notices: [`Blind is skipped on optimism, base ${SKIPPED}`, expect.anything()],
      chains: [
        ["optimism", "not-served", 0],
        ["ethereum", "subgraph", 0],
        ["base", "not-served", 0],
      ],
    },
  ],
  [
    "of one style is not served there, either",
    of("Names", "base,ethereum", { behind }),
    {
      asked: [1],
      chains: [
        ["base", "not-served", 0],
        ["ethereum", "subgraph", 0],
      ],
    },
  ],
  [
    "is sent if it is valid there",
    of("Newest", "base", { ...inSubgraphs, behind }),
    { chains: [["base", "subgraph", 2]], notices: [] },
  ],
  ...["Own", "Every"].map(
    (operation): Case => [
      "of one style starts at the given cursor",
      of(operation, "base", { usesPages: true, ...given("after=4", "first=1") }),
      { rows: [expect.objectContaining({ subgraphId: "6" })] },
    ],
  ),
];

it.each(CASES.map(([name, ...rest]) => [name, rest] as const))("an operation %s", async (_, rest) => {
  const [request, want, answer] = rest;
  const { sent, parts, ...found } = await asked(request, answer);
  const all: Readonly<Record<string, unknown>> = {
    ...found,
    parts: parts.length,
    asked: sent.map(({ chain }) => chain),
    variables: sent.map(({ variables }) => variables),
    query: sent[0]?.query,
  };
  expect(Object.fromEntries(Object.keys(want).map((key) => [key, all[key]]))).toEqual(want);
});

it.each([{ streams: null }, { streams: [null] }, { streams: {} }, {}, { streams: ["a"] }])(
  "an answer in an invalid form gives no rows: %j",
  async (data) => {
    const body = { data: { _meta: { block: { number: 1 }, hasIndexingErrors: false }, ...data } };
    const { parts, chains } = await asked(of("Blind", "10", inSubgraphs), () => ({ body }));
    expect(parts).toEqual([]);
    expect(chains).toEqual([
      ["optimism", expect.stringMatching(/^(inconsistent|unavailable|wrong-chain)$/), 0],
    ]);
  },
);

it.each(["Newest", "Blind", "All"])("rows exclude those of chains that fail: %s", async (operation) => {
  const request = of(operation, "base,10", { ...inSubgraphs, usesPages: operation === "All" });
  const { rows, chains } = await asked(request, ({ chain }) => (chain === 10 ? DOWN : undefined));
  expect(new Set(rows.map((row) => row["chain"]))).toEqual(new Set(["base"]));
  expect(chains).toEqual([
    ["base", "subgraph", expect.any(Number)],
    ["optimism", "unavailable", 0],
  ]);
  const none = await asked(request, down);
  expect([none.rows, none.chains.map(([, code]) => code)]).toEqual([[], ["unavailable", "unavailable"]]);
});

describe("pages", () => {
  const request = of("All", "base,10", { usesPages: true, ...given("first=2") });
  const block = { hash: "0x09" };

  it("have all rows of each chain, and the cursor at which each page ends", async () => {
    const { parts } = await asked({ ...request, style: "subgraph" });
    for (const { place } of parts) expect(place).toMatchObject({ style: "subgraph", block });
    const shown = parts.map(({ chain, rows, place, isLast }) => [chain, idsOf(rows), place?.cursor, isLast]);
    expect(shown).toEqual([
      ["base", ["1", "2"], "2", false],
      ["base", ["4", "6"], "6", false],
      ["base", [], "6", true],
      ["optimism", ["3", "5"], "5", false],
      ["optimism", [], "5", true],
    ]);
  });

  it("resume at a cursor, at the same block and in the same style", async () => {
    for (const block of [{ hash: "0x07" }, null]) {
      const places = new Map([["base", { cursor: "2", style: "subgraph", block } as never]]);
      const { rows, sent } = await asked(request, undefined, { places, done: ["optimism"] });
      expect(idsOf(rows)).toEqual(["4", "6"]);
      expect(sent[0]).toMatchObject({ chain: 8453, variables: { after: "2", ...(block && { block }) } });
      expect(new Set(sent.map(({ chain }) => chain))).toEqual(new Set([8453]));
    }
  });

  it("end if a chain fails, with the rows before the failure", async () => {
    const { parts, chains } = await asked({ ...request, style: "subgraph" }, ({ variables }) =>
      variables["after"] === "2" ? DOWN : undefined,
    );
    expect(parts.map(({ chain, rows, isLast }) => [chain, rows.length, isLast])).toEqual([
      ["base", 2, false],
      ["optimism", 2, false],
      ["optimism", 0, true],
    ]);
    expect(chains).toEqual([
      ["base", "unavailable", 2],
      ["optimism", "subgraph", 2],
    ]);
  });

  it.each([
    ["Own", "symbol_not=none", "subgraph"],
    ["Every", "symbol=none", "multichain"],
  ])("of one style use its cursor and keep the given variables: %s", async (operation, variable, style) => {
    const { rows, parts, chains, sent } = await asked({
      ...request,
      operation,
      ...given("first=2", variable),
    });
    expect(rows.map((row) => `${row["chain"]} ${row["subgraphId"]}`)).toEqual([
      ...["base 1", "base 2", "base 4", "base 6", "optimism 3", "optimism 5"],
    ]);
    expect(chains).toEqual([
      ["base", style, 4],
      ["optimism", style, 2],
    ]);
    const [name = "", value] = variable.split("=");
    const valuesOf = (key: string) => sent.map(({ variables }) => variables[key]);
    expect(valuesOf(name)).toEqual(sent.map(() => value));
    expect(valuesOf("after")).toEqual([undefined, "2", "6", undefined, "5"]);
    // Only subgraphs have past blocks.
    const isPinned = style === "subgraph";
    expect(valuesOf("block")).toEqual(isPinned ? [undefined, block, block, undefined, block] : Array(5));
    expect(parts[0]?.place).toEqual({ cursor: "2", style, block: isPinned ? block : null });
  });
});

it.each<[request: Asking, want: string]>([
  [of("Blind", "base", { usesPages: true }), "The rows of Blind cannot be paged."],
  [of("Sum", "base", { usesPages: true }), "The rows of Sum cannot be paged."],
  [of("Unscoped", "base", { usesPages: true }), "cursors count per chain: filter by a variable $chainIds"],
  [of("Names", "base", { usesPages: true }), "--pages needs one list that is ordered by a cursor"],
  [of("Of", "base", { usesPages: true }), "--pages needs one list"],
  [of("Sum", "base", inSubgraphs), 'Unknown operation "Sum" in subgraph style.'],
  [of("Newest", "base,10", { isAsOfBlock: true }), "--block needs exactly one chain."],
  [of("Newst", "base"), 'Unknown operation "Newst".\nHint: did you mean "Newest"?'],
  [of("One", "base"), "One needs a value for $id: ID!."],
  [of("Newest", "base", { protocol: "lockpu" }), 'no protocol "lockpu".\nHint: did you mean "lockup"?'],
  [of("./moon.graphql", "base"), 'The file "./moon.graphql" does not exist.'],
  [of("Newest", "base", given("first=5000")), "$first must be "],
])("an invalid request is rejected: %j", async (request, want) => {
  await expect(asked(request)).rejects.toThrow(want);
});
