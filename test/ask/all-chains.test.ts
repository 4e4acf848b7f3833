import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Emulator, startEmulator } from "../../emulator/server/start-emulator.ts";
import { resolveProject } from "../../src/project/project.ts";
import { IS_THOROUGH } from "../support/is-thorough.ts";
import { copyFromRepository } from "../support/repository.ts";
import { run } from "../support/run.ts";
import { SPAM, serveSpam } from "../support/serve-spam.ts";
import { tempProject } from "../support/temp-project.ts";
import { withAccident } from "./export/histories/crashing-disk.ts";
import { endProcess, query } from "./export/histories/lake.ts";

let emulator: Emulator;

let spam: Awaited<ReturnType<typeof serveSpam>>;

beforeAll(async () => {
  emulator = await startEmulator({ streams: 8, dailyQueries: 1_000_000 });
  spam = await serveSpam(() => emulator);
});
afterAll(async () => {
  spam.close();
  await emulator.close();
});

type Protocol = "lockup" | "flow";
type Style = "multichain" | "subgraph";
type Totals = Readonly<Record<"chain" | "n" | "ids" | "a" | "b" | "spam", string>>;

type Answer = {
  readonly data: { readonly rows: readonly Readonly<Record<string, string | null>>[] };
  readonly errors?: readonly { readonly message: string }[];
};

/** The amounts of a row, by the operation. */
const AMOUNTS = {
  AllStreams: {
    lockup: ["depositAmount", "withdrawnAmount"],
    flow: ["depositedAmount", "withdrawnAmount"],
  },
  ActionsFeed: { lockup: ["amountA", "amountB"], flow: ["amountA", "amountB"] },
} as const;

/** Reads all rows of a chain without the toolkit, and sums them. */
async function totalsOf(
  { url, chain, chainId, style }: { url: string; chain: string; chainId: number; style: Style },
  list: "streams" | "actions",
  [a, b]: readonly [string, string],
): Promise<Totals> {
  const fields = `{ id subgraphId ${a} ${b} }`;
  const entity = list === "streams" ? "Stream" : "Action";
  const rows: Readonly<Record<string, string | null>>[] = [];
  for (;;) {
    const after = rows.at(-1)?.["subgraphId"] ?? "0";
    const query =
      style === "subgraph"
        ? `{ rows: ${list}(first: 100, orderBy: subgraphId, where: { subgraphId_gt: ${after} }) ${fields} }`
        : `{ rows: ${entity}(limit: 100, order_by: { subgraphId: asc }, where: { chainId: { _eq: "${chainId}" }, subgraphId: { _gt: "${after}" } }) ${fields} }`;
    const response = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: "Bearer key" },
      body: JSON.stringify({ query }),
    });
    const { data, errors } = (await response.json()) as Answer;
    if (errors) throw new Error(errors[0]?.message);
    rows.push(...data.rows);
    if (data.rows.length < 100) break;
  }
  const amounts = (name: string) => rows.map((row) => row[name] ?? "0");
  const sum = (name: string) =>
    String(amounts(name).reduce((total, one) => total + (one === SPAM ? 0n : BigInt(one)), 0n));
  const misfits = [...amounts(a), ...amounts(b)].filter((one) => one === SPAM).length;
  const ids = new Set(rows.map(({ id }) => id)).size;
  return { chain, n: String(rows.length), ids: String(ids), a: sum(a), b: sum(b), spam: String(misfits) };
}

const CASES: readonly (readonly [Protocol, Style])[] = [
  ["lockup", "subgraph"],
  ["flow", "multichain"],
  ["lockup", "multichain"],
  ["flow", "subgraph"],
];
const CHAINS = ["base", "optimism"];
const NIGHTS = IS_THOROUGH ? 5 : 2;

it.each(IS_THOROUGH ? CASES : CASES.slice(0, 2))(
  "the lake of many chains has the sums of the indexers after each night, and after crashes: %s, %s",
  async (protocol, style) => {
    const { root } = tempProject({ "lockflow.config.json": `{ "protocols": ["${protocol}"] }` });
    copyFromRepository(root, "generated/schemas", `operations/${protocol}/portable`);
    const { deployments, chains: known } = resolveProject({ protocols: [protocol] }, root);
    const served = deployments
      .filter((one) => one.style === style && one.status !== "retired")
      .flatMap(({ name, chains }) => {
        const { url = "" } =
          emulator.endpoints.find((one) => one.deployment === name && one.environment === "production") ?? {};
        return chains.map((key) => {
          const { chainId = 0 } = known.find((chain) => chain.key === key) ?? {};
          return { url: spam.at(url), chain: key, chainId, style };
        });
      })
      .filter(({ chain }) => IS_THOROUGH || CHAINS.includes(chain));
    const chains = IS_THOROUGH ? "all" : CHAINS.join();
    const args = ["ask", "AllStreams", "ActionsFeed", "--style", style, "--chain", chains, "--out", "lake/"];
    args.push("--since-last", "--confirmations", "0", "--var", "first=50");
    const ask = (more: readonly string[] = []) =>
      run(root, [...args, ...more], { env: spam.env(), stopped: new Promise<void>(() => {}) });
    const lake = join(root, "lake");
    for (let night = 0; night < NIGHTS; night++) {
      if (night === 1 || night === 3) {
        const killed = await withAccident(lake, { kind: "lost", after: 8 + 8 * night }, ask);
        expect(killed).toMatchObject({ code: 2, err: expect.stringContaining("Killed") });
        for (const operation of ["AllStreams", "ActionsFeed"]) endProcess({ path: join(lake, operation) });
      }
      const { code, err } = await ask();
      expect([code, err]).toEqual([0, expect.stringContaining("chains, no failures")]);
      expect(err).not.toContain("updatedBy");
      const views = (await ask(["--schema", "duckdb"])).out.replaceAll("'lake/", `'${lake}/`);
      for (const view of views.split(/(?<=;)\n/)) if (view.trim() !== "") await query(view);
      for (const [operation, view, list] of [
        ["AllStreams", "all_streams", "streams"],
        ["ActionsFeed", "actions_feed", "actions"],
      ] as const) {
        const [a, b] = AMOUNTS[operation][protocol];
        const found = await query(
          `select chain, count(*)::text n, count(distinct id)::text ids, coalesce(sum(${a}), 0)::text a,
             coalesce(sum(${b}), 0)::text b, (count(${a}_text) + count(${b}_text))::text spam
           from ${view} group by chain order by chain`,
        );
        const want: Totals[] = [];
        for (const chain of served) {
          const totals = await totalsOf(chain, list, [a, b]);
          if (totals.n !== "0") want.push(totals);
        }
        expect(want.length).toBeGreaterThanOrEqual(IS_THOROUGH ? 20 : CHAINS.length);
        expect(want.some((totals) => totals.spam !== "0")).toBe(true);
        expect(found).toEqual(want.sort((x, y) => (x.chain < y.chain ? -1 : 1)));
      }
      emulator.advance(400);
    }
  },
  300_000,
);
