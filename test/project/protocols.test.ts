import { describe, expect, it } from "vitest";
import { entitiesOf } from "../../emulator/dataset/entities/index.ts";
import { LockflowError } from "../../src/base/errors.ts";
import type { ProtocolDefinition } from "../../src/dialects/protocol.ts";
import type { Config } from "../../src/project/config.ts";
import { parseConfig } from "../../src/project/parse-config.ts";
import { resolveProject } from "../../src/project/project.ts";
import { BUILT_IN_PROTOCOLS } from "../../src/project/protocols.ts";

const AUCTIONS: ProtocolDefinition = { chains: ["ethereum", "base"], entities: "auctions.graphql" };

function project(config: unknown) {
  return resolveProject(parseConfig(config, "lockflow.config.json"), "/project");
}

function refusal(config: unknown): string {
  try {
    project(config);
  } catch (error) {
    if (error instanceof LockflowError) return `${error.sentence} ${error.hint ?? ""}`;
    throw error;
  }
  return "nothing";
}

describe("the protocols of a project", () => {
  it.each<[name: string, config: Config, keys: string[]]>([
    ["are the built-in protocols by default", {}, ["lockup", "flow"]],
    [
      "are those of a list, in the order of the built-in protocols",
      { protocols: ["flow", "lockup"] },
      ["lockup", "flow"],
    ],
    [
      "are built-in protocols first, then custom protocols sorted by key",
      { protocols: { zebra: {}, flow: true, auctions: AUCTIONS } },
      ["flow", "auctions", "zebra"],
    ],
    ["may be custom protocols only", { protocols: { auctions: AUCTIONS } }, ["auctions"]],
  ])("%s", (_, config, keys) => {
    expect(project(config).protocols).toEqual(keys);
  });

  it("have the values of their definition, and defaults for the rest", () => {
    const [plain, said] = project({
      protocols: {
        "a-b": {},
        c: {
          title: "C & Co",
          entities: { subgraph: "c.graphql" },
          rows: "c.json",
          styles: ["subgraph"],
          identity: { chain: "Counter.chainId" },
          cursors: { Bid: "serial" },
          times: ["Bid.paidAt", "*.timestamp"],
          amounts: { "lot.token.decimals": ["Bid.price"], "18": ["Bid.lots.rate"] },
          clock: { block: "Bid.block", time: "Bid.paidAt" },
        },
      },
    }).definitions;
    expect(plain).toEqual({
      key: "a-b",
      title: "A-b",
      styles: ["multichain", "subgraph"],
      chains: null,
      entities: {},
      rows: null,
      release: {},
      deployment: "{brand}-{protocol}-{suffix}",
      identity: { protocol: null, chain: null },
      chainPath: {},
      cursors: {},
      ids: {},
      times: [],
      amounts: [],
      clock: null,
      updatedBy: null,
    });
    expect(said).toMatchObject({
      title: "C & Co",
      entities: { subgraph: "c.graphql" },
      rows: "c.json",
      styles: ["subgraph"],
      identity: { protocol: null, chain: { entity: "Counter", field: "chainId" } },
      cursors: { Bid: "serial" },
      times: [
        { entity: "Bid", field: "paidAt" },
        { entity: "*", field: "timestamp" },
      ],
      amounts: [
        { path: ["Bid", "lots", "rate"], decimals: 18 },
        { path: ["Bid", "price"], decimals: ["lot", "token", "decimals"] },
      ],
      clock: { entity: "Bid", block: "block", time: "paidAt" },
    });
  });

  it.each(BUILT_IN_PROTOCOLS)("name existing fields of the entities: %s", (key) => {
    const resolve = (entity: string, [name = "", ...below]: readonly string[]): string => {
      const owner = entitiesOf(key, "subgraph").definitions.find((definition) => definition.name === entity);
      const field =
        owner?.kind === "entity" ? owner.fields.find((member) => member.name === name) : undefined;
      if (field === undefined) return `no ${entity}.${name}`;
      const type = field.type.replaceAll(/[[\]!]/g, "");
      return below.length === 0 ? type : resolve(type, below);
    };
    const definition = project({}).definitions.find((protocol) => protocol.key === key);
    const { amounts = [], clock, times = [] } = definition ?? {};
    const named = [
      ...amounts.flatMap(({ path: [entity = "", ...path], decimals }) => [
        resolve(entity, path),
        ...(typeof decimals === "number" ? [] : [resolve(entity, decimals)]),
      ]),
      ...[clock?.block, clock?.time].map((field) => resolve(clock?.entity ?? "", [field ?? ""])),
      ...times.flatMap(({ entity, field }) => (entity === "*" ? [] : [resolve(entity, [field])])),
    ];
    expect([...new Set(named)]).toEqual(["BigInt"]);
  });

  it("keep the built-in definition if only some chains are configured", () => {
    const [lockup] = project({ protocols: { lockup: { chains: ["base"] } } }).definitions;
    expect(lockup?.identity.chain).toEqual({ entity: "Watcher", field: "chainId" });
    expect(lockup?.chains).toEqual(["base"]);
  });

  it("have a deployment for each of their chains and styles, named by their template", () => {
    const { deployments, surfaces } = project({
      brand: "acme",
      protocols: {
        auctions: { ...AUCTIONS, deployment: "{protocol}-of-{suffix}.v2" },
        tickets: { ...AUCTIONS, styles: ["multichain"] },
      },
    });
    expect(surfaces.map(({ id }) => id)).toEqual([
      "auctions/multichain",
      "auctions/subgraph",
      "tickets/multichain",
    ]);
    expect(deployments.map(({ name, chains }) => [name, ...chains])).toEqual([
      ["acme-tickets-multichain", "base", "ethereum"],
      ["auctions-of-base.v2", "base"],
      ["auctions-of-mainnet.v2", "ethereum"],
      ["auctions-of-multichain.v2", "base", "ethereum"],
    ]);
  });
});

