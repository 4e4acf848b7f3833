import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import { AllStreams, RecentStreams } from "../../../generated/lockup/portable.ts";
import { routes } from "../../../generated/routes.ts";
import { each } from "../../../packages/client/src/calls/each.ts";
import { health } from "../../../packages/client/src/calls/health.ts";
import { merged } from "../../../packages/client/src/calls/merged.ts";
import { pages } from "../../../packages/client/src/calls/pages.ts";
import { run } from "../../../packages/client/src/calls/run.ts";
import type { Settled } from "../../../packages/client/src/calls/start-call.ts";
import type { ClientOptions } from "../../../packages/client/src/client/client-types.ts";
import { createClient } from "../../../packages/client/src/client/create-client.ts";
import type { IndexerError } from "../../../packages/client/src/client/indexer-error.ts";
import { clientOf, countRequests, rejection, withEmulator } from "./support.ts";

const emulator = withEmulator({ streams: 3 });
const client = (options: ClientOptions = {}) => clientOf({ env: emulator().env(), retries: 0, ...options });
const chains = ["base", "ethereum"] as const;
const MULTICHAIN = "protocol-lockup-multichain";

type Facts = readonly (readonly [status: string, styleOrCode: string | undefined])[];
const facts = (results: readonly Settled<unknown, string>[]): Facts =>
  results.map((one) => [one.status, one.status === "ok" ? one.style : one.error.code]);

describe.each<[name: string, ask: (options: object, own?: ClientOptions) => Promise<Facts>]>([
  ["each", async (options, own) => facts(await each(client(own), RecentStreams, {}, { chains, ...options }))],
  [
    "merged",
    (options, own) =>
      merged(client(own), RecentStreams, {}, { chains, ...options }).then(
        ({ results }) => facts(results),
        ({ code }: IndexerError): Facts => chains.map(() => ["failed", code]),
      ),
  ],
  ["health", async (options, own) => facts(await health(client(own), "lockup", { chains, ...options }))],
])("%s", (name, ask) => {
  it("requests only the given style", async () => {
    const asked = await countRequests(emulator(), async () => {
      expect(await ask({ style: "subgraph" })).toEqual([
        ["ok", "subgraph"],
        ["ok", "subgraph"],
      ]);
    });
    expect(asked).toEqual({ "protocol-lockup-base": 1, "protocol-lockup-mainnet": 1 });
  });

  it("returns the answer for a block from subgraphs", async () => {
    const { head } = await run(client(), RecentStreams, {}, { chain: "base", style: "subgraph" });
    const block = { number: (head?.block ?? 0) - 10 };
    const results = await ask({ chains: ["base"], block });
    expect(results.filter(([status]) => status === "ok")).toEqual([["ok", "subgraph"]]);
  });

  it("fails chains that lag more than maxLag", async () => {
    const { head } = await run(client(), RecentStreams, {}, { chain: "base", style: "subgraph" });
    using _ = await emulator().fault({ kind: "lagging-head", blocks: 20_000, chain: "base" });
    const own = { now: () => (head?.time ?? 0) * 1000 };
    const [first] = await ask({ maxLag: 30_000, style: "subgraph" }, own);
    expect(first).toEqual(["failed", "behind"]);
    const [later] = await ask({ maxLag: 1e6, style: "subgraph" }, own);
    expect(later).toEqual(["ok", "subgraph"]);
  });

  it("limits each request by timeout, and the call by deadline", async () => {
    const slow: ClientOptions = {
      fetch: (_, init) =>
        new Promise((_, reject) =>
          init?.signal?.addEventListener("abort", () => reject(init.signal?.reason), { once: true }),
        ),
    };
    for (const options of [{ timeout: 30 }, { deadline: 30 }]) {
      const start = Date.now();
      const results = await ask(options, slow);
      expect(new Set(results.map(String)), name).toEqual(new Set(["failed,timeout"]));
      expect(Date.now() - start).toBeLessThan(5000);
    }
  });
});

