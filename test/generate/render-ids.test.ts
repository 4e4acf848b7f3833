import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { startProjectEmulator } from "../../emulator/server/start-project-emulator.ts";
import { styles } from "../../src/dialects/index.ts";
import { parseEntities } from "../../src/dialects/parse-entities.ts";
import { type IdSource, renderIds } from "../../src/generate/render-ids.ts";
import { loadProject } from "../../src/project/load-project.ts";
import { installClient } from "../support/built-client.ts";
import { IS_THOROUGH } from "../support/is-thorough.ts";
import { run } from "../support/run.ts";
import { tempProject } from "../support/temp-project.ts";
import { STRICT_FILES, typeErrors } from "../support/type-errors.ts";

const ENTITIES = `
  """Ends a comment: */ and a \`template\` \${literal}."""
  type Lot @entity {
    id: ID! "Where it is sold. */" contract: Bytes! chainId: BigInt! market: Int! serial: BigInt! price: BigDecimal! name: String!
    seller: Seller!
  }
  type Seller @entity { id: ID! address: Bytes! }
  type NFTOwner @entity { id: ID! chainId: BigInt! address: Bytes! }
  type nftOwner @entity { id: ID! chainId: BigInt! }
  type Counter @entity { id: ID! network: BigInt! }
`;

const MODEL = parseEntities(ENTITIES, "entities.graphql");
const IN_MULTICHAIN = styles.multichain.schemas.read(styles.multichain.deriver.derive(MODEL));
const IN_SUBGRAPH = styles.subgraph.schemas.read(styles.subgraph.deriver.derive(MODEL));

function sourceOf(ids: Readonly<Record<string, string>>): IdSource {
  return {
    key: "auctions",
    identity: { protocol: null, chain: { entity: "Counter", field: "network" } },
    ids,
  };
}

const IMPORTS = { importExtension: ".js", runtime: "package" } as const;

const LOT = { Lot: "{contract}-{chainId}-{serial}" };

describe("the ids of a protocol", () => {
  it.each([
    ["subgraph", [IN_SUBGRAPH]],
    ["multichain first", [IN_MULTICHAIN, IN_SUBGRAPH]],
    ["the entity SDL", [IN_MULTICHAIN, MODEL]],
  ])("have parts of the types of the most precise style: %s", (_, models) => {
    const text = renderIds(sourceOf(LOT), models, IMPORTS)?.content;
    expect(text).toContain("export type LotId = `0x${string}-${number}-${bigint}`;");
    expect(text).toContain('[["contract", "bytes"], "-", ["chainId", "chain"], "-", ["serial", "number"]]');
  });

  it("have text for bytes if only the multichain style is known", () => {
    const text = renderIds(sourceOf(LOT), [IN_MULTICHAIN], IMPORTS)?.content;
    expect(text).toContain("export type LotId = `${string}-${number}-${bigint}`;");
  });

  it.each<[name: string, ids: Readonly<Record<string, string>>, want: string]>([
    [
      "an Int, decimals and text",
      { Lot: "{market}/{price}/{name}" },
      "export type LotId = `${bigint}/${string}/${string}`;",
    ],
    [
      "the chain field of the identity",
      { Counter: "{network}" },
      'createIdCodec("Counter", [["network", "chain"]])',
    ],
    ["an id of text", { Seller: "{id}" }, 'createIdCodec("Seller", [["id", "text"]])'],
    [
      "an entity name with an acronym",
      { NFTOwner: "{address}" },
      "export const nftOwnerId: IdCodec<NftOwnerId,",
    ],
    [
      "text that closes a template, a string and a comment",
      { Lot: '`$"\\*/@x ${serial}' },
      'export type LotId = `\\`\\$"\\\\*/@x \\$${bigint}`;',
    ],
  ])("have %s", (_, ids, want) => {
    expect(renderIds(sourceOf(ids), [IN_SUBGRAPH], IMPORTS)?.content).toContain(want);
  });

  it("are not generated without known entities and templates", () => {
    expect(renderIds(sourceOf({}), [MODEL], IMPORTS)).toBeNull();
    expect(renderIds(sourceOf({ Moon: "{id}", Lot: "{contract}-{moon}" }), [MODEL], IMPORTS)).toBeNull();
    expect(renderIds(sourceOf(LOT), [], IMPORTS)).toBeNull();
  });

  it("do not depend on the order of the definition", () => {
    const [one, other] = [LOT, { Seller: "{address}" }].map((first) =>
      renderIds(sourceOf({ ...first, Seller: "{address}", ...LOT }), [MODEL], IMPORTS),
    );
    expect(one).toEqual(other);
  });

  it("compile with strict options, each module alone, with unique names", async () => {
    const ids = {
      ...LOT,
      Seller: '`$"\\*/{address}@x',
      NFTOwner: "{chainId}{address}",
      nftOwner: "{chainId}\n\u2028{chainId}",
    };
    const text = renderIds(sourceOf(ids), [MODEL], IMPORTS)?.content ?? "";
    const project = tempProject({
      "package.json": '{ "type": "module" }',
      "ids.ts": text,
      "use.ts": `
        import { type LotId, type LotIdParts, lotId, nftOwnerId, nftOwnerId_, sellerId } from "./ids.js";
        const id: LotId = lotId.format({ contract: "0xAB", chainId: "8453", serial: 1n });
        const { contract, chainId, serial }: LotIdParts = lotId.parse("anything");
        const parts: [\`0x\${string}\`, number, string] = [contract, chainId, serial];
        lotId.format({ contract, chainId, serial });
        export const written: LotId[] = ["0xab-1-2", id, \`\${contract}-\${chainId}-\${1n}\`];
        export const others: string[] = [sellerId.format({ address: contract }), nftOwnerId.format({ chainId, address: contract }), nftOwnerId_.format({ chainId }), ...written];
        // @ts-expect-error no bytes
        export const wrong: LotId = "ab-1-2";
        // @ts-expect-error a part too few
        export const short: LotId = "0xab-1";
        // @ts-expect-error a part is missing
        lotId.format({ contract, chainId });
        // @ts-expect-error a part too many
        lotId.format({ contract, chainId, serial, moon: 1 });
        // @ts-expect-error a number for bytes
        lotId.format({ contract: 1, chainId, serial });
        // @ts-expect-error no text
        lotId.parse(1);
        export default parts;
      `,
    });
    installClient(project.root);
    if (IS_THOROUGH) {
      const args = [...STRICT_FILES, "--declaration", "--outDir", "out"];
      expect(await typeErrors(project.root, { args: [...args, "--isolatedDeclarations", "ids.ts"] })).toBe(
        "",
      );
      expect(await typeErrors(project.root, { args: [...args, "use.ts"] })).toBe("");
    }
    const { nftOwnerId_ } = await import(join(project.root, "ids.ts"));
    expect(nftOwnerId_.parse("8\n\u20288")).toEqual({ chainId: 8 });
  });
});