describe("only", () => {
  it("excludes chains and styles, and styles without any of the chains", () => {
    const { chains, surfaces, deployments } = project({
      only: { chains: ["base", "morph"], styles: ["subgraph"] },
    });
    expect(chains.map(({ key }) => key)).toEqual(["base", "morph"]);
    expect(surfaces.map(({ id }) => id)).toEqual(["lockup/subgraph", "flow/subgraph"]);
    // Morph has no subgraphs.
    expect(deployments.map(({ name }) => name)).toEqual(["protocol-flow-base", "protocol-lockup-base"]);
  });

  it("accepts chains by id and by other names, and excludes a protocol without any of them", () => {
    const byName = project({ only: { chains: [8453, "137", "mainnet", "BNB Smart Chain"] } });
    expect(byName.chains.map(({ key }) => key)).toEqual(["base", "bsc", "ethereum", "polygon"]);
    const protocols = { lockup: true, auctions: AUCTIONS };
    expect(project({ protocols, only: { chains: ["linea"] } }).protocols).toEqual(["lockup"]);
  });

  // A valid configuration stays valid with `only` added.
  const WHOLE = {
    follow: { lockup: "protocol-lockup-polygon", flow: "protocol-flow-base" },
    multichain: { url: "https://m.example/{id}", ids: { lockup: "a", flow: "b" } },
    subgraph: {
      production: { url: "https://g.example/{id}", ids: { lockup: { polygon: "P", base: "B" } } },
    },
    deployments: {
      "protocol-lockup-form": { production: { url: "https://form.example/x" } },
      "protocol-flow-base": { status: "retired", replacedBy: "protocol-flow-multichain" },
    },
    chains: { tangle: { status: "dormant" } },
  };

  it("accepts and ignores settings of excluded deployments", () => {
    const { deployments, follow } = project({ ...WHOLE, only: { chains: ["base"], styles: ["subgraph"] } });
    expect(deployments.map(({ name, replacedBy }) => [name, replacedBy])).toEqual([
      ["protocol-flow-base", "protocol-flow-multichain"],
      ["protocol-lockup-base", undefined],
    ]);
    expect(follow).toEqual({ flow: "protocol-flow-base" });
  });

  it("does not change the status of the remaining chains", () => {
    const chains = { ethereum: { status: "retired" } };
    const [flow] = project({ chains, only: { chains: ["base", "ethereum", "form"] } }).deployments.filter(
      ({ style }) => style === "multichain",
    );
    expect(flow).toMatchObject({ chains: ["base"], formerChains: ["ethereum"] });
  });
});