describe("the deadline of run", () => {
  it("ends the retries with a timeout", async () => {
    using _ = await emulator().fault({ kind: "502", deployment: MULTICHAIN });
    let requests = 0;
    const own = client({
      retries: 20,
      fetch: async (url, init) => {
        requests++;
        const response = await fetch(url, init);
        await new Promise((done) => setTimeout(done, 20));
        return response;
      },
    });
    const start = Date.now();
    const error = await rejection(
      run(own, RecentStreams, {}, { chain: "base", style: "multichain", deadline: 150 }),
    );
    expect(error).toMatchObject({
      code: "timeout",
      message: expect.stringMatching(/no answer within 150 ms/i),
    });
    expect(Date.now() - start).toBeLessThan(2000);
    expect(requests).toBeGreaterThan(0);
  });

  it("does not hide the reason of an aborted signal", async () => {
    const signal = AbortSignal.abort(new Error("left"));
    const error = await rejection(run(client(), RecentStreams, {}, { chain: "base", signal, deadline: 5 }));
    expect(error).toMatchObject({ message: "left" });
  });
});

describe("an invalid option", () => {
  it.each<[options: object, message: string]>([
    [{ timeout: Number.NaN }, "timeout must be a number of ms; got NaN."],
    [{ timeout: -1 }, "timeout must be a number of ms; got -1."],
    [{ deadline: "soon" }, 'deadline must be a number of ms; got "soon".'],
    [{ signal: new AbortController() }, "signal must be an AbortSignal; got an object."],
  ])("is invalid-variables, and nothing is sent: %j", async (options, message) => {
    const asked = await countRequests(emulator(), async () => {
      const works = [
        run(client(), RecentStreams, {}, { chain: "base", ...options }),
        each(client(), RecentStreams, {}, { chains, ...options }),
        merged(client(), RecentStreams, {}, { chains, ...options }),
        health(client(), "lockup", { chains, ...options }),
      ];
      for (const work of works) {
        expect(await rejection(work)).toMatchObject({ code: "invalid-variables", message });
      }
    });
    expect(asked).toEqual({});
  });
});

describe("an operation in another format", () => {
  it.each([2, undefined])("is rejected before any request: %o", async (format) => {
    const operation = { ...RecentStreams, format } as unknown as typeof RecentStreams;
    const asked = await countRequests(emulator(), async () => {
      const error = await rejection(run(client(), operation, {}, { chain: "base" }));
      const message = expect.stringMatching(/^RecentStreams .*"lockflow generate"/);
      expect(error).toMatchObject({ code: "rejected", message });
    });
    expect(asked).toEqual({});
  });
});

describe("a block", () => {
  const BOTH = { number: 5, hash: `0x${"00".repeat(32)}` };

  it.each([5n, 5, 0, "0x1", {}, { hash: 5n }, BOTH])(
    "is rejected before a request if it is %s",
    async (block) => {
      const options = { chain: "base", block: block as never } as const;
      const sent = () => Promise.reject(new Error("sent"));
      const error = await rejection(run(client({ fetch: sent }), RecentStreams, {}, options));
      const message = expect.stringMatching(/^block must be either \{ number \} or \{ hash \}; got /);
      expect(error).toMatchObject({ code: "invalid-variables", message });
    },
  );
});

describe("an unknown style", () => {
  const style = "sub" as never;

  it.each<[where: string, own: ClientOptions, options: object]>([
    ["in a call", {}, { style }],
    ["in the client", { styles: [style] }, {}],
  ])("is rejected %s before a request", async (_, own, options) => {
    const error = await rejection(run(client(own), RecentStreams, {}, { chain: "base", ...options }));
    const message = 'style must be "multichain" or "subgraph"; got "sub".';
    expect(error).toMatchObject({ code: "invalid-variables", message });
  });
});

