import { expect, it } from "vitest";
import { styles } from "../../src/dialects/index.ts";
import type { Outcome } from "../../src/fleet/outcome.ts";
import { planSnapshots } from "../../src/fleet/plan-snapshots.ts";
import { createSchemaReader, type SchemaReading } from "../../src/fleet/read-schema.ts";
import { resolveProject } from "../../src/project/project.ts";
import { BUILT_IN_DEFINITIONS } from "../support/built-in-definitions.ts";
import { introspectionAnswer } from "../support/indexer-answers.ts";
import { NO_PROBE } from "./outcomes.ts";

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

const READINGS: Readonly<Record<string, SchemaReading>> = {
  s: serving("a"),
  L: serving("a", "b", "c", "d"),
  o: serving("z"),
  d: serving('"Short name." a'),
  D: serving('"The name of the stream." a'),
};

/** The text of the base, its chains and the number of files, for a reading per deployment; a dash for one that failed. */
function plan(readings: string, follow?: string) {
  const outcomes = fleet.flatMap((deployment, index): Outcome[] => {
    const reading = READINGS[readings[index] ?? ""];
    return reading ? [{ kind: "introspected", deployment, reading, probe: NO_PROBE, notes: [] }] : [];
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

// Small and large schemas (s, L), and another one (o).
it.each<[name: string, readings: string, base: string, files: number, follow?: string]>([
  ["is the only schema", "ssss", "base gnosis linea ethereum", 1],
  ["is the schema of most chains, even if it is smaller", "sLss", "base linea ethereum", 2],
  ["is the schema of most chains if it is larger", "LsLL", "base linea ethereum", 2],
  ["is the larger schema if exactly half of the chains serve each", "sLsL", "gnosis ethereum", 2],
  ["does not depend on deployments that did not answer", "Ls-s", "gnosis ethereum", 2],
  ["is the most frequent schema, even if only half of the chains serve it", "soLs", "base ethereum", 3],
  ["is the schema of the followed deployment", "sssL", "ethereum", 2, "protocol-lockup-mainnet"],
])("the base snapshot of a fleet %s", (_, readings, base, files, follow) => {
  expect(plan(readings, follow)).toMatchObject({ base: base.split(" "), files });
});

// Short and long descriptions (d, D).
it.each([
  ["dDdd", "Short name."],
  ["DdDD", "The name of the stream."],
])(
  "chains whose schemas differ only in descriptions share one file with those of most: %s",
  (readings, want) => {
    const { text, files } = plan(readings);
    expect(files).toBe(1);
    expect(READINGS["d"]?.hashes.schema).toBe(READINGS["D"]?.hashes.schema);
    const used = ["Short name.", "The name of the stream."].filter((words) => text?.includes(words));
    expect(used).toEqual([want]);
  },
);

it("chains whose schemas differ only in descriptions share the same file if each has as many chains", () => {
  expect(plan("dDdD").text).toBe(plan("DdDd").text);
});
