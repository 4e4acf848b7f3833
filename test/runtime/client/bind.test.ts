import { describe, expect, it } from "vitest";
import type { Client } from "../../../generated/client.ts";
import { isServed } from "../../../generated/client.ts";
import * as lockup from "../../../generated/lockup/portable.ts";
import { bind, run } from "../../../packages/client/src/calls/run.ts";
import { clientOf, withEmulator } from "./support.ts";

const emulator = withEmulator({ streams: 8 });

describe("bind", () => {
  it("returns a method for each operation of a module, which runs it", async () => {
    const client = clientOf({ env: emulator().env() }) as Client;
    const methods = bind(client, { ...lockup, streamFilter: { columns: {} } });
    expect(Object.keys(methods)).toContain("streamsBySender");
    expect(Object.keys(methods)).toHaveLength(11);
    const options = { chain: "base" } as const;
    expect(await methods.recentStreams({ first: 2 }, options)).toEqual(
      await run(client, lockup.RecentStreams, { first: 2 }, options),
    );
  });
});

describe("isServed", () => {
  it.each<[id: unknown, want: boolean]>([
    [8453, true],
    ["base", true],
    // Ronin is retired.
    [2020, false],
    [5, false],
    ["8453", false],
    ["constructor", false],
    [undefined, false],
    [null, false],
  ])("of %o is %o", (id, want) => {
    expect(isServed(lockup.RecentStreams, id)).toBe(want);
  });

  it("is false if no style has the operation on the chain", () => {
    const chains = ["base"];
    const not = { multichain: chains, subgraph: chains };
    expect(isServed({ ...lockup.RecentStreams, not }, "base")).toBe(false);
    expect(isServed({ ...lockup.RecentStreams, not: { multichain: chains } }, "base")).toBe(true);
  });
});
