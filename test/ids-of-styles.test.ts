import { join } from "node:path";
import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { startProjectEmulator } from "../emulator/server/start-project-emulator.ts";
import type { ProtocolDefinition } from "../src/dialects/protocol.ts";
import { findUnlikeIds } from "../src/operations/find-unlike-ids.ts";
import { loadProject } from "../src/project/load-project.ts";
import { installClient } from "./support/built-client.ts";
import { IS_THOROUGH } from "./support/is-thorough.ts";
import { run } from "./support/run.ts";
import { type TempProject, tempProject } from "./support/temp-project.ts";
import { typeErrors } from "./support/type-errors.ts";

/** One pair of indexers whose ids differ: the multichain indexer has the rows of all chains in one table. */
const SUBGRAPH = `
  type Token @entity { id: Bytes! chainId: BigInt! symbol: String! hash: Bytes! pools: [Pool!]! @derivedFrom(field: "token0") }
  type Pool @entity { id: ID! chainId: BigInt! token0: Token! token1: Token serial: BigInt! }
  type Ledger @entity { id: ID! chainId: BigInt! count: BigInt! }
`;
const MULTICHAIN = SUBGRAPH.replace("id: Bytes!", "id: ID!");
const ROWS = {
  Token: [
    { id: "0xaa01", symbol: "DAI", hash: "0x00ff" },
    { id: "0xaa02", symbol: "USDC", hash: "0x0a" },
    { id: "0xaa03", symbol: "{chainId}", hash: "0x", chainId: 8453 },
  ],
  Pool: [
    { id: "pool-1", token0: "0xaa01", token1: null, serial: "1" },
    { id: "pool-2", token0: "0xaa02", token1: "0xaa01", serial: "2" },
    { id: "pool-3", token0: "0xaa03", token1: "0xaa01", serial: "3", chainId: 8453 },
  ],
  Ledger: [{ id: "1", count: "3" }],
};

const DEX: ProtocolDefinition = {
  entities: { subgraph: "dex.graphql", multichain: "dex.envio.graphql" },
  chains: ["ethereum", "base"],
  identity: { chain: "Ledger.chainId" },
  cursors: { Pool: "serial" },
};
const IDS: NonNullable<ProtocolDefinition["ids"]> = {
  Token: { subgraph: "{address}", multichain: "{chainId}-{address}" },
  Pool: { subgraph: "pool-{number}", multichain: "{chainId}_pool_{number}" },
  Ledger: { subgraph: "1", multichain: "{chainId}" },
};

const OPERATIONS = `
  query TokenById($id: ID!) { token(id: $id) { id chainId symbol pools(orderBy: serial) { id token1 { id } } } }
  query Ledgers { ledger(id: "1") { id chainId count } }
  query PoolsOf($token: String!, $first: Int! = 10) {
    pools(where: { token1: $token }, orderBy: serial, first: $first) { id chainId serial token0 { id } token1 { id } }
  }
  query TokensOf($hash: Bytes!) { tokens(where: { hash: $hash }, orderBy: id) { id chainId hash } }
  query FindPools($where: Pool_filter) { pools(where: $where, orderBy: serial) { id chainId serial } }
  query AllTokens($after: Bytes! = "0x", $first: Int! = 2) {
    tokens(where: { id_gt: $after }, orderBy: id, first: $first) { id chainId symbol hash }
  }
`;

