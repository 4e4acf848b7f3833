import { findEntityRenames } from "../compare/find-entity-renames.ts";
import { readSide } from "../compare/schema-side.ts";
import type { ApiSchema } from "../schema/api-schema.ts";
import { canonicalize } from "../schema/canonicalize.ts";
import type { DeriveOptions, Style } from "../styles/style.ts";
import type { DeriveEntities } from "./derive-entities.ts";

/** The text of an entity schema. */
export type EntityText = {
  /** As errors and reports name it: a path, or a path at a git ref. */
  readonly name: string;
  readonly text: string;
};

/**
 * Derives the canonical schema of an entity SDL under the settings of a deployed API. A setting that names an entity
 * follows it to its new name, and goes with it: the operator is taken to keep up with the authors.
 *
 * @param shown the schema that the settings were recognised from; null where there is none.
 * @throws SchemaError for a text that the platform refuses.
 */
export async function derivePlanned(
  style: Style,
  { name, text }: EntityText,
  { aggregates = [], ...options }: DeriveOptions,
  shown: ApiSchema | null,
  derive: DeriveEntities,
): Promise<ApiSchema> {
  const plain = canonicalize(await derive(style.name, text, name, options));
  if (aggregates.length === 0 || shown === null) return plain;
  const types = new Set(plain.types.map((type) => type.name));
  const renames = findEntityRenames(readSide(shown, style).model, style.read(plain));
  const renamed = renames.filter(({ from }) => aggregates.includes(from)).map(({ to }) => to);
  const followed = [...aggregates.filter((entity) => types.has(entity)), ...renamed];
  return canonicalize(await derive(style.name, text, name, { ...options, aggregates: followed }));
}
