import { describe, expect, it } from "vitest";
import { parseEntities } from "../../../src/dialects/parse-entities.ts";
import type { IdTemplates } from "../../../src/dialects/protocol.ts";
import type { StyleName } from "../../../src/dialects/surface.ts";
import type { PortableContext } from "../../../src/operations/portable/read-entities.ts";
import type { PORTABLE } from "../../../src/report/codes/portable.ts";
import { deriveMissingSchema } from "../../../src/workspace/missing-style.ts";
import { type Answer, serveBoth } from "../../emulator/agreement/serve-both.ts";
import { compileText, contextOf, schemaOf, textOf } from "./compile-text.ts";

const IDS: IdTemplates = { Lid: { subgraph: "{number}", multichain: "{number}@{chainId}" } };

/** A subgraph's entities, and what a multichain indexer of the same protocol has of them. */
const ENTITIES: { readonly [S in StyleName]: string } = {
  subgraph: `
    interface Named { id: ID! name: String! }
    type Tag implements Named @entity { id: ID! name: String! }
    type Lid @entity { id: ID! number: Int! chainId: BigInt! }
    type Box @entity {
      id: ID! chainId: BigInt! gone: Int count: BigInt! width: Int! wide: Int8 tall: Int price: BigDecimal!
      opened: Timestamp lid: Lid tags: [Tag!]! parts: [Part!]! @derivedFrom(field: "box") named: Named
      first: Part @derivedFrom(field: "box") weight: BigDecimal
    }
    type Part @entity { id: ID! chainId: BigInt! box: Box! }
    type Lost @entity { id: ID! name: String }
  `,
  multichain: `
    type Tag @entity { id: ID! chainId: BigInt! name: String! }
    type Lid @entity { id: ID! number: Int! chainId: BigInt! }
    type Box @entity {
      id: ID! chainId: BigInt! count: Int! width: Int wide: BigInt tall: String price: BigDecimal!
      opened: Timestamp lid: Lid parts: [Part!]! @derivedFrom(field: "box")
      sum_in: Int! un__even: Int! weight: Float data: Json
    }
    type Part @entity { id: ID! chainId: BigInt! box: Box! }
    type Lone @entity { id: ID! name: String }
  `,
};

const OTHER: { readonly [S in StyleName]: StyleName } = { multichain: "subgraph", subgraph: "multichain" };

/** Names of a style and of its platforms. */
const NAMES: { readonly [S in StyleName]: RegExp } = {
  multichain: /multichain|hasura|envio|hyperindex|styles/i,
  subgraph: /subgraphs|subgraph style|graph-node|the graph|styles/i,
};

const BOTH = contextOf(ENTITIES.subgraph, { multichain: { entities: ENTITIES.multichain }, ids: IDS });

/** The context of a protocol with one style. The schema of the other style is derived, as for a project. */
function contextOfOne(style: StyleName): PortableContext {
  const { definition, schemas } = BOTH;
  const model = parseEntities(ENTITIES[style], "test.graphql");
  const missing = deriveMissingSchema(definition, OTHER[style], model);
  return {
    definition: { ...definition, styles: [style] },
    schemas: { ...schemas, [OTHER[style]]: schemaOf(OTHER[style], missing) },
  };
}

const ONE = { multichain: contextOfOne("multichain"), subgraph: contextOfOne("subgraph") };

const ROWS = new Map([
  ["Tag", [{ id: "t", chainId: "1", name: "a" }]],
  ["Lid", [{ id: "7@1", number: 7, chainId: "1" }]],
  ["Lost", [{ id: "l", name: "a" }]],
  ["Part", [{ id: "p", chainId: "1", box: "b" }]],
  [
    "Box",
    [
      {
        id: "b",
        chainId: "1",
        gone: 1,
        count: "2",
        width: 3,
        wide: "4",
        tall: 5,
        price: "1.5",
        weight: "2",
        opened: "1700000000000000",
        lid: "7@1",
        tags: ["t"],
        named: "t",
      },
    ],
  ],
]);
const SERVED = serveBoth({ subgraph: ENTITIES.subgraph, multichain: ENTITIES.multichain }, ROWS);

const BOXES = (filter: string, variables = "") =>
  `query Q${variables} { boxes(where: { ${filter} }) { id } }`;

type Case = readonly [code: keyof typeof PORTABLE, style: StyleName, text: string];

