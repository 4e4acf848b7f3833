import { describe, expect, it } from "vitest";
import { findDifferences } from "../../src/compare/find-differences.ts";
import { shareRenames } from "../../src/compare/share-renames.ts";
import { canonicalize } from "../../src/dialects/canonicalize.ts";
import { styles } from "../../src/dialects/index.ts";
import { parseEntities } from "../../src/dialects/parse-entities.ts";
import type { StyleName } from "../../src/dialects/surface.ts";
import { type Edits, edit, operationOf } from "./impact/fixtures.ts";

const STREAM =
  "type Stream @entity { id: ID! asset: Asset! amount: BigInt! opened: Boolean! sender: Bytes! }";
const ENTITIES = `type Asset @entity { id: ID! symbol: String! kind: String! } ${STREAM}`;

const OPERATIONS = {
  subgraph: "query Q { streams { sender } }",
  multichain: "query Q { Stream { sender } }",
} as const;

function schemaOf(style: StyleName, entities: string) {
  return canonicalize(styles[style].deriver.derive(parseEntities(entities, "entities.graphql")));
}

/** Compares both styles, each with its edits before and after. Returns the causes and the hints of each style. */
async function compare(
  protocols: Readonly<Record<StyleName, string>>,
  edits: Readonly<Record<StyleName, readonly [before: Edits, after: Edits]>>,
) {
  const surfaces = (["multichain", "subgraph"] as const).map((style) => ({
    style,
    protocol: protocols[style],
  }));
  const compared = await shareRenames(surfaces, ({ style }, renames) => {
    const [before, after] = edits[style];
    const old = edit(ENTITIES, before);
    return findDifferences({
      before: schemaOf(style, old),
      after: schemaOf(style, edit(old, after)),
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
const DESCRIBED: Edits = [["sender: Bytes!", '"""Who pays."""\n sender: Bytes!']];
const RENAMED: Edits = [["sender: Bytes!", "senderAddress: Bytes!"]];
const BOTH = { multichain: "lockup", subgraph: "lockup" };

const POSSIBLE = "drift/field-renamed Stream.sender possible";
const CERTAIN = 'drift/field-renamed Stream.sender write "senderAddress" in place of "sender".';

describe("a rename that is certain in one style", () => {
  it.each<[name: string, protocols: typeof BOTH, edits: Parameters<typeof compare>[1], want: string[][]]>([
    [
      "explains the same change in the other",
      BOTH,
      { subgraph: [DESCRIBED, RENAMED], multichain: [[], RENAMED] },
      [[CERTAIN], [CERTAIN]],
    ],
    [
      "does not explain another change of the field",
      BOTH,
      { subgraph: [DESCRIBED, RENAMED], multichain: [[], [["sender: Bytes!", "senderName: Bytes!"]]] },
      [["drift/field-renamed Stream.sender possible"], [CERTAIN]],
    ],
    [
      "does not hide another type",
      BOTH,
      { subgraph: [DESCRIBED, RENAMED], multichain: [[], [["sender: Bytes!", "senderAddress: Int!"]]] },
      [
        [
          'drift/field-removed Stream.sender remove "sender" from the selection, or select its replacement.',
          "drift/field-added Stream.senderAddress ",
        ],
        [CERTAIN],
      ],
    ],
    [
      "explains nothing in another protocol",
      { ...BOTH, multichain: "flow" },
      { subgraph: [DESCRIBED, RENAMED], multichain: [[], RENAMED] },
      [[POSSIBLE], [CERTAIN]],
    ],
    [
      "explains an entity whose fields changed in the other",
      BOTH,
      {
        subgraph: [[], [["type Stream", "type LockupStream"]]],
        multichain: [
          [],
          [
            [
              "type Stream @entity { id: ID! asset: Asset! amount: BigInt! opened: Boolean! ",
              "type LockupStream @entity { id: ID! ",
            ],
          ],
        ],
      },
      [
        [
          "drift/field-removed LockupStream.amount ",
          "drift/field-removed LockupStream.asset ",
          "drift/field-removed LockupStream.opened ",
          'drift/type-renamed Stream write "LockupStream" in place of "Stream".',
        ],
        ['drift/type-renamed Stream write "lockupStreams" in place of "streams".'],
      ],
    ],
  ])("%s", async (_, protocols, edits, want) => {
    expect(await compare(protocols, edits)).toEqual(want);
  });
});
