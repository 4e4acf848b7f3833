import { resolve } from "node:path";
import { ConfigError } from "../../src/base/errors.ts";
import { readText } from "../../src/base/read-files.ts";
import type { ResolvedProtocol } from "../../src/dialects/protocol.ts";
import { type Protocol, STYLE_NAMES, type StyleName } from "../../src/dialects/surface.ts";
import type { Project } from "../../src/project/project.ts";
import { hasEntities } from "../../src/project/project.ts";
import type { OwnProtocol } from "../custom/own-protocol.ts";
import { parseRowsText } from "./parse-rows-text.ts";

/**
 * Reads the entities, and the rows where there are any, of a project's protocols whose definition names them.
 *
 * @throws ConfigError for files that are not there.
 * @throws EmulatorError `EMULATOR_ROWS_INVALID` for rows that are not JSON.
 */
export async function readOwnProtocols(
  root: Project["root"],
  definitions: readonly ResolvedProtocol[],
): Promise<Record<Protocol, OwnProtocol>> {
  const protocols: [Protocol, OwnProtocol][] = [];
  for (const definition of definitions) {
    if (!hasEntities(definition)) continue;
    protocols.push([definition.key, await readProtocol(root, definition)]);
  }
  return Object.fromEntries(protocols);
}

async function readProtocol(root: string, definition: ResolvedProtocol): Promise<OwnProtocol> {
  const { key, entities: paths, rows: rowsPath, identity, chainPath, cursors, ids } = definition;
  const entities: { [S in StyleName]?: string } = {};
  for (const style of STYLE_NAMES) {
    const path = paths[style];
    if (path === undefined) continue;
    const isForBoth = STYLE_NAMES.every((other) => paths[other] === path);
    entities[style] = await read(root, path, `protocols.${key}.entities${isForBoth ? "" : `.${style}`}`);
  }
  const chain = identity.chain && { chain: `${identity.chain.entity}.${identity.chain.field}` };
  return {
    entities,
    ...(rowsPath !== null && {
      rows: parseRowsText(rowsPath, await read(root, rowsPath, `protocols.${key}.rows`)),
    }),
    identity: chain ?? {},
    chainPath,
    cursors,
    ids,
    places: { entities: paths, ...(rowsPath !== null && { rows: rowsPath }) },
  };
}

async function read(root: string, path: string, place: string): Promise<string> {
  const text = await readText(resolve(root, path));
  if (text !== null) return text;
  throw new ConfigError({
    code: "CONFIG_INVALID_VALUE",
    sentence: `"${place}" names "${path}", which is no file.`,
    hint: "give its path from the configuration's folder.",
  });
}