const CALLS = `
import * as calls from "./generated/client.ts";
import * as proxied from "./generated/proxied.ts";
import { createProxy } from "./generated/proxy.ts";
import * as portable from "./generated/dex/portable.ts";
import type { PoolFilter } from "./generated/dex/portable.ts";
import * as proxiedOperations from "./generated/dex/proxied.ts";

// @ts-expect-error Parts of ids are not the same in both styles.
export const odd: PoolFilter = { token0_contains: "0xaa" };
// @ts-expect-error Nor is this order.
export const late: PoolFilter = { id_gt: "pool-1" };
export const inOrder: PoolFilter = { token0_gt: "0xaa" };

const proxy = createProxy({ styles: ["multichain"] });
const direct = { ...calls, ...portable };
const behind = { ...proxied, ...proxiedOperations } as unknown as typeof direct;
const clients = {
  multichain: [direct, direct.createClient({ styles: ["multichain"] })],
  subgraph: [direct, direct.createClient({ styles: ["subgraph"] })],
  proxy: [
    behind,
    proxied.createClient({
      proxy: "http://localhost/proxy",
      fetch: (url, init) => proxy(new Request(url, init as RequestInit)) as Promise<Response>,
    }) as unknown as ReturnType<typeof direct.createClient>,
  ],
} as const;
export const answers: Record<string, unknown> = {};
for (const [name, [api, client]] of Object.entries(clients)) {
  const { each, merged, pages, run, AllTokens, FindPools, Ledgers, PoolsOf, TokenById, TokensOf } = api;
  const seen: unknown[] = [];
  for (const chain of ["base", "ethereum"] as const) {
    const [first] = (await run(client, AllTokens, {}, { chain })).data.tokens;
    const id = first?.id ?? "0x";
    seen.push(first, (await run(client, TokenById, { id: id.toUpperCase().replace("0X", "0x") }, { chain })).data);
    seen.push((await run(client, TokensOf, { hash: first?.hash ?? "0x" }, { chain })).data);
    seen.push((await run(client, Ledgers, {}, { chain })).data);
    seen.push((await run(client, PoolsOf, { token: id }, { chain })).data);
    for (const where of [{ token0: id }, { token0_: { id_in: [id] } }, { id_not: "pool-1", token1: id }] as const) {
      seen.push((await run(client, FindPools, { where }, { chain })).data);
    }
    for await (const { rows, cursor } of pages(client, AllTokens, {}, { chain, size: 1 })) seen.push(rows, cursor);
  }
  const { rows, complete } = await merged(client, AllTokens, { first: 4 }, { chains: "all" });
  seen.push(rows.map(({ id, chainId }) => [id, chainId].join(" ")).sort(), complete);
  const both = await merged(client, PoolsOf, { token: String(rows[0]?.id) }, { chains: "all" });
  seen.push(both.rows.map(({ id, chainId }) => [id, chainId].join(" ")).sort());
  const settled = await each(client, Ledgers, {}, { chains: ["base", "ethereum"] });
  seen.push(settled.map((one) => one.status === "ok" && one.data));
  answers[name] = seen;
}
`;

/** The multichain indexer stores bytes as bytes. */
const RAW: ProtocolDefinition = { release: { multichain: "envio-3.10" }, bytesType: "uint8array" };

function projectOf(
  definition: ProtocolDefinition,
  files: Readonly<Record<string, string>> = {},
): TempProject {
  return tempProject({
    "package.json": '{ "type": "module" }',
    "lockflow.config.json": JSON.stringify({ protocols: { dex: definition }, importExtension: ".ts" }),
    "dex.graphql": SUBGRAPH,
    "dex.envio.graphql": MULTICHAIN,
    "dex.rows.json": JSON.stringify(ROWS),
    "operations/dex/portable/dex.graphql": OPERATIONS,
    "calls.ts": CALLS,
    "tsconfig.json": JSON.stringify({
      compilerOptions: {
        target: "es2022",
        lib: ["es2022", "dom"],
        module: "nodenext",
        strict: true,
        noEmit: true,
        allowImportingTsExtensions: true,
        exactOptionalPropertyTypes: true,
        types: [],
      },
      files: ["calls.ts"],
    }),
    ...files,
  });
}

async function serve(project: TempProject) {
  const emulator = await startProjectEmulator(await loadProject(project.root), { streams: 6 });
  onTestFinished(() => emulator.close());
  const lockflow = (...args: readonly string[]) =>
    run(project.root, args, { env: emulator.env(), stopped: new Promise(() => {}) });
  const must = async (...args: readonly string[]) => {
    const { code, out, err } = await lockflow(...args);
    if (code !== 0) throw new Error(out + err);
    return out;
  };
  await must("introspect");
  installClient(project.root);
  return { emulator, lockflow, must };
}

afterEach(() => vi.unstubAllEnvs());

describe("a protocol whose ids differ between the styles", () => {
  const stored: [rows: string, as: string, definition: object][] = [
    ["given", "bytes", { rows: "dex.rows.json", ...RAW }],
    ["generated", "text", {}],
    ["given", "text", { rows: "dex.rows.json" }],
    ["generated", "bytes", RAW],
  ];
  it.each(IS_THOROUGH ? stored : stored.slice(0, 1))(
    "has the same ids in both styles, with %s rows and ids stored as %s",
    async (kind, _, rows) => {
      const project = projectOf({ ...DEX, ...rows, ids: IDS });
      const { emulator, must } = await serve(project);
      await must("generate");
      await must("check");
      if (IS_THOROUGH) expect(await typeErrors(project.root)).toBe("");
      for (const [name, value] of Object.entries(emulator.env())) vi.stubEnv(name, value);
      const { answers } = await import(join(project.root, "calls.ts"));
      const { subgraph, multichain, proxy } = JSON.parse(JSON.stringify(answers));
      expect(multichain).toEqual(subgraph);
      expect(proxy).toEqual(subgraph);
      // Each chain has rows: empty results would be equal too.
      if (kind === "given") {
        expect(JSON.stringify(subgraph).match(/"id":"0xaa0\d"/g)?.length).toBeGreaterThan(10);
        expect(subgraph).toContainEqual(["0xaa01 1", "0xaa01 8453", "0xaa02 1", "0xaa02 8453"]);
        expect(subgraph).toContainEqual({ tokens: [{ id: "0xaa01", chainId: "1", hash: "0x00ff" }] });
        expect(subgraph).toContainEqual(["pool-2 1", "pool-2 8453", "pool-3 8453"]);
      }
      const ids = async (style: string) => {
        const asked = ["AllTokens", "--chain", "base", "--style", style, "--format", "ndjson"];
        return (await must("ask", ...asked)).match(/"id":"[^"]*"/g);
      };
      expect(await ids("multichain")).toEqual(await ids("subgraph"));
      expect(await must("compile", "Ledgers")).toContain('"1", the id of Ledger as {chain}');
    },
  );

  it("has id codecs of both forms if the fields of the ids are known", async () => {
    const ids = { Pool: { subgraph: "pool-{serial}", multichain: "{chainId}_pool_{serial}" } };
    const project = projectOf({ ...DEX, ids });
    const { must } = await serve(project);
    await must("generate");
    const text = project.read("generated/dex/ids.ts");
    expect(text).toContain("export type PoolId = `pool-${bigint}`;");
    expect(text).toContain("export type PoolMultichainId = `${number}_pool_${bigint}`;");
  });
});

