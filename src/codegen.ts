/**
 * For a `codegen.ts` of GraphQL Code Generator, whose plugins are loaded from the project that has it.
 *
 * @packageDocumentation
 */

import { posix } from "node:path";
import type { CodegenConfig } from "@graphql-codegen/cli";
import type { Types } from "@graphql-codegen/plugin-helpers";
import { parse } from "graphql";
import { OperationError } from "./base/errors/operation-error.ts";
import { prepareSurfaces } from "./generate/generate-files.ts";
import { readGenerationInputs } from "./generate/generation-inputs.ts";
import { renderDocuments } from "./generate/render-documents.ts";
import { loadProject } from "./project/load-project.ts";
import { BUILT_IN_PROTOCOLS } from "./project/protocols/built-in.ts";
import { isOf, type Surface, surfacesOf } from "./project/surface.ts";
import { type Protocol, STYLE_NAMES, type StyleName } from "./project/vocabulary.ts";
import { renderFindings } from "./report/render-findings.ts";
import { snapshotPath } from "./snapshots/snapshot.ts";
import { styles } from "./styles/index.ts";

/** Which files a `codegen.ts` makes. Folders are those of `lockflow.config.ts`, from the current folder. */
export type CodegenTargetOptions = {
  /** The output folder, as in the configuration. @default "generated" */
  readonly output?: string | undefined;
  /** The operations folder, as in the configuration. @default "operations" */
  readonly operations?: string | undefined;
  /** The protocols to generate for. @default ["lockup", "flow"] */
  readonly protocols?: readonly Protocol[] | undefined;
  /** The styles to generate for. @default ["multichain", "subgraph"] */
  readonly styles?: readonly StyleName[] | undefined;
};

/**
 * The `generates` of a `codegen.ts`: GraphQL Code Generator's own command writes the same bytes as `lockflow generate`.
 *
 * @param options the folders, protocols and styles, where they are not the usual ones.
 * @returns a file for each protocol and style, and its strings beside it. Running them throws an `OperationError`
 *   when operations have errors, and a `ConfigError` when the configuration has.
 * @example
 * ```ts
 * import type { CodegenConfig } from "@graphql-codegen/cli";
 * import { codegenTargets } from "lockflow/codegen";
 *
 * const config: CodegenConfig = { generates: codegenTargets() };
 * export default config;
 * ```
 */
export function codegenTargets(options: CodegenTargetOptions = {}): CodegenConfig["generates"] {
  const { output = "generated", operations = "operations" } = options;
  const targets: CodegenConfig["generates"] = {};
  for (const surface of surfacesOf(
    (options.protocols ?? BUILT_IN_PROTOCOLS).map((key) => ({ key, styles: STYLE_NAMES })),
  )) {
    if (options.styles?.includes(surface.style) === false) continue;
    targets[`${output}/${surface.id}.ts`] = {
      schema: `${output}/${snapshotPath(surface)}`,
      documents: `${operations}/${surface.id}/**/*.{graphql,gql}`,
      preset: { buildGeneratesSection: () => buildSections(output, surface) },
    };
  }
  return targets;
}

async function buildSections(output: string, surface: Surface): Promise<Types.GenerateOptions[]> {
  const project = await loadProject(process.cwd());
  const inputs = await readGenerationInputs(project);
  const groups = inputs.groups.filter(isOf(surface));
  const sections: Types.GenerateOptions[] = [];
  for (const { documents, findings } of prepareSurfaces(project, { ...inputs, groups })) {
    if (!documents) {
      throw new OperationError({
        code: "OPERATIONS_INVALID",
        sentence: `The ${surface.style} operations of ${surface.protocol} have errors.`,
        context: renderFindings(findings).split("\n"),
        hint: "correct them; `lockflow check` shows them too.",
      });
    }
    // Finished text, and any schema as a syntax tree: objects of our copy of graphql would be refused by another.
    for (const { path, content } of await renderDocuments(documents)) {
      sections.push({
        filename: posix.join(output, path),
        schema: NO_SCHEMA,
        documents: [],
        config: {},
        plugins: [{ lockflow: {} }],
        pluginMap: { lockflow: { plugin: () => content } },
      });
    }
  }
  return sections;
}

/** Nothing is left to be made of one. */
const NO_SCHEMA = parse("type Query { none: Boolean }", { noLocation: true });

/**
 * Options for the stock plugins and the client preset: the types of a style's scalars, and names as the schema has them.
 *
 * @param style the style whose dialect the documents are written in.
 * @returns what an output has as its `config`.
 * @example
 * ```ts
 * import type { CodegenConfig } from "@graphql-codegen/cli";
 * import { codegenOptions } from "lockflow/codegen";
 *
 * const config: CodegenConfig = {
 *   generates: {
 *     "src/gql/": {
 *       schema: "generated/schemas/lockup/subgraph.graphql",
 *       documents: ["src/App.ts"],
 *       preset: "client",
 *       config: codegenOptions("subgraph"),
 *     },
 *   },
 * };
 * export default config;
 * ```
 */
export function codegenOptions(style: StyleName): Record<string, unknown> {
  const scalars = [...styles[style].scalars].map(([name, { typescript }]) => [name, both(typescript)]);
  return {
    scalars: { ...Object.fromEntries(scalars), ID: both("string") },
    namingConvention: "keep",
    useTypeImports: true,
    importExtension: ".js",
  };
}

function both(type: string) {
  return { input: type, output: type };
}
