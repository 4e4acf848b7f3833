import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { mapVariables } from "../../packages/client/src/variables/map-variables.ts";
import { once } from "../../src/base/collections.ts";
import {
  type AnyPortableOperation,
  buildPortableOperation,
} from "../../src/generate/portable/portable-operation.ts";
import { compileText, contextOf } from "../operations/portable/compile-text.ts";
import { SCHEMA } from "../operations/portable/schema.ts";
import { installClient } from "../support/built-client.ts";
import { tempProject } from "../support/temp-project.ts";
import { portableModules, SHIP_QUERIES } from "./portable-modules.ts";

const OPERATIONS = `${SHIP_QUERIES}
  query Pages($first: Int!, $after: BigInt! = -1) {
    ships(first: $first, orderBy: tonnage, orderDirection: asc, where: { tonnage_gt: $after }) { id chainId tonnage }
  }
  query Unordered($d: OrderDirection!) { ships(orderDirection: $d) { id } }
  query All { ships(first: 5) { id ...F } }
  fragment F on Ship { home { id } }
`;

const CONTEXT = contextOf(SCHEMA);
const BUILT = compileText(OPERATIONS, CONTEXT).operations.map((operation) =>
  buildPortableOperation(operation, CONTEXT, {}),
);

/** The code that is generated from the same text, imported like in an application. */
const load = once(async () => {
  const modules = await portableModules({ entities: SCHEMA, operations: OPERATIONS });
  const { root } = tempProject({ ...modules, "package.json": '{ "type": "module" }' });
  installClient(root);
  const generated: Readonly<Record<string, AnyPortableOperation>> = await import(
    join(root, "auctions/portable.ts")
  );
  return generated;
});

const of = async (name: string) => {
  const built = BUILT.find((operation) => operation.name === name);
  const generated = (await load())[name];
  if (!built || !generated) throw new TypeError(`There is no ${name}.`);
  return { built, generated };
};

describe("an operation of buildPortableOperation", () => {
  it.each(BUILT.map(({ name }) => [name]))("equals the generated operation: %s", async (name) => {
    const { built, generated } = await of(name);
    const map = expect.any(Function);
    expect(built).toEqual(generated.map ? { ...generated, map } : generated);
    expect(Object.keys(built)).toEqual(Object.keys(generated));
  });

  it.each<[given: Readonly<Record<string, unknown>>]>([
    [{ or: [{ decks: 1 }] }],
    [{ or: [], where: { or: [{ flag: null }, { home_: { name_contains: "b" }, hull_contains: "0xAB" }] } }],
    [{ or: [{ mood_not_in: [] }], by: "home__name", d: "asc", inner: "tonnage", port: { name: "a" } }],
    [{ or: [{ tags_not_contains: ["a"] }], by: "id" }],
  ])("maps filters and orders like the generated operation: %j", async (given) => {
    const { built, generated } = await of("FindShips");
    for (const style of ["multichain", "subgraph"] as const) {
      expect(mapVariables(built, style, given, [1])).toEqual(mapVariables(generated, style, given, [1]));
    }
  });

  it("does not send a variable that is not in the text of the style", async () => {
    const { built, generated } = await of("Unordered");
    const given = { d: "desc" };
    for (const operation of [built, generated]) {
      expect(mapVariables(operation, "subgraph", given)).toEqual(given);
      expect(mapVariables(operation, "multichain", given, [1])).toEqual({ chainIds: ["1"] });
    }
  });

  it.each<[given: Readonly<Record<string, unknown>>]>([
    [{ or: [{ captain_: { ship_: {} } }] }],
    [{ or: [], by: "moon" }],
    [{ or: {}, inner: "home__name" }],
    [{ or: [{}], where: [] }],
  ])("rejects the same variables with the same message: %j", async (given) => {
    const { built, generated } = await of("FindShips");
    const refusal = (operation: AnyPortableOperation) => {
      try {
        return mapVariables(operation, "multichain", given, [1]);
      } catch (error) {
        return (error as Error).message;
      }
    };
    expect(refusal(built)).toEqual(expect.any(String));
    expect(refusal(built)).toBe(refusal(generated));
  });

  it("has a digest of both texts with their fragments", () => {
    const digestOf = (recent: string, row: string) => {
      const [operation] = compileText(`${recent} ${row}`, CONTEXT).operations;
      return operation && buildPortableOperation(operation, CONTEXT, {}).digest;
    };
    const recent = "query Recent($first: Int! = 10) { ships(first: $first) { ...Row } }";
    const row = "fragment Row on Ship { id name }";
    const own = digestOf(recent, row);
    expect(own).toMatch(/^[\da-f]{8}$/);
    expect(digestOf(`# A comment.\n${recent}`, row)).toBe(own);
    const others = [
      digestOf(recent, row.replace("name", "name decks")),
      digestOf(recent.replace("10", "20"), row),
      digestOf(recent.replace("first: $first", "first: $first, skip: 0"), row),
    ];
    expect(new Set([own, ...others]).size).toBe(4);
  });
});
