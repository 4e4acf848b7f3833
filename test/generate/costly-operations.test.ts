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

describe("what spreads the same fragment again and again", () => {
  it.each([
    ["twice in one place", chain((next) => `...${next} ...${next}`)],
    ["in other fragments", chain((next) => `... on Row { ...${next} } ... { ...${next} }`)],
    ["below two keys", chain((next) => `a { ...${next} } b: a { ...${next} }`)],
    ["below one field", chain((next) => `a { ...${next} ...${next} }`)],
    ["below a field that is asked for twice", chain((next) => `a { ...${next} } a { ...${next} }`)],
    [
      "without a condition and under one",
      chain((next, at) => `...${next} ...${next} @include(if: $c${at})`, `(${declare("c")})`),
    ],
  ])("costs no more than what it says: %s", async (_, operations) => {
    const { types } = await generateFrom({ sdl: SDL, operations });
    expect(types).toMatch(/export type F29Fragment = \{\n(.*\n)*? *id: string;/);
  });

  it("takes a condition into account that a fragment is spread without first", async () => {
    const operations =
      "query Q($c: Boolean!) { rows(first: 1) { ...F @include(if: $c) ...F } } fragment F on Row { id }";
    const { types } = await generateFrom({ sdl: SDL, operations });
    expect(types).toContain("export type QRow = FFragment;");
  });
});

/** Operations that only the size of their output ends, after seconds. */
const LARGE: readonly (readonly [name: string, operations: string, message: RegExp])[] = [
  [
    "error: two keys of a fragment below each other, each under a condition",
    chain(
      (next) => `a @skip(if: $c) { ...${next} } b: a { ...${next} name: id @skip(if: $c) }`,
      "($c: Boolean!)",
    ),
    /^The generated code of `(query Q|fragment F\d+)` would be larger than 20 MB\./,
  ],
  [
    "error: documents that hold hundreds of fragments with long names each",
    chain((next) => `...${next} ${next}: id`, "", 300).replaceAll(/F\d+/g, (name) => name.padEnd(2000, "_")),
    /^The generated code of `F\d+_+FragmentDoc` would be larger than 20 MB\./,
  ],
];

describe("output without a visible end", () => {
  it.each<(typeof LARGE)[number]>([
    [
      "error: conditions around conditions",
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

describe("what no server answers", () => {
  const many = Array.from({ length: 800 }, (_, at) => at);

  it.each([
    [
      "error: fragments that are nested too deeply together",
      chain((next) => `...${next}`, "", 600),
      "With its fragments it is nested more than 500 levels deep.",
    ],
    [
      "error: more fragments in one place than can be compared",
      `query Q { rows(first: 1) { ${many.map((at) => `...F${at}`).join(" ")} } }\n${many.map((at) => `fragment F${at} on Row { id }`).join("\n")}`,
      expect.stringMatching(/^It has too many selections in one place to compare them all:/),
    ],
  ])("%s", (_, operations, message) => {
    const { documents, findings } = prepareFrom({ sdl: SDL, operations });
    expect(documents).toBeNull();
    const place = { file: "operations.graphql", line: 1 };
    expect(findings).toMatchObject([{ subject: "Q", message, place }]);
  });

  it("compares the selections of each operation for itself", () => {
    const operation = (name: string) =>
      `query ${name} { rows(first: 1) { ${many
        .slice(0, 300)
        .map((at) => `...F${at}`)
        .join(" ")} } }`;
    const fragments = many.slice(0, 300).map((at) => `fragment F${at} on Row { id }`);
    const operations = [...Array.from({ length: 6 }, (_, at) => operation(`Q${at}`)), ...fragments].join(
      "\n",
    );
    expect(prepareFrom({ sdl: SDL, operations })).toMatchObject({ findings: [] });
  });
});

function declare(name: string): string {
  return numbers.map((at) => `$${name}${at}: Boolean!`).join(" ");
}
