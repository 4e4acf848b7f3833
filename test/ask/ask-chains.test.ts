import { describe, expect, it } from "vitest";
import { createClient } from "../../packages/client/src/client/create-client.ts";
import { askChains } from "../../src/ask/ask-chains.ts";
import type { AskedChain, AskedRows } from "../../src/ask/asked-rows.ts";
import { prepareQuestion, type QuestionRequest } from "../../src/ask/prepare-question.ts";
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

async function question({ behind = [], ...request }: Asking) {
  const written = generatedProject(OPERATIONS, ENTITIES);
  const { root } = written;
  written.write(`generated/${VARIANT}`, snapshotText("subgraph", ENTITIES.replace(" symbol: String!", "")));
  const rows = [...fleetRows("subgraph", ENTITIES), ...fleetRows("multichain", ENTITIES)].map((row) =>
    row.style === "subgraph" && behind.includes(row.chains.join()) ? { ...row, snapshot: VARIANT } : row,
  );
  written.write("generated/schemas/deployments.json", renderFleetRecord(rows));
  const project = resolveProject({ protocols: ["lockup"] }, root);
  const prepared = await prepareQuestion(openWorkspace(project), {
    ...{ cwd: root, protocol: null, style: null, usesPages: false, isAsOfBlock: false, isLogged: false },
    ...{ now: 0, units: false, past: null },
    variables: { texts: [], values: {} },
    ...request,
  });
  return { project, prepared };
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
    ...{ env: ENV, retries: 0, styles: prepared.styles, freshness: prepared.freshness },
    fetch: fetch as never,
  });
  const chains: AskedChain[] = [];
  const parts: AskedRows[] = [];
  const options = {
    ...{ signal: undefined, block: undefined },
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
const given = (...texts: readonly string[]) => ({ variables: { texts, values: {} } });
const idsOf = (rows: readonly Row[]) => rows.map((row) => row["subgraphId"]);
const symbols = (...at: readonly number[]) => at.map((one) => ({ symbol: `T${one}` }));

describe("rows of one chain", () => {
  it.each<
    [name: string, chain: string, answer: (sent: Sent) => Answer, rows: readonly object[], end: string]
  >([
    ["have the selected columns of the answer", "base", () => undefined, symbols(0, 1, 3, 5), "multichain"],
    [
      "are read in the other style if the first fails",
      "optimism",
      ({ chain }) => (chain === null ? DOWN : undefined),
      symbols(2, 4),
      "subgraph",
    ],
    ["are empty if both styles fail, and the chain has the error", "optimism", () => DOWN, [], "unavailable"],
  ])("%s", async (_, chain, answer, want, end) => {
    const { rows, parts, chains, columns } = await asked({ operation: "Blind", chains: [chain] }, answer);
    expect([rows, columns, chains]).toEqual([want, ["symbol"], [[chain, end, want.length]]]);
    expect(parts).toHaveLength(want.length > 0 ? 1 : 0);
  });

  it.each<[data: unknown]>([
    [{ streams: null }],
    [{ streams: [null] }],
    [{ streams: {} }],
    [{}],
    [{ streams: ["a"] }],
  ])("are empty if the answer has an invalid form: %j", async (data) => {
    const body = { data: { _meta: { block: { number: 1 }, hasIndexingErrors: false }, ...(data as object) } };
    const request = { operation: "Blind", chains: ["10"], style: "subgraph" } as const;
    const { parts, chains } = await asked(request, () => ({ body }));
    expect(parts).toEqual([]);
    expect(chains).toEqual([
      ["optimism", expect.stringMatching(/^(inconsistent|unavailable|wrong-chain)$/), 0],
    ]);
  });
});

describe("rows of several chains", () => {
  it("are merged in the operation's order if it selects the columns for that", async () => {
    const { rows, chains, columns, parts } = await asked({ operation: "Newest", chains: ["base,10"] });
    expect(rows).toEqual([
      { chain: "base", id: "s-8453-5", chainId: "8453", subgraphId: "6" },
      { chain: "optimism", id: "s-10-4", chainId: "10", subgraphId: "5" },
    ]);
    expect(columns).toEqual(["chain", "id", "chainId", "subgraphId"]);
    expect(chains).toEqual([
      ["base", "multichain", 1],
      ["optimism", "multichain", 1],
    ]);
    expect(parts).toHaveLength(1);
  });

  it("are listed chain by chain otherwise, with a notice", async () => {
    const { rows, notices } = await asked({ operation: "Blind", chains: ["10", "base"] });
    expect(rows).toEqual([
      ...symbols(2, 4).map((row) => ({ chain: "optimism", ...row })),
      ...symbols(0, 1, 3, 5).map((row) => ({ chain: "base", ...row })),
    ]);
    expect(notices[0]).toContain("Rows are listed chain by chain");
  });

  it.each(["Newest", "Blind", "All"])("exclude those of chains that fail: %s", async (operation) => {
    const request = {
      operation,
      chains: ["base,10"],
      style: "subgraph",
      usesPages: operation === "All",
    } as const;
    const { rows, chains } = await asked(request, ({ chain }) => (chain === 10 ? DOWN : undefined));
    expect(new Set(rows.map((row) => row["chain"]))).toEqual(new Set(["base"]));
    expect(chains).toEqual([
      ["base", "subgraph", expect.any(Number)],
      ["optimism", "unavailable", 0],
    ]);
    const none = await asked(request, () => DOWN);
    expect(none.rows).toEqual([]);
    expect(none.chains.map(([, code]) => code)).toEqual(["unavailable", "unavailable"]);
  });
});

describe("one record", () => {
  it("is the requested object, and none if it does not exist", async () => {
    for (const [id, rows] of [
      ["s-8453-1", [{ id: "s-8453-1", chainId: "8453", symbol: "T1" }]],
      ["s-10-2", []],
      ["moon", []],
    ] as const) {
      const one = await asked({ operation: "One", chains: ["base"], ...given(`id=${id}`) });
      expect([one.rows, one.chains]).toEqual([rows, [["base", "multichain", rows.length]]]);
    }
  });

  it("is returned once for each chain that has it", async () => {
    const { rows, chains } = await asked({ operation: "One", chains: ["all"], ...given("id=s-10-2") });
    expect(rows).toEqual([{ chain: "optimism", id: "s-10-2", chainId: "10", symbol: "T2" }]);
    expect(chains.length).toBeGreaterThan(20);
  });

  it("is never of another chain, even if its chain is not selected", async () => {
    const loose = { operation: "Loose", ...given("id=s-10-2") };
    const one = await asked({ ...loose, chains: ["base"] });
    expect([one.rows, one.notices]).toEqual([[], []]);
    const { rows, notices } = await asked({ ...loose, chains: ["base,10"] });
    expect({ rows, notices }).toEqual({ rows: [{ chain: "optimism", symbol: "T2" }], notices: [] });
  });

  it("contains all root fields if there are several", async () => {
    const { rows, columns } = await asked({ operation: "Two", chains: ["base"] });
    expect(rows).toEqual([
      { streams: STREAMS.filter(({ chainId }) => chainId === "8453").map(({ id }) => ({ id })), batches: [] },
    ]);
    expect(columns).toEqual(["streams", "batches"]);
  });
});

describe("pages", () => {
  const request = { operation: "All", chains: ["base,10"], usesPages: true, ...given("first=2") };

  it("have all rows of each chain, and the cursor at which each page ends", async () => {
    const { parts } = await asked({ ...request, style: "subgraph" });
    const block = { hash: "0x09" };
    for (const { place } of parts) expect(place).toMatchObject({ style: "subgraph", block });
    expect(
      parts.map(({ chain, rows, place, isLast }) => [chain, idsOf(rows), place?.cursor, isLast]),
    ).toEqual([
      ["base", ["1", "2"], "2", false],
      ["base", ["4", "6"], "6", false],
      ["base", [], "6", true],
      ["optimism", ["3", "5"], "5", false],
      ["optimism", [], "5", true],
    ]);
  });

  it("have no block if the indexer does not support past blocks", async () => {
    const { parts } = await asked({ ...request, style: "multichain" });
    expect(parts[0]?.place).toEqual({ cursor: "2", style: "multichain", block: null });
  });

  it("resume at a cursor, at the same block and in the same style", async () => {
    const place = { cursor: "2", style: "subgraph", block: { hash: "0x07" } } as never;
    const { rows, sent } = await asked(request, undefined, {
      places: new Map([["base", place]]),
      done: ["optimism"],
    });
    expect(idsOf(rows)).toEqual(["4", "6"]);
    expect(sent[0]).toMatchObject({ chain: 8453, variables: { after: "2", block: { hash: "0x07" } } });
    expect(new Set(sent.map(({ chain }) => chain))).toEqual(new Set([8453]));
    const blind = new Map([["base", { cursor: "2", style: "subgraph", block: null } as never]]);
    const again = await asked(request, undefined, { places: blind, done: ["optimism"] });
    expect(new Set(again.sent.map(({ chain }) => chain))).toEqual(new Set([8453]));
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
});

describe("operations of one style", () => {
  it("are sent unchanged, with the chains in their variable", async () => {
    const { rows, sent, chains } = await asked({ operation: "Of", chains: ["10"] });
    expect(sent.map(({ query, variables }) => [query, variables])).toEqual([
      [
        "query Of($chainIds: [numeric!]!) {\n  Stream(where: { chainId: { _in: $chainIds } }) {\n    id\n  }\n}",
        { chainIds: ["10"] },
      ],
    ]);
    expect(rows).toEqual([{ id: "s-10-2" }, { id: "s-10-4" }]);
    expect(chains).toEqual([["optimism", "multichain", 2]]);
  });

  it("are sent once if they return every chain of the indexer", async () => {
    const { rows, sent, columns, notices } = await asked({ operation: "Sum", chains: ["all"] });
    expect(sent).toHaveLength(1);
    expect(rows).toHaveLength(STREAMS.length);
    expect(columns).toEqual(["id", "chainId"]);
    expect(notices).toEqual([
      "Sum has no variable for chains, so it returns rows of every chain of the indexer.",
    ]);
  });

  it("accept variables of any type", async () => {
    const { sent } = await asked({ operation: "Meta", chains: ["base"], ...given('at={"number": 5}') });
    expect(sent[0]?.variables).toEqual({ at: { number: 5 } });
  });
});

describe("an invalid request", () => {
  it.each<[request: Parameters<typeof question>[0], want: string]>([
    [{ operation: "Blind", chains: ["base"], usesPages: true }, "The rows of Blind cannot be paged."],
    [{ operation: "Sum", chains: ["base"], usesPages: true }, "The rows of Sum cannot be paged."],
    [{ operation: "Sum", chains: ["base"], style: "subgraph" }, 'Unknown operation "Sum" in subgraph style.'],
    [{ operation: "Newest", chains: ["base,10"], isAsOfBlock: true }, "--block needs exactly one chain."],
    [{ operation: "Newst", chains: ["base"] }, 'Unknown operation "Newst".\nHint: did you mean "Newest"?'],
    [{ operation: "One", chains: ["base"] }, "One needs a value for $id: ID!."],
    [
      { operation: "Newest", chains: ["base"], protocol: "lockpu" },
      'no protocol "lockpu".\nHint: did you mean',
    ],
    [{ operation: "./moon.graphql", chains: ["base"] }, 'The file "./moon.graphql" does not exist.'],
  ])("is rejected before it is sent: %j", async (request, want) => {
    await expect(question(request)).rejects.toThrow(want);
  });

  it("is rejected if a number is out of range", async () => {
    const request = { operation: "Newest", chains: ["base"], ...given("first=5000") };
    await expect(asked(request)).rejects.toThrow(/^\$first must be /);
  });
});

describe("a chain whose subgraph does not support the operation", () => {
  const behind = ["base", "optimism"];

  it.each<[operation: string, usesPages: boolean]>([
    ["Blind", false],
    ["All", true],
  ])("is queried in the other style only: %s", async (operation, usesPages) => {
    const request = { operation, chains: ["base"], behind, usesPages };
    const { sent, chains, notices } = await asked(request, () => DOWN);
    expect(sent.map(({ chain }) => chain)).toEqual([null]);
    expect(chains).toEqual([["base", "unavailable", 0]]);
    expect(notices[0]).toBe(
      `${operation} is skipped on base in subgraph style: it is not valid for the schema there, as last introspected.`,
    );
  });

  it("is not served if no other style is allowed, and no request is sent", async () => {
    const one = { operation: "Blind", style: "subgraph", behind } as const;
    const { sent, chains } = await asked({ ...one, chains: ["base"] });
    expect([sent, chains]).toEqual([[], [["base", "not-served", 0]]]);
    const all = await asked({ ...one, chains: ["10,ethereum,base"] });
    expect(all.sent.map(({ chain }) => chain)).toEqual([1]);
    expect(all.chains).toEqual([
      ["optimism", "not-served", 0],
      ["ethereum", "subgraph", 0],
      ["base", "not-served", 0],
    ]);
    expect(all.notices[0]).toContain("on optimism, base in subgraph style");
  });

  it("is not served for operations of one style, either", async () => {
    const { sent, chains } = await asked({ operation: "Names", chains: ["base", "ethereum"], behind });
    expect(sent.map(({ chain }) => chain)).toEqual([1]);
    expect(chains.map(([, code]) => code)).toEqual(["not-served", "subgraph"]);
  });

  it("is queried with operations that are valid there", async () => {
    const request = { operation: "Newest", chains: ["base"], behind, style: "subgraph" } as const;
    const { chains, notices } = await asked(request);
    expect([chains, notices]).toEqual([[["base", "subgraph", 2]], []]);
  });
});

describe("pages of an operation of one style", () => {
  it.each<[operation: string, variable: string, style: string]>([
    ["Own", "symbol_not=none", "subgraph"],
    ["Every", "symbol=none", "multichain"],
  ])("use its cursor and keep the given variables: %s", async (operation, variable, style) => {
    const { rows, parts, chains, sent } = await asked({
      ...{ operation, chains: ["base", "10"], usesPages: true },
      ...given("first=2", variable),
    });
    expect(rows.map((row) => [row["chain"], row["subgraphId"]])).toEqual([
      ...["1", "2", "4", "6"].map((id) => ["base", id]),
      ...["3", "5"].map((id) => ["optimism", id]),
    ]);
    expect(chains).toEqual([
      ["base", style, 4],
      ["optimism", style, 2],
    ]);
    const [name = "", value] = variable.split("=");
    expect(sent.map(({ variables }) => variables[name])).toEqual(sent.map(() => value));
    expect(sent.map(({ variables }) => variables["after"])).toEqual([undefined, "2", "6", undefined, "5"]);
    const blocks = sent.map(({ variables }) => variables["block"]);
    const hash = { hash: "0x09" };
    expect(blocks).toEqual(
      style === "subgraph" ? [undefined, hash, hash, undefined, hash] : blocks.map(() => undefined),
    );
    expect(parts[0]?.place).toEqual({ cursor: "2", style, block: style === "subgraph" ? hash : null });
  });

  it("start at the given cursor", async () => {
    const request = { chains: ["base"], usesPages: true, ...given("after=4", "first=1") };
    for (const operation of ["Own", "Every"]) {
      expect(idsOf((await asked({ ...request, operation })).rows)).toEqual(["6"]);
    }
  });

  it.each<[operation: string, want: RegExp]>([
    ["Unscoped", /cursors count per chain: filter by a variable \$chainIds/],
    ["Names", /--pages needs one list that is ordered by a cursor/],
    ["Of", /--pages needs one list/],
  ])("are rejected for %s", async (operation, want) => {
    await expect(question({ operation, chains: ["base"], usesPages: true })).rejects.toMatchObject({
      sentence: `The rows of ${operation} cannot be paged.`,
      hint: expect.stringMatching(want),
    });
  });
});
