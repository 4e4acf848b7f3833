import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { entitiesOf, entitiesText } from "../../../../emulator/dataset/entities/index.ts";
import { chainDataset } from "../../../../emulator/dataset/rows/chain-dataset.ts";
import { unionRowStore } from "../../../../emulator/dataset/rows/create-store-versions.ts";
import { IndexerError } from "../../../../packages/client/src/client/indexer-error.ts";
import { mapVariables } from "../../../../packages/client/src/variables/map-variables.ts";
import { styles } from "../../../../src/dialects/index.ts";
import { type Protocol, STYLE_NAMES, type StyleName } from "../../../../src/dialects/surface.ts";
import { toGraphqlSchema } from "../../../../src/dialects/to-graphql-schema.ts";
import type { PortableContext } from "../../../../src/operations/portable/read-entities.ts";
import { BUILT_IN_PROTOCOLS, resolveProtocols, withBuiltIn } from "../../../../src/project/protocols.ts";
import { type EntityFacts, readFacts } from "../../../emulator/agreement/facts.ts";
import type { Question } from "../../../emulator/agreement/question.ts";
import { questionsOf } from "../../../emulator/agreement/questions.ts";
import { type Answer, type Ask, type Releases, serveBoth } from "../../../emulator/agreement/serve-both.ts";
import { IS_THOROUGH } from "../../../support/is-thorough.ts";
import { runs } from "../../../support/runs.ts";
import { compileText } from "../compile-text.ts";
import { createChoices } from "./choices.ts";
import { dressOperation } from "./dress-operation.ts";
import { buildOperations, type Loaded, textsOf } from "./load-operations.ts";
import { judge } from "./portable-world.ts";
import { readAnswer } from "./read-answer.ts";

const PATIENCE = 600_000;
const CHAINS = [1, 10, 8453, 11155111];

/** Numbers of rows to request and to skip. */
const PAGES: readonly (readonly [first: number, skip: number])[] = IS_THOROUGH
  ? [
      [7, 0],
      [9, 6],
      [1000, 0],
    ]
  : [[9, 2]];

/** The newest releases; in thorough mode also the oldest, in all combinations. */
const WORLDS = BUILT_IN_PROTOCOLS.flatMap((protocol) =>
  [styles.multichain, styles.subgraph]
    .map(({ platform: { releases } }) => [releases.at(-1), ...(IS_THOROUGH ? [releases[0]] : [])])
    .reduce<readonly (readonly (string | undefined)[])[]>(
      (worlds, releases) => worlds.flatMap((world) => releases.map((release) => [...world, release])),
      [[]],
    )
    .map(([multichain, subgraph]) => ({ protocol, multichain, subgraph })),
);

type Variables = Readonly<Record<string, unknown>>;
type Row = Readonly<Record<string, unknown>>;

/** One multichain indexer of all chains, and a subgraph of each chain. */
type ReferenceWorld = {
  readonly context: PortableContext;
  readonly facts: ReadonlyMap<string, EntityFacts>;
  readonly all: (loaded: Loaded, variables: Variables, chains: readonly number[]) => Answer;
  readonly one: (loaded: Loaded, variables: Variables, chain: number) => Answer;
};

function createReferenceWorld(protocol: Protocol, releases: Releases): ReferenceWorld {
  const stores = new Map(
    CHAINS.map((chainId) => {
      const dataset = chainDataset({ seed: "chains", protocol, chainId, streams: 12 });
      return [chainId, dataset.storeAt(dataset.firstHead)];
    }),
  );
  const entities = {
    multichain: entitiesText(protocol, "multichain"),
    subgraph: entitiesText(protocol, "subgraph"),
  };
  const all = serveBoth(entities, unionRowStore([...stores.values()]), {}, releases).multichain;
  const each = new Map<number, Ask>();
  for (const [chain, store] of stores) each.set(chain, serveBoth(entities, store, {}, releases).subgraph);
  const definition = withBuiltIn(resolveProtocols({})).find(({ key }) => key === protocol);
  if (definition === undefined) throw new Error(`There is no ${protocol}.`);
  const [multichain, subgraph] = STYLE_NAMES.map((style: StyleName) => {
    const api = styles[style].deriver.derive(entitiesOf(protocol, style), { release: releases[style] });
    return { api, graphql: toGraphqlSchema(api), model: styles[style].schemas.read(api) };
  });
  if (!multichain || !subgraph) throw new Error("There are two styles.");
  const send = (style: StyleName, loaded: Loaded, variables: Variables, chains: readonly number[]) => ({
    query: loaded[style],
    variables: mapVariables(loaded, style, variables as never, chains),
  });
  return {
    context: { definition, schemas: { multichain, subgraph } },
    facts: readFacts(entitiesOf(protocol, "subgraph")),
    all: (loaded, variables, chains) => all(send("multichain", loaded, variables, chains)),
    one: (loaded, variables, chain) => each.get(chain)?.(send("subgraph", loaded, variables, [])) ?? {},
  };
}

