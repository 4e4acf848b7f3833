import { describe, expect, it } from "vitest";
import { styles } from "../../src/dialects/index.ts";
import type { Outcome } from "../../src/fleet/outcome.ts";
import { planSnapshots } from "../../src/fleet/plan-snapshots.ts";
import { createSchemaReader, type SchemaReading } from "../../src/fleet/read-schema.ts";
import { resolveProject } from "../../src/project/project.ts";
import { BUILT_IN_DEFINITIONS } from "../support/built-in-definitions.ts";
import { introspectionAnswer } from "../support/indexer-answers.ts";

/** In order of name, as plans have them. */
const CHAINS = ["base", "gnosis", "linea", "ethereum"];
const fleet = resolveProject({ protocols: ["lockup"] }, "/").deployments.filter(
  ({ style, chains }) => style === "subgraph" && CHAINS.some((key) => chains.includes(key)),
);

/** What a subgraph answers whose one entity has these fields. */
function serving(...fields: readonly string[]): SchemaReading {
  const entities = `type Stream @entity { id: ID! ${fields.map((name) => `${name}: String`).join(" ")} }`;
  const bytes = new TextEncoder().encode(introspectionAnswer("subgraph", entities));
  return createSchemaReader(BUILT_IN_DEFINITIONS, [])(bytes, styles.subgraph);
}

const SMALL = serving("a");
const LARGE = serving("a", "b", "c", "d");
const OTHER = serving("z");

/** The chains that serve the base, and how many files there are, when each of the fleet answers so; null failed. */
function plan(readings: readonly (SchemaReading | null)[], follow?: string) {
  const outcomes = fleet.flatMap((deployment, index): Outcome[] => {
    const reading = readings[index];
    if (!reading) return [];
    const probe = { chainIds: null, heads: [], hasIndexingErrors: false, deployment: null };
    return [{ kind: "introspected", deployment, reading, probe, notes: [] }];
  });
  const { rows, files } = planSnapshots({
    deployments: fleet,
    outcomes,
    rows: [],
    snapshots: [],
    follow: follow === undefined ? {} : { lockup: follow },
  });
  const isBase = (path: string) => path === "schemas/lockup/subgraph.graphql";
  return {
    text: files.find(({ path }) => isBase(path))?.content,
    base: rows.filter(({ snapshot }) => isBase(snapshot)).map(({ chains }) => chains.join()),
    files: files.map(({ path }) => path).filter((path) => path.endsWith(".graphql")).length,
  };
}

describe("the base of a fleet", () => {
  it.each<[name: string, readings: readonly (SchemaReading | null)[], base: readonly string[]]>([
    [
      "is what most chains serve, however little it has",
      [SMALL, LARGE, SMALL, SMALL],
      ["base", "linea", "ethereum"],
    ],
    [
      "is what most chains serve, where it has most",
      [LARGE, SMALL, LARGE, LARGE],
      ["base", "linea", "ethereum"],
    ],
    [
      "is what has more, where exactly half serve either",
      [SMALL, LARGE, SMALL, LARGE],
      ["gnosis", "ethereum"],
    ],
    ["is not decided by those who did not answer", [LARGE, SMALL, null, SMALL], ["gnosis", "ethereum"]],
    ["needs no more than half of the chains", [SMALL, OTHER, LARGE, SMALL], ["base", "ethereum"]],
  ])("%s", (_, readings, base) => {
    expect(plan(readings).base).toEqual(base);
  });

  it("is that of the followed deployment, whichever others serve it", () => {
    expect(plan([SMALL, SMALL, SMALL, LARGE], "protocol-lockup-mainnet").base).toEqual(["ethereum"]);
  });

  it("keeps a file for every schema that is served", () => {
    expect(plan([SMALL, LARGE, OTHER, SMALL]).files).toBe(3);
    expect(plan([SMALL, SMALL, SMALL, SMALL]).files).toBe(1);
  });
});

describe("chains whose schemas differ only in descriptions", () => {
  const short = serving('"Short name." a');
  const long = serving('"The name of the stream." a');

  it.each([
    [[short, long, short, short], "Short name."],
    [[long, short, long, long], "The name of the stream."],
  ])("share one file with the descriptions of most chains: %#", (readings, want) => {
    const { text, files } = plan(readings);
    expect(files).toBe(1);
    expect([short, long].map(({ hashes }) => hashes.schema)).toEqual(Array(2).fill(short.hashes.schema));
    expect(["Short name.", "The name of the stream."].filter((words) => text?.includes(words))).toEqual([
      want,
    ]);
  });

  it("share the same file if as many chains have either", () => {
    expect(plan([short, long, short, long]).text).toBe(plan([long, short, long, short]).text);
  });
});
