import { cached } from "../../src/base/collections.ts";
import { canonicalize, hashSchema } from "../../src/dialects/canonicalize.ts";
import { styles } from "../../src/dialects/index.ts";
import { parseEntities } from "../../src/dialects/parse-entities.ts";
import { STYLE_NAMES, type StyleName } from "../../src/dialects/surface.ts";
import { resolveProject } from "../../src/project/project.ts";
import { type FleetRow, renderFleetRecord } from "../../src/workspace/fleet-record.ts";
import { hashEntities, snapshotPath } from "../../src/workspace/snapshot.ts";
import { renderSnapshot } from "../../src/workspace/snapshot-schema.ts";
import { SMALL_ENTITIES } from "./indexer-answers.ts";
import { inFolder } from "./repository.ts";
import { type TempProject, tempProject } from "./temp-project.ts";

const LOCKUP = resolveProject({ protocols: ["lockup"] }, "/");

/** The text of a snapshot of an entity schema. */
export function snapshotText(style: StyleName, entities = SMALL_ENTITIES): string {
  return readingOf(style, entities).text;
}

/** The rows of the fleet record when every lockup deployment of a style serves one entity schema. */
export function fleetRows(style: StyleName, entities = SMALL_ENTITIES): FleetRow[] {
  const { hashes, entities: hash } = readingOf(style, entities);
  return LOCKUP.deployments
    .filter((deployment) => deployment.style === style)
    .map(({ name, chains }) => ({
      name,
      protocol: "lockup",
      style,
      chains,
      ...hashes,
      entities: hash,
      snapshot: snapshotPath({ protocol: "lockup", style }),
    }));
}

/** A project with lockup snapshots, the record of the fleet that serves them, and the given operations. */
export function generatedProject(
  operations: Readonly<Record<string, string>>,
  entities = SMALL_ENTITIES,
  snapshots: readonly StyleName[] = STYLE_NAMES,
): TempProject {
  return tempProject({
    "lockflow.config.json": '{ "protocols": ["lockup"] }',
    ...Object.fromEntries(
      snapshots.map((style) => [`generated/schemas/lockup/${style}.graphql`, snapshotText(style, entities)]),
    ),
    "generated/schemas/deployments.json": renderFleetRecord(
      snapshots.flatMap((style) => fleetRows(style, entities)),
    ),
    ...inFolder("operations/lockup", operations),
  });
}

/** What most tests ask for again and again. */
const readings = new Map<string, ReturnType<typeof readEntities>>();

function readingOf(style: StyleName, entities: string) {
  return cached(readings, `${style} ${entities}`, () => readEntities(style, entities));
}

function readEntities(style: StyleName, entities: string) {
  const schema = canonicalize(styles[style].deriver.derive(parseEntities(entities, "entities.graphql")));
  const hashes = hashSchema(schema);
  return {
    hashes,
    entities: hashEntities(styles[style].schemas.read(schema)),
    text: renderSnapshot(schema, { protocol: "lockup", style }),
  };
}
