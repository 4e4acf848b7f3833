import { join, resolve } from "node:path";
import { ConfigError } from "../../base/errors.ts";
import { readText } from "../../base/read-files.ts";
import type { ApiSchema } from "../../dialects/api-schema.ts";
import { styles } from "../../dialects/index.ts";
import { parseEntities } from "../../dialects/parse-entities.ts";
import { parseSdl } from "../../dialects/parse-sdl.ts";
import { AUTHORED_STYLE } from "../../dialects/portable-style.ts";
import { hintAtTwoFiles, type ResolvedProtocol } from "../../dialects/protocol.ts";
import type { RowList } from "../../dialects/row-list.ts";
import { type Protocol, STYLE_NAMES, type StyleName, surfaceId } from "../../dialects/surface.ts";
import { toGraphqlSchema } from "../../dialects/to-graphql-schema.ts";
import { parseOperations } from "../../operations/parse-operations.ts";
import { compileSet } from "../../operations/portable/prepare-portable.ts";
import type { Project } from "../../project/project.ts";
import { BUILT_IN } from "../../project/protocols.ts";
import { isBreaking } from "../../report/finding.ts";
import { snapshotPath } from "../../workspace/snapshot.ts";
import { chooseRowList } from "./choose-row-list.ts";

/** What a surface's first operation lists, and a value for its variable where it has one. */
export type Start = RowList & {
  readonly sample: string | null;
  /** Whether it is written once, for both styles of its protocol. */
  readonly isPortable: boolean;
};

/**
 * Finds what the first operation of every surface of some protocols lists, by id: what is known of a protocol that ships,
 * else what its entities or its snapshots have, in all styles where that is possible. A surface without a schema has none.
 *
 * @throws ConfigError for entities that are no file, SchemaError for those that their platform refuses.
 */
export async function readStarts(
  project: Pick<Project, "root" | "output" | "definitions">,
  protocols: ReadonlySet<Protocol>,
): Promise<ReadonlyMap<string, Start>> {
  const starts = new Map<string, Start>();
  for (const definition of project.definitions.filter(({ key }) => protocols.has(key))) {
    for (const [style, start] of await readStartsOf(project, definition)) {
      starts.set(surfaceId({ protocol: definition.key, style }), start);
    }
  }
  return starts;
}

async function readStartsOf(
  project: Pick<Project, "root" | "output">,
  definition: ResolvedProtocol,
): Promise<readonly (readonly [StyleName, Start])[]> {
  const { key: protocol, styles: own, entities } = definition;
  const known = BUILT_IN.find(({ key }) => key === protocol)?.start;
  const hasBoth = STYLE_NAMES.every((style) => own.includes(style));
  if (known && Object.keys(entities).length === 0) {
    return own.map((style) => [style, { ...known, isPortable: hasBoth }]);
  }
  const schemas = new Map<StyleName, ApiSchema>();
  // The last style keeps fields as they were written, the first in order of name.
  for (const style of own.toReversed()) {
    const schema = await readSchema(project, definition, style);
    if (schema !== null) schemas.set(style, schema);
  }
  const common = chooseRowList(schemas, definition);
  const isPortable = hasBoth && common !== null && compiles(common, definition, schemas);
  return [...schemas].flatMap(([style, schema]) => {
    const list = common ?? chooseRowList(new Map([[style, schema]]), definition);
    return list ? [[style, { ...list, sample: null, isPortable }] as const] : [];
  });
}

/** Whether what lists rows on subgraphs can be asked of the other style, too. */
function compiles(
  list: RowList,
  definition: ResolvedProtocol,
  schemas: ReadonlyMap<StyleName, ApiSchema>,
): boolean {
  const { key: protocol } = definition;
  const facts = STYLE_NAMES.map((style) => {
    const api = schemas.get(style);
    return api && { api, graphql: toGraphqlSchema(api), model: styles[style].schemas.read(api) };
  });
  const [multichain, subgraph] = facts;
  if (!multichain || !subgraph) return false;
  const source = { path: "first.graphql", text: styles[AUTHORED_STYLE].portable.writeRowList(list) };
  const { set } = parseOperations([source], protocol, AUTHORED_STYLE);
  const { findings } = compileSet(set, { definition, schemas: { multichain, subgraph } });
  return !findings.some(isBreaking);
}

/** The schema that a style derives of the entities, else that of the snapshot; null where there is neither. */
async function readSchema(
  { root, output }: Pick<Project, "root" | "output">,
  { key: protocol, entities }: ResolvedProtocol,
  style: StyleName,
): Promise<ApiSchema | null> {
  const path = entities[style];
  if (path === undefined) {
    const snapshot = join(output, snapshotPath({ protocol, style }));
    const text = await readText(join(root, snapshot));
    return text === null ? null : parseSdl(text, snapshot);
  }
  const text = await readText(resolve(root, path));
  if (text !== null) {
    const { deriver, platform } = styles[style];
    try {
      await deriver.validate(text, path);
    } catch (error) {
      throw STYLE_NAMES.every((other) => entities[other] === path) ? hintAtTwoFiles(error, protocol) : error;
    }
    return deriver.derive(parseEntities(text, path, platform.readBlockString));
  }
  throw new ConfigError({
    code: "CONFIG_INVALID_VALUE",
    sentence: `"protocols.${protocol}.entities" names "${path}", which is no file.`,
    hint: "give its path from the configuration's folder.",
  });
}
