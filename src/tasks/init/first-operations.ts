import { join, resolve } from "node:path";
import { readOwnFile } from "../../base/own-package.ts";
import { readText } from "../../base/read-files.ts";
import { capitalize } from "../../base/text.ts";
import { type ApiSchema, baseTypeName, fieldsOf, isList, isRequired } from "../../dialects/api-schema.ts";
import { deriveAccepted } from "../../dialects/derive-entities.ts";
import { styles } from "../../dialects/index.ts";
import { parseSdl } from "../../dialects/parse-sdl.ts";
import { resolveOwnOptions } from "../../dialects/platform.ts";
import { AUTHORED_STYLE } from "../../dialects/portable-style.ts";
import type { ResolvedProtocol } from "../../dialects/protocol.ts";
import { type Protocol, STYLE_NAMES, type StyleName, surfaceId } from "../../dialects/surface.ts";
import { CHAIN_FIELD } from "../../operations/portable/compile-list.ts";
import { missingEntityFile } from "../../project/missing-file.ts";
import type { Project } from "../../project/project.ts";
import { BUILT_IN_PROTOCOLS, EXAMPLE_RECIPIENT } from "../../project/protocols.ts";
import { deriveMissingSchema } from "../../workspace/missing-style.ts";
import { snapshotPath } from "../../workspace/snapshot.ts";

/** The first operation of a surface, and the facts to run it. */
export type FirstOperation = {
  readonly name: string;
  /** The key of the rows in the answer. */
  readonly rows: string;
  /** A value of its variable `recipient` that has rows in the emulator; null if it has no required variable. */
  readonly recipient: string | null;
  /** Whether one text serves both styles of its protocol. */
  readonly isPortable: boolean;
  /** Renders it in the dialect of a style. */
  readonly render: (style: StyleName) => string;
};

/**
 * Finds the first operation of each surface of some protocols, by the id of the surface. Built-in protocols have a
 * template. Other protocols list the ids of one entity, once its schema is known.
 *
 * @throws ConfigError if a file of entities is missing, SchemaError if its platform refuses it.
 */
export async function findFirstOperations(
  project: Pick<Project, "root" | "output" | "definitions">,
  protocols: ReadonlySet<Protocol>,
): Promise<ReadonlyMap<string, FirstOperation>> {
  const operations = new Map<string, FirstOperation>();
  for (const definition of project.definitions.filter(({ key }) => protocols.has(key))) {
    const { key, styles: deployed, entities } = definition;
    const isBuiltIn = BUILT_IN_PROTOCOLS.includes(key) && Object.keys(entities).length === 0;
    const schemas = isBuiltIn ? new Map() : await readSchemas(project, definition);
    const common = isBuiltIn ? builtIn(key, deployed) : listEntity(definition, schemas);
    for (const style of deployed) {
      const alone = new Map([...schemas].filter(([name]) => name === style));
      const operation = isBuiltIn || alone.size > 0 ? (common ?? listEntity(definition, alone)) : null;
      if (operation !== null) operations.set(surfaceId({ protocol: key, style }), operation);
    }
  }
  return operations;
}

function builtIn(protocol: Protocol, deployed: readonly StyleName[]): FirstOperation {
  return {
    name: "StreamsByRecipient",
    rows: "streams",
    recipient: EXAMPLE_RECIPIENT,
    // The multichain style has no type for addresses, so a portable text needs the types of subgraphs.
    isPortable: deployed.includes(AUTHORED_STYLE),
    render: (style) =>
      readOwnFile(`${TEMPLATES}/streams.${style}.graphql`).replace(
        "    # Fields of the protocol.\n",
        readOwnFile(`${TEMPLATES}/${protocol}.fields`),
      ),
  };
}

const TEMPLATES = "src/tasks/init/templates/operations";

type Schemas = ReadonlyMap<StyleName, ApiSchema>;

/**
 * Lists the ids of an entity that all schemas have: one with a cursor, else the one that identifies the protocol, else the
 * first whose rows can be found by their chain, else the first.
 */
function listEntity(
  { styles: deployed, cursors, identity, chainPath, chains, release }: ResolvedProtocol,
  schemas: Schemas,
): FirstOperation | null {
  const [first] = schemas;
  if (first === undefined) return null;
  const [style, schema] = first;
  const model = styles[style].schemas.read(schema);
  const listed = model.definitions
    .filter((definition) => definition.kind === "entity")
    .filter(({ name }) => [...schemas.values()].every((other) => findRoot(other, name) !== undefined));
  const hasChain = ({ name: entity, fields }: (typeof listed)[number]) =>
    Object.hasOwn(chainPath, entity) || fields.some(({ name }) => name === CHAIN_FIELD);
  // One text serves both styles if rows can be found by their chain. A missing style is given one.
  const needsNoChain = chains?.length === 1 || !deployed.includes("multichain");
  const chosen =
    listed.find(({ name }) => Object.hasOwn(cursors, name)) ??
    listed.find(({ name }) => name === identity.protocol?.entity) ??
    listed.find((definition) => needsNoChain || hasChain(definition)) ??
    listed[0];
  if (chosen === undefined) return null;
  const { name: entity } = chosen;
  const isPortable = needsNoChain || hasChain(chosen);
  // Both styles get the same names, and portable operations those of the subgraph style.
  const named =
    schemas.get(AUTHORED_STYLE) ??
    (isPortable ? deriveMissingSchema({ release }, AUTHORED_STYLE, model) : undefined);
  const rows = (named && findRoot(named, entity)) ?? entity;
  const name = rows === entity ? `${entity}List` : capitalize(rows);
  return {
    name,
    rows,
    recipient: null,
    isPortable,
    render: (dialect) =>
      readOwnFile(`${TEMPLATES}/own.${dialect}.graphql`)
        .replace("Rows", name)
        .replace("rows: Entity", rows === entity ? entity : `${rows}: ${entity}`)
        .replace(/^ {2}rows\(/m, `  ${rows}(`),
  };
}

/** Finds the root field that lists an entity without required arguments. */
function findRoot(schema: ApiSchema, entity: string): string | undefined {
  return fieldsOf(schema, schema.queryType).find(
    ({ type, args }) =>
      isList(type) &&
      baseTypeName(type) === entity &&
      !args.some((arg) => isRequired(arg.type) && arg.defaultValue === null),
  )?.name;
}

/** Derives the schema of each style from its entities, or else reads the snapshot. */
async function readSchemas(
  { root, output }: Pick<Project, "root" | "output">,
  { key: protocol, styles: deployed, entities, ...platforms }: ResolvedProtocol,
): Promise<Schemas> {
  const schemas = new Map<StyleName, ApiSchema>();
  for (const style of deployed) {
    const path = entities[style];
    if (path === undefined) {
      const snapshot = join(output, snapshotPath({ protocol, style }));
      const text = await readText(join(root, snapshot));
      if (text !== null) schemas.set(style, parseSdl(text, snapshot));
      continue;
    }
    const text = await readText(resolve(root, path));
    if (text === null) throw missingEntityFile({ key: protocol, entities }, style);
    const sharedBy = STYLE_NAMES.every((other) => entities[other] === path) ? protocol : undefined;
    const options = resolveOwnOptions(platforms, styles[style]);
    const { schema } = await deriveAccepted(style, { name: path, text, sharedBy }, options);
    schemas.set(style, schema);
  }
  return schemas;
}
