import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Row, RowValue } from "../../../../emulator/styles/read-view.ts";
import { isList } from "../../../../src/dialects/api-schema.ts";
import { styles } from "../../../../src/dialects/index.ts";
import { runs } from "../../../support/runs.ts";
import { checkRows, rowsAt, seeded, tablesOf } from "./support.ts";

const CHAIN = 10;
/** The scalars with which the multichain platform may store the same value. */
const MULTICHAIN: Readonly<Record<string, readonly string[]>> = {
  BigDecimal: ["BigDecimal", "Float", "String"],
  BigInt: ["BigInt", "String"],
  Boolean: ["Boolean"],
  Bytes: ["Bytes", "String"],
  ID: ["ID", "String"],
  Int: ["Int", "BigInt", "Float"],
  Int8: ["BigInt", "String"],
  String: ["String", "ID"],
  Timestamp: ["Timestamp", "BigInt", "Int"],
  Tone: ["Tone", "String"],
};

const SCALARS = Object.keys(MULTICHAIN);
const NAMES = ["Alpha", "Beta", "Gamma", "Delta", "Epsilon"];

type Drawn = {
  readonly idType: string;
  readonly scalars: readonly (readonly [type: string, end: string])[];
  readonly references: readonly (readonly [target: number, end: string, derived: string])[];
};

const bang = fc.constantFrom("", "!");
const drawn: fc.Arbitrary<readonly Drawn[]> = fc.array(
  fc.record({
    idType: fc.constantFrom("ID", "String", "Bytes", "Int8"),
    scalars: fc.array(fc.tuple(fc.constantFrom(...SCALARS, ...SCALARS.map((name) => `[${name}!]`)), bang), {
      maxLength: 4,
    }),
    references: fc.array(
      fc.tuple(
        fc.nat(NAMES.length),
        fc.constantFrom("", "!", "[]"),
        fc.constantFrom("none", "list", "one", "one!"),
      ),
      { maxLength: 3 },
    ),
  }),
  { minLength: 1, maxLength: NAMES.length },
);

/** Writes entity SDL that graph-node accepts, with references and derived fields of one row or many. */
function writeSchema(entities: readonly Drawn[]): string {
  const fields = entities.map(({ idType }) => [`id: ${idType}!`]);
  for (const [index, { scalars, references }] of entities.entries()) {
    for (const [place, [type, end]] of scalars.entries()) fields[index]?.push(`s${place}: ${type}${end}`);
    for (const [place, [number, end, derived]] of references.entries()) {
      const target = number % entities.length;
      const [entity, targetName] = [NAMES[index], NAMES[target]];
      fields[index]?.push(`r${place}: ${end === "[]" ? `[${targetName}!]!` : `${targetName}${end}`}`);
      if (derived === "none") continue;
      fields[target]?.push(
        `of${entity}${place}: ${derived === "one" ? entity : derived === "one!" ? `${entity}!` : `[${entity}!]!`} @derivedFrom(field: "r${place}")`,
      );
    }
  }
  const types = fields.map((lines, index) => `type ${NAMES[index]} @entity {\n${lines.join("\n")}\n}`);
  return `enum Tone { Low High }\n${types.join("\n")}`;
}

/** Writes the same entities for a multichain indexer, with other scalars, and ids instead of some references. */
function writeMultichain(entities: readonly Drawn[], pick: (count: number) => number): string {
  const scalar = (name: string) => {
    const choices = MULTICHAIN[name] ?? [name];
    return choices[pick(choices.length)] ?? name;
  };
  const types = entities.map(({ scalars, references }, index) => {
    const lines = scalars.flatMap(([type, end], place) =>
      isList(type) ? [] : [`s${place}: ${scalar(type)}${end}`],
    );
    for (const [place, [number, end]] of references.entries()) {
      if (end === "[]") lines.push(`r${place}: [String!]!`);
      else if (pick(2) === 0) lines.push(`r${place}_id: String${end}`);
      else lines.push(`r${place}: ${NAMES[number % entities.length]}${end}`);
    }
    return `type ${NAMES[index]} {\n${["id: String!", "chainId: Int!", ...lines].join("\n")}\n}`;
  });
  return `enum Tone { High Low Middle }\n${types.join("\n")}`;
}

/** Converts a value to a form that does not depend on its scalar: times in seconds, ids and numbers as strings. */
function comparable(value: RowValue, type: string): unknown {
  if (value === null || typeof value === "boolean") return value;
  if (typeof value === "object") return value.map(String);
  if (type.startsWith("Timestamp")) return String(value).slice(0, -6);
  return String(value);
}

describe("rows of random entities", () => {
  it("are the same in both styles, also with different scalars", async () => {
    await fc.assert(
      fc.asyncProperty(drawn, fc.infiniteStream(fc.nat(100)), async (entities, choices) => {
        const pick = (count: number) => (choices.next().value ?? 0) % count;
        const texts = { subgraph: writeSchema(entities), multichain: writeMultichain(entities, pick) };
        await styles.multichain.deriver.validate(texts.multichain, "multichain");
        await styles.subgraph.deriver.validate(texts.subgraph, "subgraph");
        const datasetOf = seeded(texts, { count: 12, chainIds: [1, CHAIN] });
        const [multichain, subgraph] = [datasetOf("multichain"), datasetOf("subgraph")];
        const block = multichain.chain(CHAIN).firstHead + 60;
        const tables = rowsAt(multichain, multichain.chain(CHAIN), block);
        const others = rowsAt(subgraph, subgraph.chain(CHAIN), block);
        checkRows(multichain, "multichain", { chainId: CHAIN, block });
        for (const { name, fields } of tablesOf(multichain.model)) {
          const there = tablesOf(subgraph.model).find((table) => table.name === name)?.fields ?? [];
          for (const field of fields.filter((candidate) => candidate.name !== "chainId")) {
            const same = there.find(({ name }) => [name, `${name}_id`].includes(field.name));
            const values = (rows: readonly Row[] | undefined, key: string, type: string) =>
              rows?.map((row) => comparable(row[key] ?? null, type));
            expect(values(tables?.[name], field.name, field.type), `${name}.${field.name}`).toEqual(
              values(others?.[name], same?.name ?? "", same?.type ?? ""),
            );
          }
        }
      }),
      { numRuns: runs(10, 60) },
    );
  });

  it("are valid, have no dangling references and fit derived fields, at every block", () => {
    fc.assert(
      fc.property(drawn, fc.integer({ min: 1, max: 30 }), (entities, count) => {
        const dataset = seeded({ subgraph: writeSchema(entities) }, { count, chainIds: [CHAIN] })("subgraph");
        const chain = dataset.chain(CHAIN);
        for (const block of [chain.earliestBlock, chain.firstHead, chain.firstHead + 200]) {
          checkRows(dataset, "subgraph", { chainId: CHAIN, block });
          if (block < chain.firstHead) continue;
          const tables = Object.entries(rowsAt(dataset, chain, block));
          for (const [name, rows] of tables) expect(rows.length, name).toBeGreaterThan(0);
        }
      }),
      { numRuns: runs(10, 80) },
    );
  });
});
