import { join } from "node:path";
import { createContext, runInContext } from "node:vm";
import { build, transform } from "esbuild";
import { describe, expect, it } from "vitest";
import { REPOSITORY, readRepositoryFile } from "../support/repository.ts";
import { testServer } from "../support/test-server.ts";
import { answerOf } from "./support.ts";

/** The globals that browsers, workers and Node share and the client may use. */
const WEB = {
  AbortController,
  AbortSignal,
  clearTimeout,
  fetch,
  Headers,
  performance,
  setTimeout,
  TextDecoder,
  URL,
};

/** Bundles the client and its manifest as one script with a global variable. */
async function buildScript(): Promise<string> {
  const { outputFiles } = await build({
    stdin: {
      contents:
        'export * from "./client.ts"; export { ChainCounters, AllStreams } from "./lockup/portable.ts";',
      resolveDir: join(REPOSITORY, "generated"),
      loader: "ts",
    },
    bundle: true,
    format: "iife",
    globalName: "client",
    platform: "neutral",
    target: "es2022",
    write: false,
  });
  return outputFiles[0]?.text ?? "";
}

describe("the client", () => {
  it.each(["client.ts", "manifest.ts", "lockup/portable.ts"])(
    "has no syntax newer than ES2022: %s",
    async (name) => {
      const text = readRepositoryFile(`generated/${name}`);
      const [own, newest] = await Promise.all(
        ["es2022", "esnext"].map(async (target) => (await transform(text, { loader: "ts", target })).code),
      );
      expect(own).toBe(newest);
      // Values with several spellings are distinguished this way.
      const { code } = await transform("using a = b;", { loader: "ts", target: "es2022" });
      expect(code).not.toMatch(/^using/);
    },
  );

  it.each([
    ["a browser", {}],
    ["a bundle with an empty process", { process: {} }],
    ["a process without variables", { process: { env: undefined } }],
  ])("needs only web APIs, in %s", async (_, more) => {
    const { url, received } = await testServer((request, response) => {
      const isStreams = request.body.includes("AllStreams");
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify({ data: { ...answerOf(8453), ...(isStreams ? { streams: [] } : {}) } }));
    });
    const context = createContext({ ...WEB, ...more, server: url });
    runInContext(await buildScript(), context);
    const result: string = await runInContext(
      `(async () => {
        const { createClient, run, each, merged, pages, health, query, ChainCounters, AllStreams } = client;
        const env = {
          LOCKFLOW_MULTICHAIN_URL: server + "/{id}/multichain",
          LOCKFLOW_LOCKUP_ID: "lockup",
          LOCKFLOW_SUBGRAPH_PRODUCTION_URL: server + "/{deployment}",
          LOCKFLOW_SUBGRAPH_API_KEY: "key",
        };
        const own = createClient({ env });
        const chain = { chain: "base" };
        const chains = { chains: ["base"] };
        const failure = await run(createClient(), ChainCounters, {}, chain).catch((error) => error);
        const end = await pages(own, AllStreams, {}, { ...chain, style: "subgraph" }).next();
        return JSON.stringify({
          run: (await run(own, ChainCounters, {}, chain)).status,
          each: (await each(own, ChainCounters, {}, chains)).map(({ status }) => status),
          merged: (await merged(own, ChainCounters, {}, chains)).complete,
          pages: end.value.complete,
          health: (await health(own, "lockup", chains)).map(({ status }) => status),
          query: (await query(own, ChainCounters, {}, chain).queryFn({ signal: new AbortController().signal })).status,
          // No endpoint is configured.
          failure: [failure.name, failure.code],
        });
      })()`,
      context,
    );
    expect(JSON.parse(result)).toEqual({
      run: "ok",
      each: ["ok"],
      merged: true,
      pages: true,
      health: ["ok", "ok"],
      query: "ok",
      failure: ["IndexerError", "not-served"],
    });
    expect(received.length).toBe(7);
  });

  it("needs no platform API before its first request", async () => {
    // The context has no platform APIs.
    const context = createContext(Object.create(null));
    runInContext(await buildScript(), context);
    expect(runInContext("typeof client.createClient()", context)).toBe("object");
  });
});