describe("ids that may differ", () => {
  const POOL = "type Pool @entity { id: ID!";
  const FIX = 'protocols.dex.ids.Token: { subgraph: "{address}", multichain: "{chainId}-{address}" }';
  const EQUAL = { Token: { subgraph: "{id}", multichain: "{id}" } };

  it.each<[name: string, definition: ProtocolDefinition, findings: readonly object[]]>([
    ["are reported, without failing the check", DEX, [{ severity: "cosmetic", subject: "Token" }]],
    ["are not reported with one file for both styles", { ...DEX, entities: "dex.envio.graphql" }, []],
  ])("%s", async (_, definition, findings) => {
    const operations = {
      "operations/dex/portable/dex.graphql": "query Pools { pools(orderBy: serial) { id } }",
    };
    const { lockflow, must } = await serve(projectOf(definition, operations));
    await must("generate");
    const { code, out } = await lockflow("check", "--report", "json");
    const all: readonly { readonly code: string }[] = JSON.parse(out).findings;
    expect(code).toBe(0);
    expect(all.filter((one) => one.code === "operation/unlike-ids")).toMatchObject(findings);
  });

  it.each<
    [name: string, given: { ids?: typeof IDS; chains?: string[] }, notes: string[], findings: object[]]
  >([
    [
      "bytes in one file and text in the other",
      {},
      ["", ""],
      [
        {
          subject: "Token",
          message: /bytes in the subgraph file/,
          place: { file: "envio", line: 2 },
          fix: FIX,
        },
      ],
    ],
    [
      "a comment in only one file contains the chain id",
      { ids: EQUAL },
      ["the number", "chainId_number"],
      [{ subject: "Pool", message: /multichain file says "chainId_number" .* subgraph file "the number"/ }],
    ],
    ["the definition has their templates", { ids: IDS }, ["", ""], []],
    ["the definition says that they are equal", { ids: EQUAL }, ["", ""], []],
    ["one chain", { chains: ["base"] }, ["", ""], []],
  ])("are found by: %s", (_, { ids = {}, chains }, [subgraph, multichain], findings) => {
    const withNote = (text: string, note = "") =>
      note === "" ? text : text.replace(POOL, POOL.replace("{", `{\n # ${note}\n`));
    const found = findUnlikeIds({ key: "dex", ids: ids as never, chains: chains ?? null } as never, {
      subgraph: { path: "dex", text: withNote(SUBGRAPH, subgraph) },
      multichain: { path: "envio", text: withNote(MULTICHAIN, multichain) },
    });
    expect(found).toHaveLength(findings.length);
    for (const [at, { message = /./, fix = "", ...more }] of (findings as Wanted[]).entries()) {
      expect(found[at]).toMatchObject(more);
      expect(found[at]?.message).toMatch(message);
      expect(found[at]?.fix).toContain(fix);
    }
  });
});

type Wanted = { readonly message?: RegExp; readonly fix?: string };

it.each<[ids: unknown, said: string]>([
  [{ Token: { subgraph: "{address}" } }, "protocols.dex.ids.Token.multichain"],
  [{ Token: { subgraph: "{address}", multichain: "{chainId}-{adress}" } }, "only one has {address}"],
  [{ Token: { subgraph: "{address}", multichain: "{chainId}" } }, "only one has {address}"],
  [{ Token: { subgraph: "{a}{b}", multichain: "{a}-{b}" } }, "must have text between two fields"],
  [{ Nothing: { subgraph: "{address}", multichain: "{chainId}-{address}" } }, "there is no entity Nothing"],
])("invalid templates of both styles are rejected: %j", async (ids, said) => {
  const { root } = projectOf({ ...DEX, ids: ids as typeof IDS });
  const { out, err } = await run(root, [said.includes("entity") ? "sync" : "generate"]);
  expect(out + err).toContain(said);
});
