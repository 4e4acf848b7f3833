import { UsageError } from "./base/errors/usage-error.ts";
import { resolveRelease } from "./base/resolve-release.ts";
import type { Introspection } from "./fleet/introspect-project.ts";
import type { AskingOptions } from "./fleet/with-targets.ts";
import type { GenerateResult } from "./generate/generate-project.ts";
import { loadEmulator } from "./load-emulator.ts";
import type { ProjectOptions } from "./project/open-project.ts";
import type { StyleName } from "./project/vocabulary.ts";
import type { SchemaSettings } from "./styles/style.ts";

// What the command line does, as functions: plain options in, results out. Nothing here prints or ends a process, and
// everything is loaded by the call, because configurations import this module too.

/**
 * Asks every deployment for its schema, and updates the snapshots. Who fails changes none, and is told of in the result.
 *
 * @param options the project, and whom to ask.
 * @returns what became of every deployment, and of the files.
 * @throws ConfigError before anybody is asked: a key is missing, or the configuration is not valid.
 * @throws SchemaError for a snapshot that cannot be read, and FileError for one that cannot be written.
 * @example
 * ```ts
 * import { introspect } from "lockflow";
 *
 * const { deployments, written } = await introspect({ cwd: ".", env: process.env });
 * const failed = deployments.filter(({ status }) => status !== "introspected");
 * console.log(`${failed.length} failed, ${written.length} files changed`);
 * ```
 */
export async function introspect(options: IntrospectOptions): Promise<Introspection> {
  const { openProject } = await import("./project/open-project.ts");
  const { withTargets } = await import("./fleet/with-targets.ts");
  const { introspectProject } = await import("./fleet/introspect-project.ts");
  const project = await openProject(options);
  return withTargets(project, options, (opened) => introspectProject(project, opened, options.onProgress));
}

/** What `introspect` is told. */
export type IntrospectOptions = AskingOptions;

/**
 * Turns the operations into typed documents and a manifest, as `lockflow generate` does: all files or, with errors in
 * the operations, none.
 *
 * @param options the project.
 * @returns what was found, and what became of the files.
 * @throws OperationError when there are no operations, SchemaError for a snapshot that is missing or cannot be read.
 * @throws ConfigError, and FileError for a file that cannot be written.
 * @example
 * ```ts
 * import { generate } from "lockflow";
 *
 * const { failed, written } = await generate({ cwd: "." });
 * for (const { place, message } of failed) console.log(`${place?.file}:${place?.line} ${message}`);
 * if (failed.length === 0) console.log(`${written.length} files changed`);
 * ```
 */
export async function generate(options: GenerateOptions): Promise<GenerateResult> {
  const { openProject } = await import("./project/open-project.ts");
  const { generateProject } = await import("./generate/generate-project.ts");
  return generateProject(await openProject(options));
}

/** What `generate` is told. */
export type GenerateOptions = Pick<ProjectOptions, "cwd" | "config" | "onNotice">;

/**
 * Derives the API schema that a platform makes of an entity schema, as `lockflow derive` does.
 *
 * @param options the entity schema, the platform, and what its operator set.
 * @returns the schema, as SDL and as the answer to the introspection query.
 * @throws SchemaError for entities that the platform refuses, with all of its reasons.
 * @throws UsageError for a release or a setting that the platform does not have.
 * @example
 * ```ts
 * import { derive } from "lockflow";
 *
 * const entities = "type Stream @entity(immutable: false) { id: ID! amount: BigInt! }";
 * const { sdl } = await derive({ entities, style: "subgraph", release: "graph-node-0.40" });
 * console.log(sdl.includes("input Stream_filter"));
 * ```
 */
export async function derive({
  entities,
  style: name,
  path,
  release,
  ...settings
}: DeriveOptions): Promise<DerivedSchema> {
  const { styles } = await import("./styles/index.ts");
  const style = styles[name];
  const resolved = release === undefined ? undefined : resolveRelease(release, style.platform);
  if (resolved === null)
    throw new UsageError({
      sentence: `${style.platform.name} has no release "${release}".`,
      hint: `the releases are ${style.platform.releases.join(", ")}.`,
    });
  const foreign = Object.keys(settings).find(
    (setting) => !style.platform.settings.some((known) => known === setting),
  );
  if (foreign !== undefined)
    throw new UsageError({ sentence: `"${foreign}" does not go with the ${name} style, which has none.` });
  const place = path ?? "the entity schema";
  const { servedStyles } = await loadEmulator();
  const { parseEntities } = await import("./schema/parse-entities.ts");
  const { canonicalize } = await import("./schema/canonicalize.ts");
  const { renderSdl } = await import("./schema/render-sdl.ts");
  const { buildIntrospection } = await import("./schema/build-introspection.ts");
  const how = { ...settings, release: resolved };
  await servedStyles[name].validate(entities, place, how);
  const schema = style.derive(parseEntities(entities, place, style.platform.readBlockString), how);
  return { sdl: renderSdl(canonicalize(schema)), introspection: buildIntrospection(schema) };
}

/** What `derive` is told, with what the platform's operator set. */
export type DeriveOptions = SchemaSettings & {
  /** The text of the entity schema. */
  readonly entities: string;
  /** The style of the platform: graph-node for `subgraph`, Envio and Hasura for `multichain`. */
  readonly style: StyleName;
  /** A release of the platform: `graph-node-0.44`, or `0.44`. @default one that is in use */
  readonly release?: string | undefined;
  /** What errors call the text. @default "the entity schema" */
  readonly path?: string | undefined;
};

/** The API schema of an indexer. */
export type DerivedSchema = {
  /** In canonical form, as a snapshot is. */
  readonly sdl: string;
  /** The `data` of an answer to the introspection query, in the server's order. */
  readonly introspection: { readonly __schema: Readonly<Record<string, unknown>> };
};