function load(texts: readonly string[], context: PortableContext) {
  const { operations, findings } = compileText(texts.join("\n\n"), context);
  const loaded = buildOperations(operations, context, textsOf(operations));
  return { loaded, findings: findings.filter(({ severity }) => severity === "breaking") };
}

describe.each(WORLDS)(
  "a portable operation of $protocol on several chains, envio-$multichain and graph-node-$subgraph",
  (given) => {
    const { protocol, multichain, subgraph } = given;
    const world = createReferenceWorld(protocol, { multichain, subgraph });
    const { context, facts } = world;

    it(
      "returns the same rows as the subgraph of each chain",
      () => {
        const counts = { asked: 0, rows: 0 };
        // Random filter values hardly ever match rows.
        const unfiltered = (question: Question): Question =>
          question.is === "rows" ? { ...question, page: { ...question.page, where: null } } : question;
        const questions = fc
          .tuple(questionsOf(facts, 1), fc.nat(2))
          .map(([question, filter]) => (filter === 0 ? question : unfiltered(question)));
        const one = fc.tuple(questions, fc.array(fc.nat(9999), { maxLength: 100, size: "max" }));
        fc.assert(
          fc.property(
            fc.array(fc.option(one, { freq: 100_000 }), { minLength: 20, maxLength: 20 }),
            (given) => {
              const operations = given.flatMap((some, index) => {
                if (some === null) return [];
                return dressOperation(
                  `Q${index}`,
                  [some[0]],
                  facts,
                  context.schemas.subgraph.graphql,
                  createChoices(some[1]),
                );
              });
              // Shrinking may remove every operation of a failing case.
              if (operations.length === 0) return;
              const { loaded, findings } = load(
                operations.map(({ query }) => query),
                context,
              );
              expect(
                findings.filter(
                  ({ code }) => code === "portable/internal" || code === "portable/no-chain-path",
                ),
              ).toEqual([]);
              for (const { name, variables } of operations) {
                const operation = loaded.get(name);
                // A row that is looked up without its chain id may be from another chain: `portable/unscoped-lookup`.
                if (operation === undefined || operation.unscoped || !takes(operation, variables)) continue;
                for (const chain of CHAINS) {
                  const subgraph = world.one(operation, variables, chain);
                  const multichain = readAnswer(world.all(operation, variables, [chain]), operation, chain);
                  const outcome = judge([subgraph, multichain]);
                  if (outcome === null)
                    expect(multichain, `${chain}: ${operation.multichain}`).toEqual(subgraph);
                  counts.asked++;
                  if (outcome === "rows") counts.rows++;
                }
              }
            },
          ),
          { seed: IS_THOROUGH ? Date.now() % 2 ** 31 : 17, numRuns: runs(IS_THOROUGH ? 100 : 3) },
        );
        expect(counts.rows, JSON.stringify(counts)).toBeGreaterThan(counts.asked * 0.4);
      },
      PATIENCE,
    );

    it(
      "returns the merged rows of the subgraphs of several chains, in every order",
      () => {
        const texts = [...facts.values()].flatMap((entity) => ordersOf(entity, facts));
        const { loaded, findings } = load(texts, context);
        expect(findings).toEqual([]);
        expect(loaded.size).toBe(texts.length);
        let rows = 0;
        const asked = new Set<string>();
        for (const operation of loaded.values()) {
          const { list } = operation;
          if (!list) throw new Error(`${operation.name} is not a list.`);
          for (const chains of IS_THOROUGH ? [CHAINS.slice(0, 2), CHAINS] : [CHAINS]) {
            for (const [first, skip] of PAGES) {
              const answers = chains.map((chain) =>
                world.one(operation, { first: Math.min(1000, first + skip), skip: 0 }, chain),
              );
              const all = rowsOf(world.all(operation, { first, skip }, chains), list.key);
              const merged = mergeRows(
                answers.map((answer) => rowsOf(answer, list.key)),
                list.order,
              ).slice(skip, skip + first);
              expect(all, `${operation.multichain} ${first} ${skip} ${String(chains)}`).toEqual(merged);
              rows += all.length;
              if (all.length > 0) asked.add(operation.name.split("_")[0] ?? "");
            }
          }
        }
        expect(rows).toBeGreaterThan(loaded.size * 5);
        // Including entities without a chain id.
        expect([...asked].sort()).toEqual([...facts.keys()].sort());
      },
      PATIENCE,
    );
  },
);

