import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Emulator, startEmulator } from "../../emulator/server/start-emulator.ts";
import * as direct from "../../generated/client.ts";
import { AllStreams, RecentStreams } from "../../generated/lockup/portable.ts";
import * as proxied from "../../generated/proxied.ts";
import { REPOSITORY } from "../support/repository.ts";
import { testServer } from "../support/test-server.ts";
import { npm } from "./pack.ts";

/** The only key that the emulator accepts. */
const KEY = "canary-of-a-key";

/** A worker that sends requests with the client and serves a proxy, which all its requests share. */
const WORKER = `
  import { createClient, each, merged, pages, run } from "./client.ts";
  import { AllStreams, RecentStreams } from "./lockup/portable.ts";
  import { endpoint } from "./manifest.ts";
  import { createProxy } from "./proxy.ts";

  let proxy;
  let shared;

  export default {
    async fetch(request, env) {
      proxy ??= createProxy({ env });
      const { pathname, searchParams } = new URL(request.url);
      if (pathname === "/api") return proxy(request);
      shared ??= createClient({ env, concurrency: 2 });
      if (pathname === "/one") {
        const { data } = await run(shared, RecentStreams, { first: 3 }, { chain: searchParams.get("chain") });
        return Response.json(data.streams.length);
      }
      return Response.json(await ask(env, Object.fromEntries(searchParams)));
    },
  };

  async function ask(env, { silent, redirecting }) {
    const client = createClient({ env });
    const chain = { chain: 8453 };
    const styles = ["multichain", "subgraph"];
    const first = await Promise.all(styles.map((style) => run(client, RecentStreams, { first: 3 }, { ...chain, style })));
    const all = await each(createClient({ env, concurrency: 50 }), RecentStreams, { first: 1 }, { chains: "all" });
    const { rows, failed } = await merged(client, RecentStreams, { first: 20 }, { chains: "mainnets" });
    let count = 0;
    for await (const page of pages(client, AllStreams, {}, { ...chain, size: 100 })) count += page.rows.length;
    const elsewhere = (url, more) =>
      createClient({ env, retries: 0, endpoint: (asked) => ({ ...endpoint(asked, env), url }), ...more });
    const codeOf = (client, more) =>
      run(client, RecentStreams, {}, { ...chain, ...more }).catch((error) => error.code ?? error.message);
    const gone = new AbortController();
    setTimeout(() => gone.abort(new Error("mine")), 50);
    return {
      first: first.map(({ style, data, head }) => [style, data.streams.length, typeof head.block]),
      failed: all.filter(({ status }) => status !== "ok").length,
      merged: [rows.length, failed.length],
      isAll: count > 100,
      late: await codeOf(elsewhere(silent, { timeout: 50 })),
      aborted: await codeOf(elsewhere(silent), { signal: gone.signal }),
      redirected: await codeOf(elsewhere(redirecting)),
      unreachable: await codeOf(elsewhere("http://127.0.0.1:1/")),
      keyless: await codeOf(createClient({ env: { ...env, LOCKFLOW_SUBGRAPH_API_KEY: "" } }), { style: "subgraph" }),
    };
  }
`;

let folder: string;
let program: string;
let emulator: Emulator;
let bindings: Readonly<Record<string, string>>;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "lockflow-worker-"));
  await npm(["init", "-y"], folder);
  await npm(["install", "--no-audit", "--no-fund", "--ignore-scripts", "workerd@1.20261117.1"], folder);
  program = createRequire(join(folder, "package.json"))("workerd").default;
  await build({
    stdin: { contents: WORKER, resolveDir: join(REPOSITORY, "generated"), loader: "ts" },
    bundle: true,
    format: "esm",
    platform: "neutral",
    target: "es2022",
    outfile: join(folder, "worker.js"),
    logLevel: "silent",
  });
  emulator = await startEmulator({ apiKeys: [KEY] });
  bindings = { ...emulator.env(), LOCKFLOW_SUBGRAPH_API_KEY: KEY };
});

afterAll(async () => {
  await emulator?.close();
  rmSync(folder, { recursive: true, force: true });
});

