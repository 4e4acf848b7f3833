import { describe, expect, it } from "vitest";
import { describeMergers, type ServedEntities } from "../../src/compare/describe-mergers.ts";
import type { EntityModel } from "../../src/dialects/entity-model.ts";
import { styles } from "../../src/dialects/index.ts";
import { parseEntities } from "../../src/dialects/parse-entities.ts";
import type { Protocol } from "../../src/dialects/surface.ts";
import { resolveProtocols } from "../../src/project/protocols.ts";
import { apiOf, mergedModel, oldApi, renamedModel } from "../support/merged-indexer.ts";

const read = (api: ReturnType<typeof oldApi>, style: "multichain" | "subgraph") =>
  styles[style].schemas.read(api);

describe.each(["multichain", "subgraph"] as const)("describeMergers: %s", (style) => {
  const merged = read(apiOf(style, mergedModel(style)), style);
  const built: Readonly<Record<Protocol, EntityModel>> = {
    lockup: read(oldApi("lockup", style), style),
    flow: read(oldApi("flow", style), style),
  };
  const both = ["lockup", "flow"].map(
    (protocol): ServedEntities => ({ protocol, style, model: merged, protocols: ["lockup", "flow"] }),
  );
  const describeWith = (
    served: readonly ServedEntities[],
    known: Readonly<Record<Protocol, EntityModel>>,
    config = {},
  ) => describeMergers(served, ({ protocol }) => known[protocol] ?? null, resolveProtocols(config));

  it("has the definition and the commands for both built-in protocols, once", () => {
    expect(describeWith(both, built)).toEqual([
      'One indexer serves lockup and flow now. Add it to "protocols", such as merged: defineProtocol({ identity: { protocol: "Asset.flowStreams", chain: "Watcher.chainId" } }), introspect it, and move the operations: `lockflow adapt --protocol lockup --to merged` and `lockflow adapt --protocol flow --to merged --prefix Flow`.',
    ]);
  });

  it("recognizes built-in protocols by their fields without a snapshot", () => {
    expect(describeWith(both, {})).toEqual([
      expect.stringContaining("One indexer serves lockup and flow now."),
    ]);
  });

  it("moves only the configured protocol", () => {
    expect(describeWith(both.slice(0, 1), {}, { protocols: ["lockup"] })).toEqual([
      expect.stringMatching(/move the operations: `lockflow adapt --protocol lockup --to merged`\.$/),
    ]);
  });

  it.each<[string, EntityModel, Protocol[]]>([
    ["an unchanged protocol", built["lockup"] as EntityModel, ["lockup"]],
    ["a protocol with new names", read(apiOf(style, renamedModel("Lockup", style)), style), ["lockup"]],
  ])("has nothing to say about %s", (_, model, protocols) => {
    expect(describeWith([{ protocol: "lockup", style, model, protocols }], built)).toEqual([]);
  });

  it("recognizes protocols without an identifying field by their entities", () => {
    const own = {
      protocols: {
        vesting: { chains: ["base"], styles: [style] },
        paying: { chains: ["ethereum"], styles: [style] },
      },
    };
    const known = { vesting: built["lockup"] as EntityModel, paying: built["flow"] as EntityModel };
    const served = [{ protocol: "vesting", style, model: merged, protocols: [] }];
    expect(describeWith(served, known, own)).toEqual([
      expect.stringContaining(
        `merged: defineProtocol({ styles: ["${style}"], chains: ["base", "ethereum"], identity: { protocol: "Asset.flowStreams" } })`,
      ),
    ]);
    const alike = parseEntities("type Pool @entity { id: ID! a: Int b: Int c: Int }", "pool");
    const renamed = parseEntities("type UniPool @entity { id: ID! a: Int b: Int c: Int }", "pool");
    // Two protocols with the same entities: the same new names are one family.
    expect(
      describeWith(
        [{ protocol: "vesting", style, model: renamed, protocols: [] }],
        { vesting: alike, paying: alike },
        own,
      ),
    ).toEqual([]);
  });
});
