import fc from "fast-check";
import { isEnumType, Kind, type ValueNode, valueFromASTUntyped, visit } from "graphql";
import { describe, expect, it } from "vitest";
import { IndexerError } from "../../../packages/client/src/client/indexer-error.ts";
import type { FilterTable } from "../../../packages/client/src/variables/map-filter.ts";
import { mapFilter, mapOrder } from "../../../packages/client/src/variables/map-filter.ts";
import { filterColumns } from "../../../src/operations/portable/filter-columns.ts";
import type { PortableContext } from "../../../src/operations/portable/read-entities.ts";
import { IS_THOROUGH } from "../../support/is-thorough.ts";
import { runs } from "../../support/runs.ts";
import { compileText, contextOf } from "./compile-text.ts";
import { type Literal, printLiteral, randomFilter, toValue } from "./random-filter.ts";
import { SCHEMA } from "./schema.ts";

const CONTEXT = contextOf(SCHEMA);

/** Ambiguous names, which may also name another column. */
const TWOFOLD = contextOf(`
  type Ship @entity {
    id: ID!
    chainId: BigInt!
    x: String!
    x_not: String!
    x_not_in: Int!
    home_: String
    home: Port
    port_in: Port
    and: Int
    ports: [Port!]! @derivedFrom(field: "ship")
  }
  type Port @entity { id: Bytes!  ship: Ship!  x: String  x_: String }
`);

/** The schema of releases with chain ids as numbers. */
const SMALL = contextOf(SCHEMA, {
  multichain: { entities: SCHEMA.replaceAll("chainId: BigInt!", "chainId: Int!") },
});

describe("a compiled filter and the same filter as a mapped value", () => {
  const tried = [
    ["every kind of field", CONTEXT],
    ["big numbers that are Int in the other style", SMALL],
    ["ambiguous names", TWOFOLD],
  ] as const;

  it.each(IS_THOROUGH ? tried : tried.slice(0, 1))("are equal, or both are rejected: %s", (_, context) => {
    const table = tableOf(context, "Ship");
    let agreed = 0;
    let refused = 0;
    fc.assert(
      fc.property(randomFilter(context, "Ship_filter"), (literal) => {
        const compiled = compileFilter(literal, context);
        const mapped = mapValue(literal, table);
        expect(mapped).toEqual(compiled);
        if (compiled === null) refused++;
        else agreed++;
      }),
      { numRuns: runs(80, 500) },
    );
    expect(Math.min(agreed, refused)).toBeGreaterThan(10);
  });
});

describe("a compiled order and the same order as a mapped value", () => {
  const type = CONTEXT.schemas.subgraph.graphql.getType("Ship_orderBy");
  const names = isEnumType(type) ? type.getValues().map(({ name }) => name) : [];
  const table = tableOf(CONTEXT, "Ship");

  it.each([
    ["of rows", (order: string) => `{ ships(${order}) { id } }`, table],
    ["of nested rows", (order: string) => `{ ports { ships(${order}) { id } } }`, { ...table, related: {} }],
  ])("are equal, or both are rejected: %s", (_, ask, of) => {
    const operations = names.map((name) => `query ${name} ${ask(`orderBy: ${name}, orderDirection: desc`)}`);
    const orders = compileOrders(operations.join("\n"));
    const outcomes = names.map((name) => {
      const compiled = orders.get(name) ?? null;
      let mapped: unknown = null;
      try {
        mapped = mapOrder(of, name, "desc", false);
      } catch {}
      expect([name, mapped]).toEqual([name, compiled]);
      return compiled !== null;
    });
    expect(outcomes.filter(Boolean).length).toBeGreaterThan(10);
    expect(outcomes.filter((isTaken) => !isTaken).length).toBeGreaterThan(10);
  });
});

/** Returns the order of the innermost list of each operation that is not rejected. */
function compileOrders(text: string): ReadonlyMap<string, unknown> {
  const orders = new Map<string, unknown>();
  for (const { name: operation, documents } of compileText(text, CONTEXT).operations) {
    visit(documents.multichain.node, {
      Argument: ({ name, value }) => {
        if (name.value === "order_by") orders.set(operation, valueFromASTUntyped(value));
      },
    });
  }
  return orders;
}

/** The table that is emitted for an entity. */
function tableOf(context: PortableContext, entity: string): FilterTable {
  const literal = (name: string) =>
    Object.fromEntries([...filterColumns(context, name).columns].map(([key, { kind }]) => [key, kind]));
  const { related } = filterColumns(context, entity);
  return {
    columns: literal(entity),
    related: Object.fromEntries([...related].map(([field, target]) => [field, literal(target)])),
  };
}

/** Returns the compiled filter, with numbers as text; null if it is rejected. */
function compileFilter(literal: Literal, context: PortableContext): unknown {
  const text = `query Q { ships(where: ${printLiteral(literal)}) { id } }`;
  const { operations } = compileText(text, context);
  const [operation] = operations;
  if (!operation) return null;
  const [root] = operation.documents.multichain.node.selectionSet.selections;
  if (root?.kind !== Kind.FIELD) throw new TypeError("There is no root field.");
  const where = root.arguments?.find(({ name }) => name.value === "where")?.value;
  const [scope, own] = members(where);
  // Without another condition there is only the one of the chain.
  return normalize(scope && own ? valueFromASTUntyped(own) : {});
}

function members(where: ValueNode | undefined): readonly ValueNode[] {
  const [field] = where?.kind === Kind.OBJECT ? where.fields : [];
  return field?.name.value === "_and" && field.value.kind === Kind.LIST ? field.value.values : [];
}

/** Returns the filter as the client maps it, with numbers as text; null if it is rejected. */
function mapValue(literal: Literal, table: FilterTable): unknown {
  const map = (isSubgraph: boolean): unknown => {
    try {
      return (mapFilter as (table: FilterTable, where: unknown, isSubgraph: boolean) => unknown)(
        table,
        toValue(literal),
        isSubgraph,
      );
    } catch (error) {
      if (error instanceof IndexerError && error.code === "invalid-variables") return null;
      throw error;
    }
  };
  const mapped = map(false);
  expect(map(true) === null).toBe(mapped === null);
  return mapped === null ? null : normalize(mapped);
}

/** Turns numbers into text, without leading zeros and plus signs. */
function normalize(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(normalize);
  if (typeof value === "object" && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, normalize(inner)]));
  }
  const text = typeof value === "number" ? String(value) : value;
  return typeof text === "string" && /^[+-]?\d+$/.test(text) ? BigInt(text).toString() : text;
}
