import { describe, expect, it } from "vitest";
import type { RootCause } from "../../src/compare/diff-schemas.ts";
import type { ApiSchema } from "../../src/dialects/api-schema.ts";
import { canonicalize } from "../../src/dialects/canonicalize.ts";
import { STYLE_NAMES, type StyleName } from "../../src/dialects/surface.ts";
import { causesOf, derive, differences } from "./fixtures.ts";

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
  const schema = derive(style, entities, { release: RELEASES[style] });
  const [ownQuery, ownSubscription] = OWN[style];
  const types = schema.types.flatMap((type) => {
    if (type.name === ownQuery) return [{ ...type, name: query }];
    if (type.name !== ownSubscription) return [type];
    return subscription === null ? [] : [{ ...type, name: subscription }];
  });
  return canonicalize({ ...schema, queryType: query, subscriptionType: subscription, types });
}

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
  const causes = (before: ApiSchema, after: ApiSchema) => causesOf("multichain", before, after).map(show);
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

describe.each(STYLE_NAMES)("roots are compared by their role: %s", (style) => {
  const [query, subscription] = OWN[style];
  const [otherQuery, otherSubscription] = OTHER[style];
  const feature = style === "multichain" ? "subscriptions" : "Subscription";
  const entities = [
    "additive field-added Stream.fee",
    "additive type-added Fresh: null → type",
    "breaking type-removed Gone: type → null",
  ];
  const removed = `breaking platform-feature-removed ${feature}: ${feature} → null`;
  const added = `additive platform-feature-added ${feature}: null → ${feature}`;
  const renamed = (role: string, from: string, to: string) =>
    `cosmetic root-renamed ${role}: ${from} → ${to}`;

  it.each<[name: string, before: Roots, after: Roots, ...roots: string[]]>([
    ["both have the platform's names", OWN[style], OWN[style]],
    ["both have other names", OTHER[style], OTHER[style]],
    [
      "both get the platform's names",
      OTHER[style],
      OWN[style],
      renamed("query", otherQuery, query),
      renamed("subscription", otherSubscription, subscription),
    ],
    [
      "both lose the platform's names",
      OWN[style],
      OTHER[style],
      renamed("query", query, otherQuery),
      renamed("subscription", subscription, otherSubscription),
    ],
    ["neither has subscriptions", [query, null], [query, null]],
    ["neither has subscriptions, under other names", [otherQuery, null], [otherQuery, null]],
    ["subscriptions are removed", OWN[style], [query, null], removed],
    ["subscriptions are added", [query, null], OWN[style], added],
    ["subscriptions are added under another name", [otherQuery, null], OTHER[style], added],
    [
      "subscriptions are removed and the query root is renamed",
      OWN[style],
      [otherQuery, null],
      removed,
      renamed("query", query, otherQuery),
    ],
  ])("%s", (_, from, to, ...roots) => {
    for (const [model, more] of [
      [OLD, []],
      [NEW, entities],
    ] as const) {
      const causes = causesOf(style, schemaOf(style, OLD, from), schemaOf(style, model, to));
      const found = causes.map(show).map((line) => line.replace(/(Stream\.fee).*/, "$1"));
      expect(found.sort()).toEqual([...roots, ...more].sort());
    }
  });

  it("derived changes at the roots are counted whatever the names of the roots", () => {
    const counts = (roots: Roots) =>
      causesOf(style, schemaOf(style, OLD, roots), schemaOf(style, NEW, roots)).map((each) => each.derived);
    expect(counts(OTHER[style])).toEqual(counts(OWN[style]));
  });

  it("a renamed root hits operations that name its type; a removed root hits its operations", () => {
    const field = style === "multichain" ? "Asset" : "assets";
    const find = (to: Roots) =>
      differences(style, { before: schemaOf(style, OLD, OWN[style]), after: schemaOf(style, OLD, to) }, [
        `query Plain { ${field} { id } }`,
        `query Typed { ...on ${query} { ${field} { id } } }`,
        `subscription Live { ${field} { id } }`,
      ]).map(({ subject, operations }) => [subject, operations.map(({ name }) => name)]);
    expect(find(OTHER[style])).toEqual([
      ["queries", ["Typed"]],
      ["subscriptions", []],
    ]);
    expect(find([query, null])).toEqual([["subscriptions", ["Live"]]]);
  });
});
