import { describe, expect, it } from "vitest";
import { createClient, run } from "../../../generated/client.ts";
import * as flow from "../../../generated/flow/portable.ts";
import * as proxiedFlow from "../../../generated/flow/proxied.ts";
import * as lockup from "../../../generated/lockup/portable.ts";
import * as proxiedLockup from "../../../generated/lockup/proxied.ts";
import * as page from "../../../generated/proxied.ts";
import { withEmulator } from "../client/support.ts";
import { serveProxy } from "./serve-proxy.ts";

const emulator = withEmulator({ streams: 8 });

const PROTOCOLS = [
  ["lockup", lockup, proxiedLockup],
  ["flow", flow, proxiedFlow],
] as const;

describe("the operations for pages behind a proxy", () => {
  it.each(PROTOCOLS)("equal those of %s without query texts", (_, whole, proxied) => {
    for (const [name, value] of Object.entries(whole)) {
      const own: unknown = proxied[name as keyof typeof proxied];
      if (typeof value === "function") expect(own).toBe(value);
      else expect(own).toEqual({ ...value, multichain: "", subgraph: "" });
    }
    expect(Object.keys(proxied).sort()).toEqual(Object.keys(whole).sort());
  });

  it("have the keys of queries that a server has with texts", () => {
    const direct = createClient();
    const client = page.createClient({ proxy: "/api" });
    const chains = ["base"] as const;
    const [whole, proxied] = [lockup.AllStreams, proxiedLockup.AllStreams];
    const keys = [
      [direct, whole],
      [client, proxied],
    ] as const;
    const [server, browser] = keys.map(([own, operation]) =>
      [
        page.query(own, operation, {}, { chain: "base" }),
        page.queryEach(own, operation, {}, { chains }),
        page.queryMerged(own, operation, {}, { chains }),
        page.queryPages(own, operation, {}, { chain: "base" }),
        page.queryPages(own, operation, {}, { chains }),
      ].map(({ queryKey }) => queryKey),
    );
    expect(browser).toEqual(server);
    for (const key of server ?? []) expect(key.at(-1)).toBe(whole.digest);
  });
});

describe("the client of pages behind a proxy", () => {
  it("returns the same as a client that queries the indexers", async () => {
    const env = emulator().env();
    const now = () => 1_800_000_000_000;
    const { url } = await serveProxy({ env });
    const client = page.createClient({ proxy: url, now });
    const direct = createClient({ env, now });
    for (const style of ["multichain", "subgraph"] as const) {
      const options = { chain: "base", style } as const;
      const { RecentStreams } = proxiedLockup;
      const answer = await page.run(client, RecentStreams, { first: 3 }, options);
      expect(answer.data.streams).toHaveLength(3);
      expect(answer).toEqual(await run(direct, lockup.RecentStreams, { first: 3 }, options));
    }
    const merged = await page.merged(client, proxiedFlow.RecentStreams, { first: 5 }, { chains: "mainnets" });
    expect(merged.failed).toEqual([]);
    expect(merged.rows).toHaveLength(5);
  });

  it("requires the URL of the proxy", () => {
    // @ts-expect-error
    const create = () => page.createClient({});
    expect(create).toBeTypeOf("function");
    expect(page.isServed(proxiedLockup.RecentStreams, 8453)).toBe(true);
  });
});
