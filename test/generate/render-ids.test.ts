import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { startProjectEmulator } from "../../emulator/server/start-project-emulator.ts";
import { styles } from "../../src/dialects/index.ts";
import { parseEntities } from "../../src/dialects/parse-entities.ts";
import { type IdSource, renderIds } from "../../src/generate/render-ids.ts";
import { loadProject } from "../../src/project/load-project.ts";
import { installClient } from "../support/built-client.ts";
import { IS_THOROUGH } from "../support/is-thorough.ts";
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
    const [files, other] = [LOT, { Seller: "{address}" }].map((first) =>
      renderIds(sourceOf({ ...first, Seller: "{address}", ...LOT }), [MODEL], IMPORTS),
    );
    expect(files).toEqual(other);
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

it("codecs match served ids", async () => {
  const identity = { chain: "Counter.network" };
  const auctions = { entities: "lots.graphql", chains: ["base"], styles: ["subgraph"], identity, ids: LOT };
  const project = tempProject({
    "package.json": '{ "type": "module" }',
    "lockflow.config.json": JSON.stringify({ protocols: { auctions } }),
    // A subgraph has one table name for both owners.
    "lots.graphql": ENTITIES.replace(/.* nftOwner .*\n/, ""),
    "ids.ts": renderIds(sourceOf(LOT), [MODEL], IMPORTS)?.content ?? "",
  });
  installClient(project.root);
  const { lotId } = await import(join(project.root, "ids.ts"));
  const emulator = await startProjectEmulator(await loadProject(project.root), { streams: 5 });
  onTestFinished(() => emulator.close());
  const body = JSON.stringify({ query: "{ lots { id contract chainId serial } }" });
  const response = await fetch(emulator.endpoints[0]?.url ?? "", { method: "POST", body });
  const { lots } = ((await response.json()) as { data: { lots: Lot[] } }).data;
  expect(lots.length).toBeGreaterThan(0);
  for (const { id, contract, chainId, serial } of lots) {
    expect(lotId.format({ contract: contract.toUpperCase().replace("X", "x"), chainId, serial })).toBe(id);
    expect(lotId.parse(id)).toEqual({ contract, chainId: Number(chainId), serial });
  }
});
