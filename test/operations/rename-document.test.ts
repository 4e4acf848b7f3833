import fc from "fast-check";
import { type DocumentNode, parse, validate } from "graphql";
import { describe, expect, it } from "vitest";
import type { Rename } from "../../src/compare/find-api-renames.ts";
import { findApiNames, renameApi } from "../../src/compare/rename-api.ts";
import type { ApiSchema } from "../../src/dialects/api-schema.ts";
import { styles } from "../../src/dialects/index.ts";
import { parseEntities } from "../../src/dialects/parse-entities.ts";
import type { StyleName } from "../../src/dialects/surface.ts";
import { toGraphqlSchema } from "../../src/dialects/to-graphql-schema.ts";
import { OPERATION_RULES } from "../../src/dialects/validate-documents.ts";
import {
  type ApiNames,
  applyEdits,
  invertNames,
  renameDocument,
} from "../../src/operations/rename-document.ts";
import { answerOf } from "../../src/tasks/adapt/prove.ts";
import { multichainModels } from "../dialects/multichain/random-models.ts";
import { subgraphModels } from "../dialects/subgraph/random-models.ts";
import { apiOf, mergeRenames, oldApi } from "../support/merged-indexer.ts";
import { runs } from "../support/runs.ts";
import { randomDocument } from "./random-document.ts";

const field = (owner: string, from: string, to: string): Rename => ({
  kind: "field",
  owner,
  from,
  to,
  certain: true,
  why: "confirmed",
});

/** The merge, and renames of single fields and values. */
const renamesOf = (style: StyleName): Rename[] => [
  ...mergeRenames("Lockup", style),
  field("Stream", "alias", "moniker"),
  field("Stream", "asset", "token"),
  field("Asset", "symbol", "ticker"),
  ...(style === "subgraph"
    ? [
        {
          kind: "enum-value",
          owner: "ActionCategory",
          from: "Withdraw",
          to: "Withdrawal",
          certain: true,
          why: "confirmed",
        } satisfies Rename,
      ]
    : []),
];

type Names = { readonly api: ApiSchema; readonly names: ApiNames };

const knownNames = new Map<StyleName, Names>();

function namesOf(style: StyleName): Names {
  const known = knownNames.get(style);
  if (known) return known;
  const api = oldApi("lockup", style);
  const made = { api, names: findApiNames(api, renamesOf(style), styles[style]) };
  knownNames.set(style, made);
  return made;
}

function rewrite(text: string, { api, names }: Names): string {
  return applyEdits(text, renameDocument(parse(text), toGraphqlSchema(api), names));
}

function expectValid(text: string, api: ApiSchema): DocumentNode {
  const document = parse(text);
  const errors = validate(toGraphqlSchema(api), document, OPERATION_RULES);
  expect(errors.map(({ message }) => message)).toEqual([]);
  return document;
}

