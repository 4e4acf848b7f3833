import { describe, expect, it } from "vitest";
import type { Fault } from "../../../emulator/faults/fault.ts";
import { STYLE_NAMES, type StyleName } from "../../../src/dialects/surface.ts";
import { emulate, post } from "../support.ts";

const ENTITIES = "type Box @entity { id: ID! size: BigInt! }";
const ROWS = { Box: [{ id: "a", size: "12" }] };

const QUERIES: Readonly<Record<StyleName, (fields: string) => string>> = {
  multichain: (fields) => `{ boxes: Box { ${fields} } }`,
  subgraph: (fields) => `{ boxes { ${fields} } }`,
};

describe("a custom indexer", () => {
  describe.each(STYLE_NAMES)("of the %s style", (style) => {
    const options = { indexers: [{ style, entities: ENTITIES, rows: ROWS, name: "mine" }] };

    it.each<[fault: Fault, fields: string, boxes: unknown]>([
      [{ kind: "rename-field", field: "Box.size", to: "room" }, "id room", [{ id: "a", room: "12" }]],
      [{ kind: "retype-field", field: "Box.size", type: "Int!" }, "size", [{ size: 12 }]],
    ])("can have %j", async (fault, fields, boxes) => {
      const emulator = await emulate({ ...options, faults: [{ ...fault, deployment: "mine" }] });
      const response = await post(emulator.endpoints[0]?.url ?? "", { query: QUERIES[style](fields) });
      expect(await response.json()).toEqual({ data: { boxes } });
    });

    it.each<Fault>([
      { kind: "wrong-chain", chain: "base" },
      { kind: "wrong-protocol" },
      { kind: "missing-chain", chain: "ethereum" },
    ])("error: %j", async (fault) => {
      const started = emulate({ ...options, faults: [fault] });
      await expect(started).rejects.toMatchObject({ code: "EMULATOR_INVALID_FAULT" });
    });
  });

  it("error: a release that cannot serve its entities", async () => {
    const entities = "type Box @entity { id: BigInt! }";
    const options = { indexers: [{ style: "multichain" as const, entities, release: "envio-3.8" }] };
    const release = { kind: "release", release: "envio-2.27" } as const;
    await expect(emulate({ ...options, faults: [release] })).rejects.toMatchObject({
      code: "EMULATOR_INVALID_FAULT",
      message: expect.stringMatching(/A release cannot serve these entities: .*Box\.id: has to be ID!/),
    });
    // The fault still applies to deployments that can run on the release.
    const emulator = await emulate({
      ...options,
      deployments: ["protocol-flow-multichain"],
      faults: [release],
    });
    const asked = emulator.endpoints.map(({ url }) => post(url, { query: "{ __typename }" }));
    expect((await Promise.all(asked)).map(({ status }) => status)).toEqual([200, 200]);
  });

  it("runs on other releases", async () => {
    const emulator = await emulate({
      indexers: [{ style: "subgraph", entities: ENTITIES, rows: ROWS }],
      faults: [{ kind: "flapping", first: "graph-node-0.44", second: "graph-node-0.38" }],
    });
    const ask = async () => {
      const query = '{ boxes { id } __type(name: "LogLevel") { name } }';
      return (await post(emulator.endpoints[0]?.url ?? "", { query })).json();
    };
    expect(await ask()).toEqual({ data: { boxes: [{ id: "a" }], __type: { name: "LogLevel" } } });
    expect(await ask()).toEqual({ data: { boxes: [{ id: "a" }], __type: null } });
  });
});
