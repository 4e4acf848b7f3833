import { describe, expect, it } from "vitest";
import { serveBoth } from "../../emulator/agreement/serve-both.ts";
import { compileOne, contextOf, textOf } from "./compile-text.ts";

const SCHEMA =
  "enum Mood { Happy Sad Calm } type Lot @entity { id: ID! chainId: BigInt! moods: [Mood!]! past: [Mood!] }";
const CONTEXT = contextOf(SCHEMA);

const MOODS = [["Happy", "Sad"], ["Sad", "Happy"], ["Sad"], []];
const ROWS = MOODS.map((moods, index) => ({
  id: `${index}`,
  chainId: "1",
  moods,
  past: index === 0 ? null : moods,
}));
const BOTH = serveBoth(SCHEMA, new Map([["Lot", ROWS]]));

describe("a list of an enum is portable", () => {
  it.each<[filter: string, written: string, ids: string[]]>([
    ["chainId: 1", "moods", ["0", "1", "2", "3"]],
    ["moods: [Happy, Sad]", '{ moods: { _eq: ["Happy", "Sad"] } }', ["0"]],
    ["moods_not: [Sad]", '{ moods: { _neq: ["Sad"] } }', ["0", "1", "3"]],
    ["moods_contains: [Sad]", '{ moods: { _contains: ["Sad"] } }', ["0", "1", "2"]],
    ["past_not_contains: [Happy]", "{ past: { _is_null: false } }", ["2", "3"]],
    ["past: null", "{ past: { _is_null: true } }", ["0"]],
    ["moods: $m", "$m: [mood!]!", ["2"]],
  ])("with the filter %s", (filter, written, ids) => {
    const variables = filter.includes("$") ? "($m: [Mood!]!)" : "";
    const compiled = compileOne(
      `query Q${variables} { lots(where: { ${filter} }) { id moods past } }`,
      CONTEXT,
    );
    const text = textOf(compiled, "multichain");
    expect(text).toContain(written);
    const m = variables === "" ? {} : { m: ["Sad"] };
    const subgraph = BOTH.subgraph({ query: textOf(compiled, "subgraph"), variables: m });
    expect(subgraph).toMatchObject({ data: { lots: ids.map((id) => ({ id })) } });
    expect(BOTH.multichain({ query: text, variables: { ...m, chainIds: ["1"] } })).toEqual(subgraph);
  });

  it("but not as the order of rows", () => {
    expect(() => compileOne("query Q { lots(orderBy: moods) { id } }", CONTEXT)).toThrow("portable/order");
  });
});
