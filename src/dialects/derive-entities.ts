import { orNull, SchemaError } from "../base/errors.ts";
import type { ApiSchema } from "./api-schema.ts";
import type { EntityModel } from "./entity-model.ts";
import { styles } from "./index.ts";
import { parseEntities } from "./parse-entities.ts";
import type { DeriveOptions } from "./platform.ts";
import type { Protocol, StyleName } from "./surface.ts";

/** The text of an entity schema. */
export type EntityText = {
  /** Its name in errors and reports: a path, or a path at a git ref. */
  readonly name: string;
  readonly text: string;
  /** The protocol that uses the text for both of its styles. */
  readonly sharedBy?: Protocol | undefined;
};

/**
 * Checks that a release of a platform accepts an entity schema, and derives its API.
 *
 * @throws SchemaError with all reasons of the platform to refuse it, and the release that accepts it; or with a syntax
 *   error.
 */
export async function deriveAccepted(
  style: StyleName,
  entities: EntityText,
  options: DeriveOptions,
): Promise<{ readonly model: EntityModel; readonly schema: ApiSchema }> {
  try {
    return await derive(options);
  } catch (error) {
    if (!(error instanceof SchemaError) || error.code !== "SCHEMA_ENTITIES_INVALID") throw error;
    const { code, sentence, context, problems } = error;
    const { sharedBy } = entities;
    const acceptedBy = await findAccepting();
    const correct =
      sharedBy === undefined
        ? error.hint
        : `correct the file, or give each style its own: protocols.${sharedBy}.entities: { multichain, subgraph }.`;
    const hint =
      acceptedBy === null
        ? correct
        : `${acceptedBy} accepts it. If that release is deployed, set it with --release, or as \`release\` in the protocol's definition. Otherwise ${correct}`;
    throw new SchemaError({ code, sentence, context, problems, acceptedBy, hint, cause: error });
  }

  async function derive(attempt: DeriveOptions) {
    const { deriver } = styles[style];
    await deriver.validate(entities.text, entities.name, attempt);
    const model = parseEntities(entities.text, entities.name);
    return { model, schema: deriver.derive(model, attempt) };
  }

  async function findAccepting(): Promise<string | null> {
    const { releases, defaultRelease, name } = styles[style].platform;
    for (const release of releases.slice(releases.indexOf(options.release ?? defaultRelease) + 1)) {
      if ((await orNull(() => derive({ ...options, release }))) !== null) return `${name}-${release}`;
    }
    return null;
  }
}

/**
 * Derives the API schema of an entity schema in the server's order, after checking that the platform accepts it.
 *
 * @throws SchemaError with all reasons of the platform to refuse it, or with a syntax error.
 */
export async function deriveEntities(
  style: StyleName,
  { name, text }: EntityText,
  options: DeriveOptions,
): Promise<ApiSchema> {
  const { schema } = await deriveAccepted(style, { name, text }, options);
  return schema;
}
