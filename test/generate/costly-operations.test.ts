import { describe, expect, it } from "vitest";
import { generateFrom, prepareFrom } from "../support/generate-from.ts";
import { IS_THOROUGH } from "../support/is-thorough.ts";

const SDL = `
  type Row { id: ID! a: Row! rows(first: Int): [Row!]! }
  type Query { rows(first: Int): [Row!]! }
`;

const LONG = 30;

/** A chain of fragments; each spreads the next one in some way. */
function chain(next: (name: string, at: number) => string, variables = "", length = LONG): string {
  const fragments = Array.from(
    { length },
    (_, at) => `fragment F${at} on Row { ${at + 1 < length ? next(`F${at + 1}`, at) : "id"} }`,
  );
  return [`query Q${variables} { rows(first: 1) { ...F0 } }`, ...fragments].join("\n");
}

const numbers = Array.from({ length: LONG - 1 }, (_, at) => at);

describe("operations that spread the same fragment many times", () => {
  it.each([
    ["twice in one place", chain((next) => `...${next} ...${next}`)],
    ["in other fragments", chain((next) => `... on Row { ...${next} } ... { ...${next} }`)],
    ["under two keys", chain((next) => `a { ...${next} } b: a { ...${next} }`)],
    ["under one field", chain((next) => `a { ...${next} ...${next} }`)],
    ["under a field that is selected twice", chain((next) => `a { ...${next} } a { ...${next} }`)],
    [
      "with and without a condition",
      chain((next, at) => `...${next} ...${next} @include(if: $c${at})`, `(${declare("c")})`),
    ],
  ])("are generated in linear time: %s", async (_, operations) => {
    const { types } = await generateFrom({ sdl: SDL, operations });
    expect(types).toMatch(/export type F29Fragment = \{\n(.*\n)*? *id: string;/);
  });

  it("accept a fragment that is spread with a condition and without one", async () => {
    const operations =
      "query Q($c: Boolean!) { rows(first: 1) { ...F @include(if: $c) ...F } } fragment F on Row { id }";
    const { types } = await generateFrom({ sdl: SDL, operations });
    expect(types).toContain("export type QRow = FFragment;");
  });
});

/** Operations that are stopped only by the limit on the size of their output, after seconds. */
const LARGE: readonly (readonly [name: string, operations: string, message: RegExp])[] = [
  [
    "error: two nested keys of a fragment, each under a condition",
    chain(
      (next) => `a @skip(if: $c) { ...${next} } b: a { ...${next} name: id @skip(if: $c) }`,
      "($c: Boolean!)",
    ),
    /^The generated code of `(query Q|fragment F\d+)` would be larger than 20 MB\./,
  ],
  [
    "error: documents with hundreds of fragments with long names",
    chain((next) => `...${next} ${next}: id`, "", 300).replaceAll(/F\d+/g, (name) => name.padEnd(2000, "_")),
    /^The generated code of `F\d+_+FragmentDoc` would be larger than 20 MB\./,
  ],
];

describe("output that grows exponentially", () => {
  it.each<(typeof LARGE)[number]>([
    [
      "error: nested conditions",
      chain(
        (next, at) => `...${next} @include(if: $c${at}) ...${next} @include(if: $d${at})`,
        `(${declare("c")} ${declare("d")})`,
      ),
      /^The fragment "F\d+" is spread under more than 100 combinations of conditions in one place\./,
    ],
    ...(IS_THOROUGH ? LARGE : []),
  ])("%s", async (_, operations, message) => {
    await expect(generateFrom({ sdl: SDL, operations })).rejects.toMatchObject({
      code: "OPERATIONS_NOT_GENERATED",
      message: expect.stringMatching(message),
      hint: expect.any(String),
    });
  });
});

describe("operations that servers reject", () => {
  /** An operation that spreads many fragments in one place, and the fragments. */
  const spreads = (count: number, names = ["Q"]) => {
    const all = Array.from({ length: count }, (_, at) => at);
    const operation = (name: string) =>
      `query ${name} { rows(first: 1) { ${all.map((at) => `...F${at}`).join(" ")} } }`;
    return [...names.map(operation), ...all.map((at) => `fragment F${at} on Row { id }`)].join("\n");
  };

  it.each([
    [
      "error: a chain of fragments that is nested too deeply",
      chain((next) => `...${next}`, "", 600),
      "With its fragments it is nested more than 500 levels deep.",
    ],
    [
      "error: too many fragments in one place",
      spreads(500),
      expect.stringMatching(/^It has too many selections in one place to compare them all:/),
    ],
  ])("%s", (_, operations, message) => {
    const { documents, findings } = prepareFrom({ sdl: SDL, operations });
    expect(documents).toBeNull();
    const place = { file: "operations.graphql", line: 1 };
    expect(findings).toMatchObject([{ subject: "Q", message, place }]);
  });

  it.runIf(IS_THOROUGH)("are counted per operation", () => {
    const operations = spreads(300, ["Q0", "Q1", "Q2", "Q3", "Q4", "Q5"]);
    expect(prepareFrom({ sdl: SDL, operations })).toMatchObject({ findings: [] });
  });
});

function declare(name: string): string {
  return numbers.map((at) => `$${name}${at}: Boolean!`).join(" ");
}
