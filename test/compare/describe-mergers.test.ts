import { describe, expect, it } from "vitest";
import { describeMergers, type ServedEntities } from "../../src/compare/describe-mergers.ts";
import type { EntityModel } from "../../src/dialects/entity-model.ts";
import { styles } from "../../src/dialects/index.ts";
import { parseEntities } from "../../src/dialects/parse-entities.ts";
import { type Protocol, STYLE_NAMES } from "../../src/dialects/surface.ts";
import type { Config } from "../../src/project/config.ts";
import { resolveProtocols } from "../../src/project/protocols.ts";
import { apiOf, mergedModel, oldApi, renamedModel } from "../support/merged-indexer.ts";

const read = (api: ReturnType<typeof oldApi>, style: "multichain" | "subgraph") =>
  styles[style].schemas.read(api);

describe.each(STYLE_NAMES)("describeMergers: %s", (style) => {
  const merged = read(apiOf(style, mergedModel(style)), style);
  const lockup = read(oldApi("lockup", style), style);
  const flow = read(oldApi("flow", style), style);
  const serve = (protocol: Protocol, model: EntityModel, protocols: readonly Protocol[]): ServedEntities => ({
    protocol,
    style,
    model,
    protocols,
  });
  const both = ["lockup", "flow"].map((protocol) => serve(protocol, merged, ["lockup", "flow"]));
  const describeWith = (
    served: readonly ServedEntities[],
    known: Readonly<Record<Protocol, EntityModel>>,
    config: Config = {},
  ) => describeMergers(served, ({ protocol }) => known[protocol] ?? null, resolveProtocols(config));

  it("has the definition and the commands for both built-in protocols, once", () => {
    expect(describeWith(both, { lockup, flow })).toEqual([
      'One indexer serves lockup and flow now. Add it to "protocols", such as merged: defineProtocol({ identity: { protocol: "Asset.flowStreams", chain: "Watcher.chainId" } }), introspect it, and move the operations: `lockflow adapt --protocol lockup --to merged` and `lockflow adapt --protocol flow --to merged --prefix Flow`.',
    ]);
  });

  it("recognizes built-in protocols by their fields without a snapshot, and moves only configured ones", () => {
    const [description] = describeWith(both.slice(0, 1), {}, { protocols: ["lockup"] });
    expect(description).toMatch(/^One indexer serves lockup and flow now\./);
    expect(description).toMatch(/move the operations: `lockflow adapt --protocol lockup --to merged`\.$/);
  });

  it.each([
    ["an unchanged protocol", lockup],
    ["a protocol with new names", read(apiOf(style, renamedModel("Lockup", style)), style)],
  ])("has nothing to say about %s", (_, model) => {
    expect(describeWith([serve("lockup", model, ["lockup"])], { lockup, flow })).toEqual([]);
  });

  it("recognizes protocols without an identifying field by their entities", () => {
    const own = {
      protocols: {
        vesting: { chains: ["base"], styles: [style] },
        paying: { chains: ["ethereum"], styles: [style] },
      },
    };
    const known = { vesting: lockup, paying: flow };
    expect(describeWith([serve("vesting", merged, [])], known, own)).toEqual([
      expect.stringContaining(
        `merged: defineProtocol({ styles: ["${style}"], chains: ["base", "ethereum"], identity: { protocol: "Asset.flowStreams" } })`,
      ),
    ]);
    const alike = parseEntities("type Pool @entity { id: ID! a: Int b: Int c: Int }", "pool");
    const renamed = parseEntities("type UniPool @entity { id: ID! a: Int b: Int c: Int }", "pool");
    // Two protocols with the same entities: the same new names are one family.
    const sameKnown = { vesting: alike, paying: alike };
    expect(describeWith([serve("vesting", renamed, [])], sameKnown, own)).toEqual([]);
  });
});
