import { parse } from "graphql";
import { describe, expect, it } from "vitest";
import { diffSchemas, type RootCause } from "../../src/compare/diff-schemas.ts";
import { findDifferences } from "../../src/compare/find-differences.ts";
import type { ApiSchema } from "../../src/dialects/api-schema.ts";
import { canonicalize } from "../../src/dialects/canonicalize.ts";
import { styles } from "../../src/dialects/index.ts";
import { parseEntities } from "../../src/dialects/parse-entities.ts";
import type { StyleName } from "../../src/dialects/surface.ts";

const OLD = `
  type Asset @entity { id: ID! symbol: String! streams: [Stream!]! @derivedFrom(field: "asset") }
  type Stream @entity { id: ID! asset: Asset! amount: BigInt! note: String }
  type Gone @entity { id: ID! asset: Asset! size: BigInt! }`;
const NEW = OLD.replace("note: String", "note: String fee: BigInt!").replace(
  "type Gone @entity { id: ID! asset: Asset! size: BigInt! }",
  "type Fresh @entity { id: ID! stream: Stream! text: String! day: Int! }",
);

/** Releases that offer subscriptions. */
const RELEASES = { multichain: "2.27", subgraph: "0.34" } as const;

type Roots = readonly [query: string, subscription: string | null];

const OWN = { multichain: ["query_root", "subscription_root"], subgraph: ["Query", "Subscription"] } as const;
const OTHER = {
  multichain: ["Query", "Subscription"],
  subgraph: ["query_root", "subscription_root"],
} as const;

/** The API schema of a model, with the given names of its roots; null for no subscriptions. */
function schemaOf(style: StyleName, entities: string, [query, subscription]: Roots): ApiSchema {
  const model = parseEntities(entities, "entities.graphql");
  const schema = canonicalize(styles[style].deriver.derive(model, { release: RELEASES[style] }));
  const names = new Map<string, string | null>([
    [OWN[style][0], query],
    [OWN[style][1], subscription],
  ]);
  return canonicalize({
    ...schema,
    queryType: query,
    subscriptionType: subscription,
    types: schema.types.flatMap((type) => {
      const name = names.get(type.name);
      return name === null ? [] : [name === undefined ? type : { ...type, name }];
    }),
  });
}

const diff = (style: StyleName, before: ApiSchema, after: ApiSchema) =>
  diffSchemas({ before, after }, styles[style], { exhaustiveEnums: false }).causes;

const show = ({ severity, change }: RootCause) =>
  `${severity} ${change.kind} ${change.coordinate}: ${change.before} → ${change.after}`;

describe("an API without subscriptions, which hides the cursors of streams", () => {
  const [query] = OWN.multichain;
  /** Without subscriptions, the API does not show the cursors of their streams. */
  const shown = (entities: string, subscriptions: boolean) => {
    if (subscriptions) return schemaOf("multichain", entities, OWN.multichain);
    const schema = schemaOf("multichain", entities, [query, null]);
    const types = schema.types.filter(({ name }) => !/_stream_cursor_|^cursor_ordering$/.test(name));
    return { ...schema, types };
  };
  const causes = (before: ApiSchema, after: ApiSchema) => diff("multichain", before, after).map(show);
  const entities = causes(shown(OLD, true), shown(NEW, true));

  it("does not report missing cursors of an added entity", () => {
    expect(causes(shown(OLD, false), shown(NEW, false))).toEqual(entities);
  });

  it("counts cursors as part of subscriptions that are added or removed", () => {
    const [gone, come] = [
      "breaking platform-feature-removed subscriptions: subscriptions → null",
      "additive platform-feature-added subscriptions: null → subscriptions",
    ];
    expect(causes(shown(OLD, true), shown(OLD, false))).toEqual([gone]);
    expect(causes(shown(OLD, false), shown(OLD, true))).toEqual([come]);
    expect(causes(shown(OLD, true), shown(NEW, false))).toEqual([...entities, gone]);
    expect(causes(shown(OLD, false), shown(NEW, true))).toEqual([...entities, come]);
  });
});

