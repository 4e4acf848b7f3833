import { join } from "node:path";
import type { Types } from "@graphql-codegen/plugin-helpers";
import { OperationError } from "./errors/operation-error.ts";
import { codegenSections } from "./generate/codegen-sections.ts";
import { prepareGroups } from "./generate/generate-files.ts";
import { readGenerationInputs } from "./generate/generation-inputs.ts";
import { PROTOCOLS, type Protocol, STYLE_NAMES, type StyleName } from "./model/vocabulary.ts";
import { loadProject } from "./registry/load-project.ts";
import { renderFindings } from "./report/render-findings.ts";
import { snapshotPath } from "./snapshots/snapshot.ts";
import { styles } from "./styles/index.ts";

export type CodegenTargetOptions = {
  /** The output folder, as in the configuration. @default "generated" */
  readonly output?: string | undefined;
  /** The operations folder, as in the configuration. @default "operations" */
  readonly operations?: string | undefined;
  /** @default ["lockup", "flow"] */
  readonly protocols?: readonly Protocol[] | undefined;
  /** @default ["multichain", "subgraph"] */
  readonly styles?: readonly StyleName[] | undefined;
};

/**
 * The `generates` of a `codegen.ts`, for people who run GraphQL Code Generator's own command: it writes the
 * same bytes as `lockflow generate`, because both get them from the same sections.
 *
 * @example
 * ```ts
 * import type { CodegenConfig } from "@graphql-codegen/cli";
 * import { codegenTargets } from "lockflow/codegen";
 *
 * const config: CodegenConfig = { generates: codegenTargets() };
 * export default config;
 * ```
 */
export function codegenTargets(options: CodegenTargetOptions = {}): Record<string, Types.ConfiguredOutput> {
  const { output = "generated", operations = "operations" } = options;
  const targets: Record<string, Types.ConfiguredOutput> = {};
  for (const protocol of options.protocols ?? PROTOCOLS) {
    for (const style of options.styles ?? STYLE_NAMES) {
      targets[`${output}/${protocol}/${style}.ts`] = {
        schema: `${output}/${snapshotPath(protocol, style)}`,
        documents: `${operations}/${protocol}/${style}/**/*.{graphql,gql}`,
        preset: { buildGeneratesSection: () => buildSections(output, protocol, style) },
      };
    }
  }
  return targets;
}

async function buildSections(
  output: string,
  protocol: Protocol,
  style: StyleName,
): Promise<Types.GenerateOptions[]> {
  const project = await loadProject(process.cwd());
  const inputs = await readGenerationInputs(project);
  const groups = inputs.groups.filter((group) => group.protocol === protocol && group.style === style);
  return prepareGroups(project, { ...inputs, groups }).flatMap(({ section, findings }) => {
    if (section) return codegenSections(section, join(output, "/"));
    throw new OperationError({
      code: "OPERATIONS_INVALID",
      sentence: `The ${style} operations of ${protocol} have errors.`,
      context: renderFindings(findings).split("\n"),
      hint: "correct them; `lockflow check` shows them too.",
    });
  });
}

/**
 * Options for the stock plugins and the client preset that give a style's scalars their types and keep names
 * as the schema has them.
 *
 * @example
 * ```ts
 * "src/gql/": {
 *   schema: "generated/schemas/lockup/subgraph.graphql",
 *   documents: ["src/App.ts"],
 *   preset: "client",
 *   config: codegenOptions("subgraph"),
 * }
 * ```
 */
export function codegenOptions(style: StyleName): Record<string, unknown> {
  const scalars = Object.fromEntries(
    [...styles[style].scalars].map(([name, { typescript }]) => [
      name,
      { input: typescript, output: typescript },
    ]),
  );
  return {
    scalars: { ...scalars, ID: { input: "string", output: "string" } },
    namingConvention: "keep",
    useTypeImports: true,
    importExtension: ".js",
  };
}