/** Returns whether variables are sent: values that the styles would read differently are rejected before. */
function takes(operation: Loaded, variables: Variables): boolean {
  try {
    mapVariables(operation, "subgraph", variables as never);
    return true;
  } catch (error) {
    if (error instanceof IndexerError && error.code === "invalid-variables") return false;
    throw error;
  }
}

/**
 * An operation for every order of an entity: by its own columns, and by those of its references. By default one
 * ascends and the next descends; in thorough mode each does both.
 */
function ordersOf({ name, columns }: EntityFacts, facts: ReadonlyMap<string, EntityFacts>): string[] {
  const root = `${name[0]?.toLowerCase()}${name.slice(1)}${name.endsWith("ch") ? "es" : "s"}`;
  const sortable = (all: EntityFacts["columns"]) =>
    all.filter(
      ({ kind, list, target }) => kind !== "enum" && kind !== "BigDecimal" && !list && target === null,
    );
  const paths = [
    ...sortable(columns).map((column) => [column.name]),
    ...columns.flatMap(({ name: field, target }) =>
      target === null
        ? []
        : sortable(facts.get(target)?.columns ?? [])
            .filter((column) => column.name !== "id")
            .map((column) => [field, column.name]),
    ),
  ];
  return paths.flatMap(([field = "", inner], index) =>
    (IS_THOROUGH ? ["asc", "desc"] : [index % 2 === 0 ? "asc" : "desc"]).map((direction) => {
      const order = inner === undefined ? field : `${field}__${inner}`;
      const selected = inner === undefined ? field : `${field} { ${inner} }`;
      return `query ${name}_${order}_${direction}($first: Int!, $skip: Int!) {
        ${root}(first: $first, skip: $skip, orderBy: ${order}, orderDirection: ${direction}) { id ${selected === "id" ? "" : selected} }
      }`;
    }),
  );
}

function rowsOf({ data, errors }: Answer, key: string): readonly Row[] {
  const rows = data?.[key];
  if (!Array.isArray(rows)) throw new Error(`No rows: ${JSON.stringify(errors)}`);
  return rows;
}

type Order = NonNullable<Loaded["list"]>["order"];

/** Merges the rows of several answers: numbers by value, text by code point, nulls last in ascending order. */
function mergeRows(answers: readonly (readonly Row[])[], order: Order): Row[] {
  return answers.flat().sort((a, b) => {
    for (const { path, kind, direction } of order) {
      const [left, right] = [a, b].map((row) => valueAt(row, path.split(".")));
      const sign = compare(left, right, kind);
      if (sign !== 0) return direction === "asc" ? sign : -sign;
    }
    return 0;
  });
}

function valueAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((inner, key) => (inner === null ? null : (inner as Row)[key]), value);
}

function compare(left: unknown, right: unknown, kind: Order[number]["kind"]): number {
  if (left === null || right === null) return Number(left === null) - Number(right === null);
  if (kind === "number") {
    const [a, b] = [BigInt(left as string), BigInt(right as string)];
    return a < b ? -1 : Number(a > b);
  }
  if (kind === "boolean") return Number(left) - Number(right);
  return Math.sign(Buffer.compare(Buffer.from(String(left)), Buffer.from(String(right))));
}
