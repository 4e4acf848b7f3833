import { join } from "node:path";
import { doubtProtocol } from "../fleet/check-protocol.ts";
import { readKnownModels } from "../fleet/known-models.ts";
import { findProtocols, findTelling } from "../fleet/protocol-marks.ts";
import type { Project } from "../project/project.ts";
import { withBuiltIn } from "../project/protocols/resolve-protocols.ts";
import type { Protocol } from "../project/vocabulary.ts";
import type { ApiSchema } from "../schema/api-schema.ts";
import { readSnapshots } from "../snapshots/read-snapshots.ts";
import type { Style } from "../styles/style.ts";

/**
 * Recognizes the protocol that a schema is of: by its mark, and one that no mark tells by its entities; null where that
 * is none, or more than one.
 */
export async function recognizeProtocol(
  schema: ApiSchema,
  style: Style,
  { root, output, surfaces, definitions }: Project,
): Promise<Protocol | null> {
  const model = style.read(schema);
  const all = withBuiltIn(definitions);
  const marked = only(findProtocols(model, all));
  const isConfigured = definitions.some(({ key }) => key === marked);
  const telling = findTelling(all);
  const unmarked = definitions.filter(({ key }) => !telling.has(key));
  if (isConfigured || unmarked.length === 0) return marked;
  const own = surfaces.filter((surface) => surface.style === style.name);
  const known = await readKnownModels(root, definitions, await readSnapshots(join(root, output), own));
  const ofStyle = (protocol: Protocol) => known({ protocol, style: style.name });
  const alike = unmarked.filter(
    ({ key }) => ofStyle(key) !== null && doubtProtocol(key, model, ofStyle, all) === null,
  );
  return only(alike.map(({ key }) => key)) ?? marked;
}

function only<T>(items: readonly T[]): T | null {
  return items.length === 1 ? (items[0] ?? null) : null;
}
