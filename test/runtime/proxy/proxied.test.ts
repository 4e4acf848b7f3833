import { describe, expect, it } from "vitest";
import * as direct from "../../../generated/client.ts";
import * as flow from "../../../generated/flow/portable.ts";
import * as proxiedFlow from "../../../generated/flow/proxied.ts";
import * as lockup from "../../../generated/lockup/portable.ts";
import * as proxiedLockup from "../../../generated/lockup/proxied.ts";
import * as page from "../../../generated/proxied.ts";

const PROTOCOLS = [
  ["lockup", lockup, proxiedLockup],
  ["flow", flow, proxiedFlow],
] as const;

describe("the operations for pages behind a proxy", () => {
  it.each(PROTOCOLS)("have only the names and digests of those of %s", (_, whole, proxied) => {
    for (const [name, value] of Object.entries(whole)) {
      const own: unknown = proxied[name as keyof typeof proxied];
      if (typeof value === "function") expect(own).toBe(value);
      else {
        const { protocol, digest, chainOf } = value as typeof lockup.StreamById;
        expect(own).toEqual({ name, protocol, digest, ...(chainOf && { chainOf: true }) });
      }
    }
    expect(Object.keys(proxied).sort()).toEqual(Object.keys(whole).sort());
  });

  it("have the keys of queries that a server has with texts", () => {
    const sender = `0x${"aB".repeat(20)}`;
    const keys = [
      [direct.createClient(), direct, lockup],
      [page.createClient({ proxy: "/api" }), page as unknown as typeof direct, proxiedLockup],
    ] as const;
    const [server, browser] = keys.map(([client, own, operations]) => {
      const { AllStreams, StreamById, StreamsBySender } = operations as typeof lockup;
      const chains = ["base"] as const;
      const asked = client as direct.Client;
      return [
        own.query(asked, AllStreams, { first: 5, after: 5n }, { chain: "base", minBlock: 7n, maxLag: 5 }),
        own.query(asked, StreamById, { id: `${sender}-8453-5` }),
        own.queryEach(asked, StreamsBySender, { sender }, { chains, style: "subgraph" }),
        own.queryMerged(asked, AllStreams, {}, { chains: "mainnets" }),
        own.queryAll(asked, AllStreams, {}, { chains, limit: 5 }),
        own.queryPages(asked, AllStreams, {}, { chain: "base", size: 5, switchStyle: true }),
        own.queryPages(asked, AllStreams, {}, { chains, after: "{}" }),
        own.queryHealth(asked, "lockup", { chains }),
      ].map(({ queryKey }) => queryKey);
    });
    expect(browser).toEqual(server);
    expect(new Set(server?.map((key) => JSON.stringify(key))).size).toBe(8);
    for (const key of server?.slice(0, 7) ?? []) expect(key.at(-1)).toMatch(/^[\da-f]{8}$/);
    expect(JSON.stringify(server)).not.toContain("aB");
  });
});

describe("the client of pages behind a proxy", () => {
  it("has the functions of the other client, without those that map variables", () => {
    const functionsOf = (module: object) =>
      Object.entries(module).flatMap(([name, value]) => (typeof value === "function" ? [name] : []));
    const readers = functionsOf(direct).filter((name) => !functionsOf(page).includes(name));
    expect(functionsOf(page).filter((name) => !functionsOf(direct).includes(name))).toEqual([]);
    expect(readers.sort()).toEqual([
      ...["bigInt", "block", "blockNumber", "bytes", "chainId", "chainNumber", "decimal", "direction"],
      ...["filter", "flag", "id", "idWithBytes", "int", "mapFilter", "mapIdFilter", "mapIds", "mapOrder"],
      ...["mapVariables", "offset", "pattern", "readIds", "readNumbers", "readRest", "size", "text"],
      "textWithBytes",
    ]);
  });

  it("has the types of the other client, but no timeout", () => {
    // @ts-expect-error the URL of the proxy is missing
    const create = () => page.createClient({});
    expect(create).toBeTypeOf("function");
    const client = page.createClient({ proxy: "/api" });
    const ask = async () => {
      const { data, chain } = await page.run(
        client,
        proxiedLockup.StreamsBySender,
        { sender: "0x" },
        { chain: 8453 },
      );
      const same: Awaited<ReturnType<typeof askDirectly>> = { data, chain };
      // @ts-expect-error an option of the other client
      page.run(client, proxiedLockup.RecentStreams, {}, { chain: "base", timeout: 5 });
      // @ts-expect-error a misspelt variable
      page.run(client, proxiedLockup.StreamsBySender, { sendr: "0x" }, { chain: "base" });
      // @ts-expect-error an operation whose variables contain no chain
      page.run(client, proxiedLockup.RecentStreams, {});
      // @ts-expect-error an operation that cannot be paged
      page.pages(client, proxiedLockup.RecentStreams, {}, { chain: "base" });
      // @ts-expect-error a client without a proxy
      page.run(direct.createClient(), proxiedLockup.RecentStreams, {}, { chain: "base" });
      const decoded: page.Decoded<typeof proxiedLockup.StreamsBySender> =
        proxiedLockup.decodeStreamsBySender(data);
      const amount: bigint | undefined = decoded.streams[0]?.depositAmount;
      return { same, amount };
    };
    const askDirectly = async () => {
      const { data, chain } = await direct.run(
        direct.createClient(),
        lockup.StreamsBySender,
        { sender: "0x" },
        { chain: 8453 },
      );
      return { data, chain };
    };
    expect(ask).toBeTypeOf("function");
    expect(page.isServed(proxiedLockup.RecentStreams, 8453)).toBe(true);
    expect(page.isServed(proxiedLockup.RecentStreams, 5)).toBe(false);
  });

  it("is created by its own module", () => {
    const create = () => direct.createClient({ proxy: "/api" } as object);
    expect(create).toThrow("For proxy, import proxied.ts.");
  });
});
