import { join } from "node:path";
import { createContext, runInContext } from "node:vm";
import { build, transform } from "esbuild";
import { describe, expect, it } from "vitest";
import { memoize } from "../../src/base/collections.ts";
import { serveProxy } from "../runtime/proxy/serve-proxy.ts";
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

/** The modules of a client, and of its operations. */
const DIRECT = ["client", "portable"] as const;
const PROXIED = ["proxied", "proxied"] as const;

type Modules = typeof DIRECT | typeof PROXIED;

/** Bundles a client and its operations as one script with a global variable. */
const buildScript = memoize(async ([client, operations]: Modules): Promise<string> => {
  const { outputFiles } = await build({
    stdin: {
      contents: `export * from "./${client}.ts"; export { ChainCounters, AllStreams } from "./lockup/${operations}.ts";`,
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
});

/** A signal of `abort-controller` 3, the one of React Native: without `reason`, `throwIfAborted` and static functions. */
class BareSignal {
  aborted = false;
  readonly listeners = new Set<(event: object) => void>();
  addEventListener(_: string, listener: (event: object) => void): void {
    this.listeners.add(listener);
  }
  removeEventListener(_: string, listener: (event: object) => void): void {
    this.listeners.delete(listener);
  }
}

class BareController {
  readonly signal = new BareSignal();
  abort(): void {
    if (this.signal.aborted) return;
    this.signal.aborted = true;
    for (const listener of this.signal.listeners) listener({ type: "abort", target: this.signal });
  }
}

/** A `fetch` over XMLHttpRequest: it follows redirects, and its response has no stream. */
async function fetchWhole(
  url: string,
  { signal, ...init }: Omit<RequestInit, "signal"> & { readonly signal: BareSignal },
) {
  const stop = new AbortController();
  signal.addEventListener("abort", () => stop.abort());
  const response = await fetch(url, { ...init, redirect: "follow", signal: stop.signal });
  const { status, headers } = response;
  return { status, headers, url: response.url, text: () => response.text() };
}

/** The URL of React Native, which ends in a slash. */
class SlashedUrl {
  readonly username = "";
  readonly password = "";
  constructor(text: string) {
    const { href, host, hostname, protocol } = new URL(text);
    Object.assign(this, { host, hostname, protocol, href: href.replace(/\/?$/, "/") });
  }
}

/** The globals of React Native 0.83 that the client uses. */
const REACT_NATIVE = {
  AbortController: BareController,
  AbortSignal: BareSignal,
  clearTimeout,
  fetch: fetchWhole,
  Headers,
  navigator: { product: "ReactNative" },
  performance,
  setTimeout,
  URL: SlashedUrl,
};

/** The variables of indexers at `server`. */
const variablesOf = (server: string) => ({
  LOCKFLOW_MULTICHAIN_URL: `${server}/{id}/multichain`,
  LOCKFLOW_LOCKUP_ID: "lockup",
  LOCKFLOW_SUBGRAPH_PRODUCTION_URL: `${server}/{deployment}`,
  LOCKFLOW_SUBGRAPH_API_KEY: "key",
});

/** What scripts of a context begin with: a client of `server`, which is a proxy if `isProxy`. */
const SETUP = `
  const { createClient, run, each, merged, pages, health, query, watch, ChainCounters, AllStreams } = client;
  const own = createClient(isProxy ? { proxy: server } : { env, retries: 0 });
  const chain = { chain: "base" };
  const chains = { chains: ["base"] };
`;

/** Runs a script in a context with some globals, and returns its result through JSON. */
async function runScript(
  globals: { readonly server: string },
  script: string,
  modules: Modules = DIRECT,
): Promise<unknown> {
  const env = variablesOf(globals.server);
  const context = createContext({ ...globals, env, isProxy: modules === PROXIED });
  runInContext(await buildScript(modules), context);
  const text: string = await runInContext(
    `(async () => { ${SETUP}
${script} })().then(JSON.stringify)`,
    context,
  );
  return JSON.parse(text);
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

  it.each<[what: string, globals: object, modules: Modules]>([
    ["a browser", WEB, DIRECT],
    ["a bundle with an empty process", { ...WEB, process: {} }, DIRECT],
    ["a process without variables", { ...WEB, process: { env: undefined } }, DIRECT],
    ["React Native", REACT_NATIVE, DIRECT],
    ["React Native, behind a proxy", REACT_NATIVE, PROXIED],
  ])("runs every function with the globals of %s", async (_, globals, modules) => {
    const { url, received } = await testServer((request, response) => {
      const isStreams = request.body.includes("AllStreams");
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify({ data: { ...answerOf(8453), ...(isStreams ? { streams: [] } : {}) } }));
    });
    const proxy = await serveProxy({ env: variablesOf(url), retries: 0 });
    const result = await runScript(
      { ...globals, server: modules === PROXIED ? proxy.url : url },
      `
        const { signal } = new AbortController();
        const options = { ...chain, signal };
        // No endpoint is configured.
        const failure = isProxy || await run(createClient(), ChainCounters, {}, chain).catch((error) => error);
        return {
          run: (await run(own, ChainCounters, {}, options)).status,
          each: (await each(own, ChainCounters, {}, chains)).map(({ status }) => status),
          merged: (await merged(own, ChainCounters, {}, { ...chains, signal })).complete,
          pages: (await pages(own, AllStreams, {}, { ...options, style: "subgraph" }).next()).value.complete,
          health: (await health(own, "lockup", chains)).map(({ status }) => status),
          query: (await query(own, ChainCounters, {}, chain).queryFn({ signal })).status,
          both: (await query(own, ChainCounters, {}, options).queryFn(new AbortController())).status,
          listeners: signal.listeners?.size ?? 0,
          failure: isProxy || [failure.name, failure.code],
        };`,
      modules,
    );
    expect(result).toEqual({
      ...{
        run: "ok",
        each: ["ok"],
        merged: true,
        pages: true,
        health: ["ok", "ok"],
        query: "ok",
        both: "ok",
      },
      listeners: 0,
      failure: modules === PROXIED || ["IndexerError", "not-served"],
    });
    expect(received.filter(({ path }) => path.endsWith("/"))).toEqual([]);
  });

  it("rejects with an AbortError if the signal has no reason", async () => {
    const { url } = await testServer(() => {});
    const result = await runScript(
      { ...REACT_NATIVE, server: url },
      `
        const ask = (work) => {
          const first = new AbortController();
          const second = new AbortController();
          const asked = work(first.signal, second.signal).catch((error) => [error instanceof Error, error.name]);
          return { asked, first, second };
        };
        const works = {
          run: (signal) => run(own, ChainCounters, {}, { ...chain, signal }),
          query: (signal) => query(own, ChainCounters, {}, chain).queryFn({ signal }),
          option: (signal, other) => query(own, ChainCounters, {}, { ...chain, signal }).queryFn({ signal: other }),
          context: (signal, other) => query(own, ChainCounters, {}, { ...chain, signal: other }).queryFn({ signal }),
        };
        const names = {};
        for (const [name, work] of Object.entries(works)) {
          const { asked, first, second } = ask(work);
          setTimeout(() => first.abort(), 10);
          names[name] = [...(await asked), first.signal.listeners.size + second.signal.listeners.size];
          const before = ask((signal, other) => { signal.aborted = true; return work(signal, other); });
          names[name + " before"] = await before.asked;
        }
        const feed = new AbortController();
        setTimeout(() => feed.abort(), 10);
        const watching = watch(own, AllStreams, {}, { ...chains, signal: feed.signal });
        return { ...names, watch: (await watching.next()).done };`,
    );
    const abort = [true, "AbortError"];
    expect(result).toEqual({
      run: [...abort, 0],
      "run before": abort,
      query: [...abort, 0],
      "query before": abort,
      option: [...abort, 0],
      "option before": abort,
      context: [...abort, 0],
      "context before": abort,
      watch: true,
    });
  });

  it("refuses the answer of another host if the platform follows redirects", async () => {
    const answer = JSON.stringify({ data: answerOf(8453) });
    const other = await testServer((_, response) => response.end(answer));
    const { url } = await testServer(({ path }, response) => {
      const location = path.includes("blast") ? `${other.url}/` : "/elsewhere";
      if (path === "/elsewhere") response.end(answer);
      else response.writeHead(307, { location }).end();
    });
    const result = await runScript(
      { ...REACT_NATIVE, server: url },
      `
        const ask = (chain) => run(own, ChainCounters, {}, { chain, style: "subgraph" });
        return [(await ask("base")).status, (await ask("blast").catch((error) => error.code))];`,
    );
    expect(result).toEqual(["ok", "not-served"]);
  });

  it("needs no platform API before its first request", async () => {
    // The context has no platform APIs.
    const context = createContext(Object.create(null));
    runInContext(await buildScript(DIRECT), context);
    expect(runInContext("typeof client.createClient()", context)).toBe("object");
  });
});