// The compatibility date decides which APIs a worker has.
describe.each(["2022-04-01", "2024-01-01", "2026-11-01"])(
  "a worker with the compatibility date %s",
  (date) => {
    let worker: ChildProcess;
    let url: string;

    beforeAll(async () => {
      const path = join(folder, `${date}.capnp`);
      writeFileSync(path, renderConfig(date, bindings));
      const stdio = ["ignore", "ignore", "inherit", "pipe"] as const;
      worker = spawn(program, ["serve", "--control-fd=3", path], { stdio: [...stdio] });
      const [text] = await Promise.race([
        once(worker.stdio[3] as Readable, "data"),
        once(worker, "exit").then(([code]) => Promise.reject(new Error(`workerd ended with ${code}`))),
      ]);
      url = `http://127.0.0.1:${JSON.parse(String(text)).port}`;
    });

    afterAll(() => void worker?.kill());

    it("sends the key of its bindings, in either style, and reports failures", async () => {
      const goal = await testServer((_, response) => response.end("{}"));
      const redirecting = await testServer((_, response) =>
        response.writeHead(307, { location: goal.url }).end(),
      );
      const silent = await testServer(() => {});
      const asked = new URLSearchParams({ silent: silent.url, redirecting: redirecting.url });
      expect(await (await fetch(`${url}/?${asked}`)).json()).toEqual({
        first: [
          ["multichain", 3, "number"],
          ["subgraph", 3, "number"],
        ],
        failed: 0,
        merged: [20, 0],
        isAll: true,
        late: "timeout",
        aborted: "mine",
        redirected: "not-served",
        unreachable: "network",
        keyless: "auth",
      });
      expect(goal.received).toEqual([]);
    });

    it("answers many concurrent requests with one client", async () => {
      const chains = Array.from({ length: 20 }, (_, index) => ["base", "ethereum"][index % 2]);
      const answers = await Promise.all(
        chains.map(async (chain) => {
          const answer = await fetch(`${url}/one?chain=${chain}`);
          return [answer.status, await answer.text()];
        }),
      );
      expect(answers).toEqual(chains.map(() => [200, "3"]));
    });

    it("answers many concurrent pages with a proxy that all requests share", async () => {
      const client = proxied.createClient({ proxy: `${url}/api` }) as unknown as direct.Client;
      const own = direct.createClient({ env: bindings });
      const chain = { chain: "base" } as const;
      const ask = async (asking: direct.Client, { each, health, merged, pages, run }: typeof direct) => {
        const rows: unknown[] = [];
        for await (const page of pages(asking, AllStreams, {}, chain)) rows.push(...page.rows);
        return {
          rows,
          run: (await run(asking, RecentStreams, { first: 5 }, chain)).data,
          each: (await each(asking, RecentStreams, { first: 5 }, { chains: "all" })).map(
            ({ status }) => status,
          ),
          merged: (await merged(asking, RecentStreams, { first: 20 }, { chains: "mainnets" })).rows,
          health: (await health(asking, "lockup", { chains: ["base"] })).map(({ status }) => status),
        };
      };
      const functions = proxied as unknown as typeof direct;
      expect(await ask(client, functions)).toEqual(await ask(own, direct));
    });

    it("rejects requests that no page may send, and never sends its key to a page", async () => {
      const { protocol, name: operation, digest } = RecentStreams;
      const good = { call: "run", protocol, operation, digest, options: { chain: "base" } };
      const headers = { "content-type": "application/json" };
      const post = async (body: object, more: RequestInit = {}) => {
        const answer = await fetch(`${url}/api`, {
          method: "POST",
          headers,
          body: JSON.stringify(body),
          ...more,
        });
        return [answer.status, await answer.text()] as const;
      };
      const answers = await Promise.all([
        post(good),
        post({ query: "{ streams { id } }" }),
        post({ ...good, operation: "__proto__" }),
        post({ ...good, operation: "x".repeat(70_000) }),
        post(good, { headers: { "content-type": "text/plain" } }),
        post(good, { method: "PUT" }),
      ]);
      expect(answers.map(([status]) => status)).toEqual([200, 400, 400, 413, 415, 405]);
      expect(JSON.stringify(answers)).not.toContain(KEY);
      expect(JSON.stringify(answers)).not.toContain(new URL(emulator.url).host);
    });
  },
);

/** Renders the configuration of workerd: one worker, its variables, and access to this machine. */
function renderConfig(date: string, variables: Readonly<Record<string, string>>): string {
  const text = (value: string) => JSON.stringify(value);
  const list = Object.entries(variables).map(
    ([name, value]) => `(name = ${text(name)}, text = ${text(value)})`,
  );
  return `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "main", worker = (
      modules = [(name = "worker.js", esModule = embed "worker.js")],
      compatibilityDate = ${text(date)},
      bindings = [${list.join(", ")}],
    )),
    (name = "internet", network = (allow = ["public", "private"])),
  ],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")],
);
`;
}