type Lot = { readonly [Name in "id" | "contract" | "chainId" | "serial"]: string };

describe("generate", () => {
  const SDL = `
    type Counter @entity { id: ID! chainId: BigInt! }
    type Lot @entity { id: ID! contract: Bytes! chainId: BigInt! serial: BigInt! open: Boolean! }
  `;
  const configOf = (ids: object) =>
    JSON.stringify({
      protocols: {
        "my-class": {
          entities: "lots.graphql",
          chains: ["base", "ethereum"],
          identity: { chain: "Counter.chainId" },
          ...ids,
        },
      },
    });

  it("writes codecs that match served ids, and removes them if the definition has no ids", async () => {
    const project = tempProject({
      "package.json": '{ "type": "module" }',
      "lockflow.config.json": configOf({ ids: LOT }),
      "lots.graphql": SDL,
    });
    installClient(project.root);
    expect(await run(project.root, ["init", "--yes"])).toMatchObject({ code: 0, err: "" });
    expect(await run(project.root, ["generate"])).toMatchObject({ code: 0, err: "" });
    const { lotId } = await import(join(project.root, "generated/my-class/ids.ts"));
    const emulator = await startProjectEmulator(await loadProject(project.root), { streams: 5 });
    onTestFinished(() => emulator.close());
    const { endpoint } = await import(join(project.root, "generated/manifest.ts"));
    const request = { protocol: "my-class", style: "subgraph", chain: 8453, environment: "testing" };
    const { url, method, headers } = endpoint(request, emulator.env());
    const response = await fetch(url, {
      method,
      headers,
      body: JSON.stringify({ query: "{ lots { id contract chainId serial } }" }),
    });
    const { lots } = ((await response.json()) as { data: { lots: Lot[] } }).data;
    expect(lots.length).toBeGreaterThan(0);
    for (const { id, contract, chainId, serial } of lots) {
      expect(lotId.format({ contract: contract.toUpperCase().replace("X", "x"), chainId, serial })).toBe(id);
      expect(lotId.parse(id)).toEqual({ contract, chainId: Number(chainId), serial });
    }
    project.write("lockflow.config.json", configOf({}));
    expect((await run(project.root, ["check"])).out).toMatch(/my-class\/ids\.ts/);
    expect(await run(project.root, ["generate"])).toMatchObject({ code: 0, err: "" });
    expect(Object.keys(project.files("generated/my-class"))).not.toContain("ids.ts");
  });
});
