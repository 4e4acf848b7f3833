import fc from "fast-check";
import { parse, validate } from "graphql";
import { describe, expect, it } from "vitest";
import type { ApiSchema } from "../../../src/dialects/api-schema.ts";
import { styles } from "../../../src/dialects/index.ts";
import { parseEntities } from "../../../src/dialects/parse-entities.ts";
import { STYLE_NAMES, type StyleName } from "../../../src/dialects/surface.ts";
import { toGraphqlSchema } from "../../../src/dialects/to-graphql-schema.ts";
import { resolveProtocols } from "../../../src/project/protocols.ts";
import { chooseRowList } from "../../../src/tasks/init/choose-row-list.ts";
import { randomSchemas } from "../../emulator/agreement/random-schemas.ts";
import { ODD_MULTICHAIN, ODD_SUBGRAPH } from "../../emulator/dataset/seeded/odd-schema.ts";
import { runs } from "../../support/runs.ts";

const ENTITIES = `
  enum Phase { Open Closed }
  type House @entity { id: ID! chainId: Int! a: Int! b: Int! c: Int! d: Int! lots: [Lot!]! @derivedFrom(field: "house") }
  type Lot @entity { id: ID! serial: BigInt! house: House! phase: Phase! tags: [String!]! timestamp: BigInt! }
`;

function schemasOf(texts: Partial<Record<StyleName, string>>): ReadonlyMap<StyleName, ApiSchema> {
  return new Map(
    STYLE_NAMES.toReversed().flatMap((style) => {
      const text = texts[style];
      const { deriver, platform } = styles[style];
      return text === undefined
        ? []
        : [
            [
              style,
              deriver.derive(parseEntities(text, "e.graphql", platform.readBlockString), {
                release: platform.releases.at(-1),
              }),
            ] as const,
          ];
    }),
  );
}

function subject(definition: object) {
  const [resolved] = resolveProtocols({ protocols: { own: definition } });
  if (resolved === undefined) throw new Error("no protocol");
  return resolved;
}

const BOTH = { multichain: ENTITIES, subgraph: ENTITIES };

describe("the first operation of a protocol lists", () => {
  it.each<[what: string, texts: Partial<Record<StyleName, string>>, definition: object, want: object | null]>(
    [
      [
        "what has a cursor, by it",
        BOTH,
        { cursors: { Lot: "serial" } },
        { name: "Lots", entity: "Lot", order: "serial" },
      ],
      [
        "what it is recognised by, by its time",
        BOTH,
        { identity: { protocol: "Lot.phase" } },
        { entity: "Lot", order: "timestamp" },
      ],
      [
        "what has most fields, by its id",
        BOTH,
        {},
        { name: "Houses", rows: "houses", order: "id", comment: "The houses with the highest id." },
      ],
      [
        "fields without lists, and references by their ids",
        BOTH,
        { cursors: { Lot: "serial" } },
        { fields: ["id", "serial", "phase", "timestamp", { reference: "house", fields: ["id"] }] },
      ],
      [
        "by its own name where there is no subgraph",
        { multichain: ENTITIES },
        {},
        { name: "HouseList", rows: "House" },
      ],
      [
        "what both styles have",
        { subgraph: ENTITIES, multichain: "type Lot @entity { id: ID! serial: BigInt! phase: Int! }" },
        {},
        { entity: "Lot", fields: ["id", "serial", "phase"] },
      ],
      [
        "nothing where the styles have nothing in common",
        { subgraph: ENTITIES, multichain: "type A @entity { id: ID! }" },
        {},
        null,
      ],
      ["nothing without a schema", {}, {}, null],
    ],
  )("%s", (_, texts, definition, want) => {
    const list = chooseRowList(schemasOf(texts), subject(definition));
    if (want === null) expect(list).toBeNull();
    else expect(list).toMatchObject(want);
  });

  it("what is valid in both styles, of any entities", () => {
    const requireValid = (multichain: string, subgraph: string, definition: object = {}) => {
      const schemas = schemasOf({ multichain, subgraph });
      const list = chooseRowList(schemas, subject(definition));
      expect(list).not.toBeNull();
      for (const [style, schema] of list ? schemas : []) {
        const errors =
          list && validate(toGraphqlSchema(schema), parse(styles[style].portable.writeRowList(list)));
        expect(errors, style).toEqual([]);
      }
    };
    requireValid(ODD_MULTICHAIN, ODD_SUBGRAPH);
    for (const field of ["serial", "opened", "phase", "isOpen", "tags", "owner", "contract"]) {
      requireValid(ODD_MULTICHAIN, ODD_SUBGRAPH, { cursors: { Auction: field } });
    }
    fc.assert(
      fc.property(randomSchemas, (text) => requireValid(text.replaceAll("id: Bytes!", "id: ID!"), text)),
      { numRuns: runs(40) },
    );
  });
});
