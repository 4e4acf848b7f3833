import { renderFleetRecord } from "../../src/workspace/fleet-record.ts";
import { fleetRows, generatedProject, snapshotText } from "./generated-project.ts";
import { SMALL_ENTITIES } from "./indexer-answers.ts";
import { run } from "./run.ts";
import { type TempProject, tempProject } from "./temp-project.ts";

/** An entity more. */
export const REVENUE = "type Revenue @entity { id: String! amount: BigInt! }";

/** The entities with a field that only the multichain indexers of a diverging project have. */
export const NOTED_ENTITIES = SMALL_ENTITIES.replace("chainId: BigInt!", "chainId: BigInt! note: String");

/** A project, generated, whose styles agree in all but one field of the multichain style. */
export async function divergingProject(
  query = "query Recent { streams(first: 5) { id sender } }",
): Promise<TempProject> {
  return projectWith(query, NOTED_ENTITIES);
}

const generated = new Map<string, Readonly<Record<string, string>>>();

/**
 * A project, generated, whose multichain style has entities of its own. What generating gives is the same every time, so
 * it is done once in a test file.
 */
export async function projectWith(query: string, multichain: string): Promise<TempProject> {
  const key = `${query}\n${multichain}`;
  const known = generated.get(key);
  const project =
    known === undefined ? generatedProject({ "subgraph/recent.graphql": query }) : tempProject(known);
  setEntities(project, "multichain", multichain);
  if (known === undefined) {
    await run(project.root, ["generate"]);
    generated.set(key, project.files());
  }
  return project;
}

const entitiesOf = new WeakMap<TempProject, Map<"subgraph" | "multichain", string>>();

/** Lets all deployments of a style serve other entities, as `introspect` would have written it. */
export function setEntities(project: TempProject, style: "subgraph" | "multichain", entities: string): void {
  const known = entitiesOf.get(project) ?? new Map();
  known.set(style, entities);
  entitiesOf.set(project, known);
  project.write(`generated/schemas/lockup/${style}.graphql`, snapshotText(style, entities));
  const rows = (["subgraph", "multichain"] as const).flatMap((name) =>
    fleetRows(name, known.get(name) ?? SMALL_ENTITIES),
  );
  project.write("generated/schemas/deployments.json", renderFleetRecord(rows));
}