describe("renameDocument", () => {
  const expectRenamed = (style: StyleName, given: string, want: string) => {
    const { api, names } = namesOf(style);
    expectValid(given, api);
    expect(rewrite(given, { api, names })).toBe(want);
    expectValid(want, renameApi(api, names));
  };

  it.each([
    ["{ streams { id } }", "{ streams: lockupStreams { id } }"],
    // An alias stays.
    ["{ mine: streams { id } }", "{ mine: lockupStreams { id } }"],
    // An alias that equals the new name goes.
    ["{ lockupStreams: streams { id } }", "{ lockupStreams { id } }"],
    // An alias with a comment stays.
    ["{ lockupStreams: # mine\n streams { id } }", "{ lockupStreams: # mine\n lockupStreams { id } }"],
    // An alias of another field that equals the new name stays.
    [
      "{ lockupStreams: assets { id } streams { id } }",
      "{ lockupStreams: assets { id } streams: lockupStreams { id } }",
    ],
    [
      "{ streams { alias asset { symbol } } }",
      "{ streams: lockupStreams { alias: moniker asset: token { symbol: ticker } } }",
    ],
    [
      "{ streams { ...F ... on Stream { id } } } fragment F on Stream { alias }",
      "{ streams: lockupStreams { ...F ... on LockupStream { id } } } fragment F on LockupStream { alias: moniker }",
    ],
    [
      "query Q($where: [Stream_filter!], $by: Stream_orderBy = alias) { streams(where: { or: $where }, orderBy: $by) { id } }",
      "query Q($where: [LockupStream_filter!], $by: LockupStream_orderBy = moniker) { streams: lockupStreams(where: { or: $where }, orderBy: $by) { id } }",
    ],
    [
      '{ assets(where: { streams_: { alias_contains: "a", asset_: { symbol: "b" } }, symbol_not_in: ["c"] }) { id } }',
      '{ assets(where: { lockupStreams_: { moniker_contains: "a", token_: { ticker: "b" } }, ticker_not_in: ["c"] }) { id } }',
    ],
    [
      'query Q($where: Stream_filter = { alias: "a" }) { streams(where: $where) { id } }',
      'query Q($where: LockupStream_filter = { moniker: "a" }) { streams: lockupStreams(where: $where) { id } }',
    ],
    [
      "{ streams(orderBy: asset__symbol) { id } actions(orderBy: stream__alias) { id } }",
      "{ streams: lockupStreams(orderBy: token__ticker) { id } actions: lockupActions(orderBy: stream__moniker) { id } }",
    ],
    [
      'query Batches { batches(where: { streams_: { sender: "0x" } }) { streams(first: 9, orderBy: alias) { id } } }',
      'query Batches { batches: lockupBatches(where: { streams_: { sender: "0x" } }) { streams(first: 9, orderBy: moniker) { id } } }',
    ],
    [
      "{ actions(where: { category: Withdraw, category_not_in: [Create, Withdraw] }) { id } }",
      "{ actions: lockupActions(where: { category: Withdrawal, category_not_in: [Create, Withdrawal] }) { id } }",
    ],
    // Names of operations and variables, and strings, stay.
    [
      'query streams($alias: String = "alias") { streams(where: { alias: $alias, sender: "alias" }) { id } }',
      'query streams($alias: String = "alias") { streams: lockupStreams(where: { moniker: $alias, sender: "alias" }) { id } }',
    ],
    // Comments, commas and blanks stay.
    [
      '# streams\n{ streams(where: {alias:"a",,}) # alias\n\n  { id,alias } }\n',
      '# streams\n{ streams: lockupStreams(where: {moniker:"a",,}) # alias\n\n  { id,alias: moniker } }\n',
    ],
    // Line ends and a byte order mark stay.
    [
      "\uFEFF{\r\n  streams { alias }\r\n}\r\n",
      "\uFEFF{\r\n  streams: lockupStreams { alias: moniker }\r\n}\r\n",
    ],
    // Other names stay.
    ["{ assets { id } _meta { block { number } } }", "{ assets { id } _meta { block { number } } }"],
  ])("rewrites for subgraphs: %s", (given, want) => {
    expectRenamed("subgraph", given, want);
  });

  it.each([
    ["{ Stream { id } }", "{ Stream: LockupStream { id } }"],
    ['{ Stream_by_pk(id: "a") { id } }', '{ Stream_by_pk: LockupStream_by_pk(id: "a") { id } }'],
    [
      "{ Stream { alias asset_id asset { symbol } } }",
      "{ Stream: LockupStream { alias: moniker asset_id: token_id asset: token { symbol: ticker } } }",
    ],
    [
      "query Q($where: Stream_bool_exp!, $c: streamcategory) { Stream(where: { _and: [$where, { category: { _eq: $c } }] }) { id } }",
      "query Q($where: LockupStream_bool_exp!, $c: lockupstreamcategory) { Stream: LockupStream(where: { _and: [$where, { category: { _eq: $c } }] }) { id } }",
    ],
    [
      '{ Asset(where: { streams: { alias: { _like: "a" }, asset_id: { _eq: "b" } } }, order_by: { symbol: asc }) { id } }',
      '{ Asset(where: { lockupStreams: { moniker: { _like: "a" }, token_id: { _eq: "b" } } }, order_by: { ticker: asc }) { id } }',
    ],
    [
      "{ Stream(distinct_on: [alias, asset_id], order_by: [{ alias: asc }, { asset: { symbol: desc } }]) { id } }",
      "{ Stream: LockupStream(distinct_on: [moniker, token_id], order_by: [{ moniker: asc }, { token: { ticker: desc } }]) { id } }",
    ],
  ])("rewrites for multichain: %s", (given, want) => {
    expectRenamed("multichain", given, want);
  });

  it("keeps the fields of an interface and its implementers together", () => {
    const model = parseEntities(
      `interface Account { id: ID! owner: Bytes! }
       type Wallet implements Account @entity { id: ID! owner: Bytes! }`,
      "entities",
    );
    const api = apiOf("subgraph", model);
    const names = findApiNames(
      api,
      [field("Account", "owner", "keeper"), field("Wallet", "owner", "keeper")],
      styles.subgraph,
    );
    expect(rewrite("{ accounts(orderBy: owner) { owner ... on Wallet { owner } } }", { api, names })).toBe(
      "{ accounts(orderBy: keeper) { owner: keeper ... on Wallet { owner: keeper } } }",
    );
  });

  it.each([
    ["subgraph", subgraphModels],
    ["multichain", multichainModels],
  ] as const)("leads back for random operations on random schemas (%s)", (style, models) => {
    fc.assert(
      fc.property(models, fc.infiniteStream(fc.nat(9999)), (model, choices) => {
        const pick = <T>(items: readonly T[]): T => items[(choices.next().value ?? 0) % items.length] as T;
        const api = apiOf(style, model);
        const renames = styles[style].schemas.read(api).definitions.flatMap((definition): Rename[] => {
          if (definition.kind !== "entity" || pick([true, false])) return [];
          const { name, fields, interfaces } = definition;
          const certain = { certain: true, why: "confirmed" } as const;
          return [
            { kind: "entity", owner: null, from: name, to: `${name}New`, ...certain },
            ...fields.flatMap((one) =>
              one.name === "id" || interfaces.length > 0 || pick([true, false])
                ? []
                : [field(name, one.name, `${one.name}New`)],
            ),
          ];
        });
        const names = findApiNames(api, renames, styles[style]);
        const renamed = renameApi(api, names);
        const given = randomDocument(toGraphqlSchema(api), pick);
        expectValid(given, api);
        const adapted = rewrite(given, { api, names });
        expectValid(adapted, renamed);
        const back = rewrite(adapted, { api: renamed, names: invertNames(names) });
        // The alias with the old name is left out again.
        expect(back).toBe(given);
        const answer = (text: string, schema: ApiSchema, old: ApiNames | null) =>
          answerOf(parse(text), toGraphqlSchema(schema), old);
        expect(answer(adapted, renamed, null)).toEqual(answer(given, api, names));
        expect(withoutNames(adapted)).toBe(withoutNames(given));
      }),
      { numRuns: runs(8, 500) },
    );
  });
});

/** Returns a text without its words and aliases. */
function withoutNames(text: string): string {
  return text.replace(/\w+: (?=\w)/g, "").replace(/\w+/g, "");
}