/** Refused or remarked if both styles are deployed, and neither if only the named one is. */
const LIFTED: readonly Case[] = [
  ["portable/not-in-multichain", "subgraph", "query Q { boxes { id gone } }"],
  ["portable/not-in-multichain", "subgraph", "query Q { losts { id } }"],
  ["portable/not-in-multichain", "subgraph", 'query Q { lost(id: "l") { id name } }'],
  [
    "portable/not-in-multichain",
    "subgraph",
    "query Q { boxes { id ...F } } fragment F on Box { first { id } }",
  ],
  ["portable/not-in-multichain", "subgraph", "query Q { boxes(orderBy: gone) { id } }"],
  ["portable/not-in-multichain", "subgraph", BOXES("gone_gt: 0")],
  ["portable/not-in-multichain", "subgraph", BOXES('first_: { id: "p" }')],
  ["portable/not-in-multichain", "subgraph", BOXES('tags_: { name: "a" }')],
  ["portable/type-differs", "subgraph", "query Q { boxes { id count width wide tall } }"],
  ["portable/type-differs", "subgraph", BOXES("tall: $t", "($t: Int!)")],
  ["portable/scalar", "subgraph", "query Q { boxes { id opened } }"],
  ["portable/scalar", "multichain", "query Q { boxes { id opened } }"],
  ["portable/scalar", "multichain", BOXES('opened_lt: "2030-01-01"')],
  ["portable/decimal", "subgraph", "query Q { boxes { id price } }"],
  ["portable/decimal", "multichain", "query Q { boxes { id price } }"],
  ["portable/interface", "subgraph", "query Q { nameds { id name ... on Tag { id } } }"],
  ["portable/interface", "subgraph", "query Q { boxes { id named { name } } }"],
  ["portable/interface", "subgraph", "query Q { tags { id ... on Named { name } } }"],
  ["portable/interface", "subgraph", BOXES('named_: { name: "a" }')],
  ["portable/change-block", "subgraph", BOXES("_change_block: { number_gte: 0 }")],
  ["portable/past-block", "subgraph", "query Q { boxes(block: { number: 10 }) { id } }"],
  ["portable/subgraph-error", "subgraph", "query Q { boxes(subgraphError: allow) { id } }"],
  ["portable/list-filter", "subgraph", BOXES('tags: ["t"]')],
  ["portable/type-differs", "multichain", "query Q { boxes { id count width wide tall weight data } }"],
  ["portable/type-differs", "multichain", BOXES("weight: 2")],
  ["portable/type-differs", "multichain", BOXES('tall_gt: "4"')],
  ["portable/order", "multichain", "query Q { boxes(orderBy: weight) { id } }"],
  ["portable/id-form", "subgraph", BOXES('lid_starts_with: "7"')],
  ["portable/id-form", "multichain", BOXES('lid_starts_with: "7"')],
  ["portable/order", "subgraph", "query Q { lids(orderBy: id) { id } }"],
  ["portable/order", "multichain", "query Q { lids(orderBy: id) { id } }"],
  ["portable/order", "subgraph", "query Q { boxes(orderBy: tall) { id } }"],
  ["portable/nested-child-filter", "multichain", BOXES('parts_: { box_: { id: "b" } }')],
  ["portable/nullable-variable", "subgraph", BOXES("lid: $l", "($l: String)")],
  ["portable/variable-type", "subgraph", BOXES("wide: $w", "($w: Int8!)")],
  ["portable/unscoped-lookup", "subgraph", 'query Q { part(id: "p") { id } }'],
];

/** Refused or remarked also if only the named style is deployed, in words that do not speak of the other. */
const KEPT: readonly Case[] = [
  ["portable/root", "subgraph", "query Q { _meta { deployment } }"],
  ["portable/root", "multichain", "query Q { _meta { deployment } }"],
  ["portable/root-typename", "subgraph", "query Q { __typename boxes { id } }"],
  ["portable/root-typename", "multichain", "query Q { __typename boxes { id } }"],
  ["portable/argument", "multichain", "query Q { boxes(block: { number: 1 }) { id } }"],
  ["portable/subgraph-error", "multichain", "query Q { boxes(subgraphError: allow) { id } }"],
  ["portable/change-block", "multichain", BOXES("_change_block: { number_gte: 1 }")],
  ["portable/no-chain-path", "multichain", "query Q { lones { id } }"],
  ["portable/unscoped-lookup", "multichain", 'query Q { part(id: "p") { id } }'],
  ["portable/empty-not-in", "subgraph", BOXES("id_not_in: $n", "($n: [ID!] = [])")],
  ["portable/empty-not-in", "multichain", BOXES("id_not_in: $n", "($n: [ID!] = [])")],
  ["portable/bad-number", "subgraph", BOXES("price: 1e0")],
  ["portable/bad-number", "multichain", BOXES("price: 1e0")],
  ["portable/list-filter", "multichain", BOXES('id_in: "a"')],
  ["portable/null-filter", "multichain", BOXES("id_gt: null")],
  ["portable/nullable-variable", "multichain", BOXES("opened: $t", "($t: Timestamp)")],
  ["portable/first-range", "multichain", "query Q { boxes(first: 1001) { id } }"],
  ["portable/direction-without-order", "subgraph", "query Q { boxes(orderDirection: desc) { id } }"],
  ["portable/order", "multichain", "query Q { boxes(orderBy: lid__id) { id } }"],
  ["portable/order", "multichain", "query Q { boxes(orderBy: un__even) { id } }"],
  ["portable/ambiguous-field", "multichain", BOXES("sum_in: 1")],
  ["portable/progress", "multichain", "query Q { boxes { id } _meta { block { number } } }"],
  ["portable/all-conditional", "multichain", "query Q { boxes { id @include(if: false) } }"],
  ["portable/reserved-name", "subgraph", "query Q { lockflow: boxes { id } }"],
];

describe("a project with one style", () => {
  it.each(LIFTED)("lifts %s, which comes from the other style, with only %s: %s", (code, style, text) => {
    expect(compileText(text, BOTH).findings.map((finding) => finding.code)).toContain(code);
    const { operations, findings } = compileText(text, ONE[style]);
    expect(findings).toEqual([]);
    const [compiled] = operations;
    if (compiled === undefined) throw new TypeError("It is not compiled.");
    const query = textOf(compiled, style);
    const given = { t: 5, w: "4", l: "7@1", chainIds: ["1"] };
    const variables = Object.fromEntries(
      Object.entries(given).filter(([name]) => query.includes(`$${name}:`)),
    );
    const answer: Answer = SERVED[style]({ query, variables });
    expect(answer).toEqual({ data: expect.anything() });
    expect(Object.values(answer.data ?? {}).flat()).toEqual([expect.objectContaining({})]);
  });

  it.each(KEPT)("keeps %s with only %s: %s", (code, style, text) => {
    const { findings } = compileText(text, ONE[style]);
    expect(findings.map((finding) => finding.code)).toEqual([code]);
    const said = findings.map(({ message, fix }) => `${message} ${fix}`).join(" ");
    expect(said).not.toMatch(NAMES[OTHER[style]]);
  });
});