describe("a configuration of protocols is rejected", () => {
  const withProto = (json: string) => JSON.parse(json);

  it.each<[protocols: unknown, want: string]>([
    [{ subgraph: {} }, '"protocols.subgraph" is reserved: a folder or a style'],
    [{ schemas: {} }, '"protocols.schemas" is reserved'],
    [{ Auctions: {} }, '"protocols.Auctions" is not a protocol key'],
    [{ "1a": {} }, "start with a letter"],
    [{ ["a".repeat(101)]: {} }, "at most 100"],
    [withProto('{"__proto__":{}}'), '"protocols" must not have the key "__proto__"'],
    [{ ["lockup"]: true, __proto__: { auctions: {} } }, '"protocols" must be an object of protocols'],
    [{ a: [] }, '"protocols.a" must be an object, but is a list'],
    [{ a: new Map([["title", "A"]]) }, '"protocols.a" must be an object, but is an instance of a class'],
    [{ auctions: true }, '"protocols.auctions" must be a definition: only lockup and flow'],
    [
      ["auctions"],
      '"protocols.0" must be "lockup" or "flow", but is "auctions": to add a protocol, replace the list with an object',
    ],
    [{}, '"protocols" must not be empty'],
    [
      { a: { deployment: "x-{suffix}" }, b: { deployment: "x-{suffix}" } },
      'Two deployments have the name "x-',
    ],
  ])("%j: %s", (protocols, want) => {
    expect(refusal({ protocols })).toContain(want);
  });

  it.each<[definition: unknown, want: string]>([
    [withProto('{"ids":{"__proto__":"x"}}'), '"protocols.a.ids" must not have the key "__proto__"'],
    [{ entities: ["a.graphql"] }, '"protocols.a.entities" must be an object, but is a list'],
    [{ cursors: ["serial"] }, '"protocols.a.cursors" must be an object of entity names'],
    [{ title: "  " }, '"protocols.a.title" must be one line'],
    [{ title: "a\nb" }, "must be one line"],
    [
      { amounts: { "asset.decimals": ["price"] } },
      '.a.amounts.asset.decimals.0" must name a field of an entity',
    ],
    [{ amounts: { "asset-decimals": ["Bid.price"] } }, "must be a number of decimals or a path to them"],
    [
      { clock: { block: "Bid.block", time: "Lot.time" } },
      '"protocols.a.clock" must name two fields of one entity',
    ],
    [{ chain: ["base"] }, 'unknown key "protocols.a.chain". did you mean "chains"'],
    [
      { chains: ["bsae"] },
      '"protocols.a.chains.0" names "bsae", which is not a known chain. did you mean "base"',
    ],
    [{ chains: ["morph"], styles: ["subgraph"] }, "a would have no deployment"],
    [{ deployment: "{protocol}" }, "must contain {suffix}"],
    [{ deployment: "x-{brand}-{suffix}" }, "only at the start"],
    [{ identity: { chain: "chainId" } }, "must name a field of an entity"],
    [{ ids: { A: "auction" } }, "must have fields in braces"],
    [{ ids: { A: "{}" } }, "must have fields in braces"],
    [{ ids: { A: "{a}-{b" } }, "must have braces only around fields"],
    [{ ids: { A: "{contract}{tokenId}" } }, "must have text between two fields"],
  ])("in the definition %j: %s", (a, want) => {
    expect(refusal({ protocols: { a } })).toContain(want);
  });

  it.each<[config: unknown, want: string]>([
    [{ only: ["base"] }, '"only" must be an object, but is a list'],
    [{ only: { chains: ["base", "bsae"] } }, '"only.chains.1" names "bsae"'],
    [
      { only: { chains: ["form"], styles: ["multichain"] } },
      '"only" leaves no deployment of lockup and flow',
    ],
    [{ only: { chains: [123456789] } }, '"only.chains.0" names "123456789"'],
    [{ only: { chains: [8453.5] } }, '"only.chains.0" must be'],
    [{ only: { styles: ["a"] } }, '"only.styles.0" must be "multichain" or "subgraph"'],
    [
      { multichain: { url: "https://h.example/{id}", ids: { lokup: "x" } } },
      'unknown key "multichain.ids.lokup". did you mean "lockup"',
    ],
    [{ follow: { lokup: "x" } }, 'unknown key "follow.lokup". did you mean "lockup"'],
    // A configuration that `only` reduces is still checked as a whole.
    [
      { deployments: { "protocol-lockup-frm": {} }, only: { chains: ["base"] } },
      'did you mean "protocol-lockup-form"',
    ],
    [
      { follow: { lockup: "protocol-lockup-polygn" }, only: { chains: ["base"] } },
      'did you mean "protocol-lockup-polygon"',
    ],
  ])("%j: %s", (config, want) => {
    expect(refusal(config)).toContain(want);
  });
});
