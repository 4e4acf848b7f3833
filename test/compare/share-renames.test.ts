import { expect, it } from "vitest";
import { findDifferences } from "../../src/compare/find-differences.ts";
import { shareRenames } from "../../src/compare/share-renames.ts";
import { styles } from "../../src/dialects/index.ts";
import { STYLE_NAMES, type StyleName } from "../../src/dialects/surface.ts";
import { derive } from "./fixtures.ts";
import { edit, operationOf } from "./impact/fixtures.ts";

const STREAM =
  "type Stream @entity { id: ID! asset: Asset! amount: BigInt! opened: Boolean! sender: Bytes! }";
const ENTITIES = `type Asset @entity { id: ID! symbol: String! kind: String! } ${STREAM}`;

const OPERATIONS = {
  subgraph: "query Q { streams { sender } }",
  multichain: "query Q { Stream { sender } }",
} as const;

/** Compares both styles, each with its changes before and after. Returns the causes and the hints of each style. */
async function compare(
  protocols: Readonly<Record<StyleName, string>>,
  changes: Readonly<Record<StyleName, readonly [before: string, after: string]>>,
) {
  const surfaces = STYLE_NAMES.map((style) => ({ style, protocol: protocols[style] }));
  const compared = await shareRenames(surfaces, ({ style }, renames) => {
    const old = edit(ENTITIES, changes[style][0]);
    return findDifferences({
      before: derive(style, old),
      after: derive(style, edit(old, changes[style][1])),
      style: styles[style],
      where: null,
      operations: [operationOf(["q.graphql", OPERATIONS[style]])],
      locate: () => null,
      fix: null,
      exhaustiveEnums: false,
      renames,
    });
  });
  return compared.map(({ findings }) =>
    findings.map(({ code, coordinate, isOnlyPossible, fix }) =>
      [code, coordinate, isOnlyPossible ? "possible" : fix].join(" "),
    ),
  );
}

/** A comment that only one style has proves that its field was renamed. */
const DESCRIBED = 'sender: Bytes! → """Who pays.""" sender: Bytes!';
const RENAMED = "sender: Bytes! → senderAddress: Bytes!";
const BOTH = { multichain: "lockup", subgraph: "lockup" };

const POSSIBLE = "drift/field-renamed Stream.sender possible";
const CERTAIN = 'drift/field-renamed Stream.sender write "senderAddress" in place of "sender".';

it.each<[name: string, protocols: typeof BOTH, multichain: string, want: string[]]>([
  ["explains the same change in the other", BOTH, RENAMED, [CERTAIN]],
  ["does not explain another change of the field", BOTH, "sender: Bytes! → senderName: Bytes!", [POSSIBLE]],
  [
    "does not hide another type",
    BOTH,
    "sender: Bytes! → senderAddress: Int!",
    [
      'drift/field-removed Stream.sender remove "sender" from the selection, or select its replacement.',
      "drift/field-added Stream.senderAddress ",
    ],
  ],
  ["explains nothing in another protocol", { ...BOTH, multichain: "flow" }, RENAMED, [POSSIBLE]],
])("a rename that is certain in one style %s", async (_, protocols, multichain, want) => {
  const changes = { subgraph: [DESCRIBED, RENAMED], multichain: ["", multichain] } as const;
  expect(await compare(protocols, changes)).toEqual([want, [CERTAIN]]);
});

it("a renamed entity in one style explains one whose fields changed in the other", async () => {
  const changed = `${STREAM} → type LockupStream @entity { id: ID! sender: Bytes! }`;
  expect(
    await compare(BOTH, { subgraph: ["", "type Stream → type LockupStream"], multichain: ["", changed] }),
  ).toEqual([
    [
      "drift/field-removed LockupStream.amount ",
      "drift/field-removed LockupStream.asset ",
      "drift/field-removed LockupStream.opened ",
      'drift/type-renamed Stream write "LockupStream" in place of "Stream".',
    ],
    ['drift/type-renamed Stream write "lockupStreams" in place of "streams".'],
  ]);
});
