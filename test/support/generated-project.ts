import { canonicalize } from "../../src/schema/canonicalize.ts";
import { hashSchema } from "../../src/schema/hash-schema.ts";
import { parseEntities } from "../../src/schema/parse-entities.ts";
import { renderSnapshot } from "../../src/snapshots/render-snapshot.ts";
import { styles } from "../../src/styles/index.ts";
import { SMALL_ENTITIES } from "./indexer-answers.ts";
import { type TempProject, tempProject } from "./temp-project.ts";

/** The text of a snapshot of an entity schema. */
export function snapshotText(style: "subgraph" | "multichain", entities = SMALL_ENTITIES): string {
  const schema = canonicalize(styles[style].derive(parseEntities(entities, "entities.graphql")));
  return renderSnapshot({ schema, hashes: hashSchema(schema) }, "lockup", style);
}

/** A project with lockup snapshots and the given operations. */
export function generatedProject(
  operations: Readonly<Record<string, string>>,
  entities = SMALL_ENTITIES,
  snapshots: readonly ("subgraph" | "multichain")[] = ["subgraph", "multichain"],
): TempProject {
  return tempProject({
    "lockflow.config.json": '{ "protocols": ["lockup"] }',
    ...Object.fromEntries(
      snapshots.map((style) => [`generated/schemas/lockup/${style}.graphql`, snapshotText(style, entities)]),
    ),
    ...Object.fromEntries(
      Object.entries(operations).map(([path, text]) => [`operations/lockup/${path}`, text]),
    ),
  });
}