describe.each(["multichain", "subgraph"] as const)("roots are compared by their role: %s", (style) => {
  const [query, subscription] = OWN[style];
  const [otherQuery, otherSubscription] = OTHER[style];
  const feature = style === "multichain" ? "subscriptions" : "Subscription";
  const entities = [
    "additive field-added Stream.fee",
    "additive type-added Fresh: null → type",
    "breaking type-removed Gone: type → null",
  ];

  it.each<[name: string, before: Roots, after: Roots, roots: string[]]>([
    ["both have the platform's names", OWN[style], OWN[style], []],
    ["both have other names", OTHER[style], OTHER[style], []],
    [
      "both get the platform's names",
      OTHER[style],
      OWN[style],
      [
        `cosmetic root-renamed query: ${otherQuery} → ${query}`,
        `cosmetic root-renamed subscription: ${otherSubscription} → ${subscription}`,
      ],
    ],
    [
      "both lose the platform's names",
      OWN[style],
      OTHER[style],
      [
        `cosmetic root-renamed query: ${query} → ${otherQuery}`,
        `cosmetic root-renamed subscription: ${subscription} → ${otherSubscription}`,
      ],
    ],
    ["neither has subscriptions", [query, null], [query, null], []],
    ["neither has subscriptions, under other names", [otherQuery, null], [otherQuery, null], []],
    [
      "subscriptions are removed",
      OWN[style],
      [query, null],
      [`breaking platform-feature-removed ${feature}: ${feature} → null`],
    ],
    [
      "subscriptions are added",
      [query, null],
      OWN[style],
      [`additive platform-feature-added ${feature}: null → ${feature}`],
    ],
    [
      "subscriptions are added under another name",
      [otherQuery, null],
      OTHER[style],
      [`additive platform-feature-added ${feature}: null → ${feature}`],
    ],
    [
      "subscriptions are removed and the query root is renamed",
      OWN[style],
      [otherQuery, null],
      [
        `breaking platform-feature-removed ${feature}: ${feature} → null`,
        `cosmetic root-renamed query: ${query} → ${otherQuery}`,
      ],
    ],
  ])("%s", (_, from, to, roots) => {
    for (const [a, b, more] of [
      [OLD, OLD, []],
      [OLD, NEW, entities],
    ] as const) {
      const causes = diff(style, schemaOf(style, a, from), schemaOf(style, b, to));
      const found = causes.map(show).map((line) => line.replace(/(Stream\.fee).*/, "$1"));
      expect(found.sort()).toEqual([...roots, ...more].sort());
    }
  });

  it("derived changes at the roots are counted whatever the names of the roots", () => {
    const counts = (roots: Roots) =>
      diff(style, schemaOf(style, OLD, roots), schemaOf(style, NEW, roots)).map((each) => each.derived);
    expect(counts(OTHER[style])).toEqual(counts(OWN[style]));
  });

  it("a renamed root hits operations that name its type; a removed root hits its operations", () => {
    const field = style === "multichain" ? "Asset" : "assets";
    const find = (to: Roots) =>
      findDifferences({
        before: schemaOf(style, OLD, OWN[style]),
        after: schemaOf(style, OLD, to),
        style: styles[style],
        where: null,
        operations: [
          { name: "Plain", document: parse(`query Plain { ${field} { id } }`) },
          { name: "Typed", document: parse(`query Typed { ...on ${query} { ${field} { id } } }`) },
          { name: "Live", document: parse(`subscription Live { ${field} { id } }`) },
        ],
        exhaustiveEnums: false,
        locate: () => null,
        fix: null,
      }).findings.map(({ subject, operations }) => [subject, operations.map(({ name }) => name)]);
    expect(find(OTHER[style])).toEqual([
      ["queries", ["Typed"]],
      ["subscriptions", []],
    ]);
    expect(find([query, null])).toEqual([["subscriptions", ["Live"]]]);
  });
});
