import { describe, expect, it } from "vitest";
import { styles } from "../../src/dialects/index.ts";
import type { Outcome } from "../../src/fleet/outcome.ts";
import { planSnapshots } from "../../src/fleet/plan-snapshots.ts";
import { createSchemaReader, type SchemaReading } from "../../src/fleet/read-schema.ts";
import { resolveProject } from "../../src/project/project.ts";
import { BUILT_IN_DEFINITIONS } from "../support/built-in-definitions.ts";
import { introspectionAnswer } from "../support/indexer-answers.ts";

/** In the order of the deployment names, like plans. */
const CHAINS = ["base", "gnosis", "linea", "ethereum"];
const fleet = resolveProject({ protocols: ["lockup"] }, "/").deployments.filter(
  ({ style, chains }) => style === "subgraph" && CHAINS.some((key) => chains.includes(key)),
);

/** The schema of a subgraph whose one entity has these fields. */
function serving(...fields: readonly string[]): SchemaReading {
  const entities = `type Stream @entity { id: ID! ${fields.map((name) => `${name}: String`).join(" ")} }`;
  const bytes = new TextEncoder().encode(introspectionAnswer("subgraph", entities));
  return createSchemaReader(BUILT_IN_DEFINITIONS, [])(bytes, styles.subgraph);
}

const SMALL = serving("a");
const LARGE = serving("a", "b", "c", "d");
const OTHER = serving("z");

/** The text of the base, its chains and the number of files, for one reading per deployment; null if it failed. */
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

describe("the base snapshot of a fleet", () => {
  it.each<
    [name: string, readings: readonly (SchemaReading | null)[], base: string, files: number, follow?: string]
  >([
    ["is the only schema", [SMALL, SMALL, SMALL, SMALL], "base gnosis linea ethereum", 1],
    [
      "is the schema of most chains, even if it is smaller",
      [SMALL, LARGE, SMALL, SMALL],
      "base linea ethereum",
      2,
    ],
    ["is the schema of most chains if it is larger", [LARGE, SMALL, LARGE, LARGE], "base linea ethereum", 2],
    [
      "is the larger schema if half of the chains serve each",
      [SMALL, LARGE, SMALL, LARGE],
      "gnosis ethereum",
      2,
    ],
    ["does not depend on deployments that did not answer", [LARGE, SMALL, null, SMALL], "gnosis ethereum", 2],
    [
      "is the most frequent schema, even of half of the chains",
      [SMALL, OTHER, LARGE, SMALL],
      "base ethereum",
      3,
    ],
    [
      "is the schema of the followed deployment, even if others serve another",
      [SMALL, SMALL, SMALL, LARGE],
      "ethereum",
      2,
      "protocol-lockup-mainnet",
    ],
  ])("%s", (_, readings, base, files, follow) => {
    expect(plan(readings, follow)).toMatchObject({ base: base.split(" "), files });
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

  it("share the same file if each description has as many chains", () => {
    expect(plan([short, long, short, long]).text).toBe(plan([long, short, long, short]).text);
  });
});
