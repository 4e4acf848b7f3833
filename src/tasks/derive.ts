import { UsageError } from "../base/errors.ts";
import { canonicalize } from "../dialects/canonicalize.ts";
import { deriveEntities } from "../dialects/derive-entities.ts";
import { styles } from "../dialects/index.ts";
import { buildIntrospection } from "../dialects/introspection.ts";
import { requireRelease, type SchemaSettings } from "../dialects/platform.ts";
import { renderSdl } from "../dialects/render-sdl.ts";
import type { StyleName } from "../dialects/surface.ts";

/** Derives an API schema. See `derive` in `src/index.ts`. */
export async function derive(options: DeriveOptions): Promise<DerivedSchema> {
  const { entities, style: name, path, release, ...settings } = options;
  const { platform } = styles[name];
  const resolved = release === undefined ? platform.defaultRelease : requireRelease(release, platform);
  const names: readonly string[] = platform.settings;
  const foreign = Object.keys(settings).find((setting) => !names.includes(setting));
  if (foreign !== undefined)
    throw new UsageError({ sentence: `The ${name} style has no setting "${foreign}".` });
  const schema = await deriveEntities(
    name,
    { name: path ?? "the entity schema", text: entities },
    { ...settings, release: resolved },
  );
  return {
    release: `${platform.name}-${resolved}`,
    sdl: renderSdl(canonicalize(schema)),
    introspection: buildIntrospection(schema),
  };
}

/** The options of `derive`, with the settings of the platform's operator. */
export type DeriveOptions = SchemaSettings & {
  /** The text of the entity schema. */
  readonly entities: string;
  /** The style of the platform: graph-node for `subgraph`, Envio and Hasura for `multichain`. */
  readonly style: StyleName;
  /** A release of the platform: `graph-node-0.44` or `0.44`. @default a release in use */
  readonly release?: string | undefined;
  /** The name of the text in errors. @default "the entity schema" */
  readonly path?: string | undefined;
};

/** The API schema of an indexer. */
export type DerivedSchema = {
  /** The release of the platform that it was derived for: `graph-node-0.44`. */
  readonly release: string;
  /** In canonical form, like a snapshot. */
  readonly sdl: string;
  /** The `data` of an answer to the introspection query, in the server's order. */
  readonly introspection: { readonly __schema: Readonly<Record<string, unknown>> };
};