describe("an endpoint of the application", () => {
  const urlOf = (style: "multichain" | "subgraph") =>
    createClient(routes, { env: emulator().env() }).endpoint({ protocol: "lockup", style, chain: "base" });

  it.each(["multichain", "subgraph"] as const)(
    "needs a URL and a deployment only, in %s style",
    async (style) => {
      const { url = "", auth } = urlOf(style) ?? {};
      const seen: unknown[] = [];
      const custom = client({
        styles: [style],
        endpoint: () => ({ url, deployment: "mine", ...(auth && { auth }) }),
        headers: ({ chains, deployment }) => {
          seen.push([chains, deployment]);
          return {};
        },
      });
      expect((await run(custom, RecentStreams, {}, { chain: "base" })).style).toBe(style);
      expect((await merged(custom, RecentStreams, {}, { chains: ["base"] })).failed).toEqual([]);
      expect((await health(custom, "lockup", { chains: ["base"] }))[0]?.status).toBe("ok");
      expect((await pages(custom, AllStreams, {}, { chain: "base" }).next()).done).toBe(false);
      expect(seen[0]).toEqual([["base"], "mine"]);
    },
  );

  it.each<[what: string, endpoint: () => unknown]>([
    ["nothing valid", () => ({})],
    ["a text", () => "https://a.test"],
    ["a promise", () => Promise.resolve({ url: "https://a.test", deployment: "mine" })],
    ["no deployment", () => ({ url: "https://a.test" })],
    ["no URL", () => ({ deployment: "mine" })],
    ["an invalid URL", () => ({ url: "nonsense", deployment: "mine" })],
    ["a list", () => []],
  ])("that returns %s is one clear error, and nothing is sent", async (_, endpoint) => {
    let sent = 0;
    const fetch = () => {
      sent++;
      return Promise.reject(new Error("sent"));
    };
    const custom = client({ styles: ["subgraph"], endpoint: endpoint as ClientOptions["endpoint"], fetch });
    const error = await rejection(run(custom, RecentStreams, {}, { chain: "base" }));
    const message = "endpoint() must return url and deployment";
    const cause = expect.any(TypeError);
    expect(error).toMatchObject({ code: "not-served", style: "subgraph", message, cause });
    expect(sent).toBe(0);
  });

  it.each([["a text"], [undefined], [null]])("that throws %o is the cause", async (thrown) => {
    const custom = client({
      endpoint: () => {
        throw thrown;
      },
    });
    const error = await rejection(run(custom, RecentStreams, {}, { chain: "base" }));
    expect(error).toMatchObject({ code: "not-served", message: `${thrown}; ${thrown}` });
  });
});

describe("an endpoint() that throws in one style", () => {
  it("does not stop the other style", async () => {
    const custom = client({
      endpoint: (request) => {
        if (request.style === "multichain") throw new Error("no such tenant");
        return client().endpoint(request);
      },
    });
    const error = { code: "not-served", message: "no such tenant" };
    expect(await run(custom, RecentStreams, {}, { chain: "base" })).toMatchObject({
      style: "subgraph",
      tried: [{ style: "multichain", error }],
    });
  });
});

describe("a missing URL", () => {
  it("says that one of two variables is enough, and how to start an emulator", async () => {
    const set = (name: string) => `Set ${name}, pass it to endpoint(), or run "lockflow emulate"`;
    const subgraph = set("LOCKFLOW_SUBGRAPH_PRODUCTION_URL");
    for (const [styles, message] of [
      [undefined, `${set("LOCKFLOW_MULTICHAIN_URL")}; ${subgraph}; one of the two is enough.`],
      [["subgraph"], subgraph],
    ] as const) {
      const error = await rejection(run(clientOf({ env: {}, styles }), RecentStreams, {}, { chain: "base" }));
      expect(error).toMatchObject({ code: "not-served", message });
    }
  });
});

describe("an IndexerError that is not caught", () => {
  it("prints its sentence, its code and a line per style", async () => {
    const own = client({ fetch: () => Promise.reject(new Error("down")) });
    const error = (await rejection(run(own, RecentStreams, {}, { chain: "base" }))) as IndexerError;
    // What Node prints, without the cause and the frames.
    const printed = inspect(error, { customInspect: false, depth: 5 }).replace(
      /,\n {2}\[cause\].*(?=\n\})/s,
      "",
    );
    expect(printed.split("\n").filter((line) => !/^ {4}at /.test(line))).toEqual([
      `IndexerError: ${error.message}`,
      "  multichain: protocol-lockup-multichain: network (network)",
      "  subgraph: protocol-lockup-base: network (network)",
      "  code: 'network'",
      "}",
    ]);
    expect(JSON.parse(JSON.stringify(error))).toEqual(structuredClone(error.toJSON()));
    expect(Object.keys(error.toJSON())).toContain("tried");
    expect(error.tried).toHaveLength(2);
  });
});
