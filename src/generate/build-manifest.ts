import { GENERATED_MARK, type OutputFile } from "../base/disk/output-file.ts";
import { capitalize } from "../base/identifier.ts";
import type { Project } from "../project/project.ts";
import type { Protocol } from "../project/vocabulary.ts";
import type { Text } from "../runtime/manifest-types.ts";
import type { SurfaceCoverage } from "./generate-documents.ts";
import { manifestFunctions } from "./manifest-functions.ts";
import { buildSources, chainRow, deploymentRow, operationRow, servedChains } from "./manifest-rows.ts";
import { type ManifestPart, manifestTypes } from "./manifest-types.ts";
import { runtimeSource } from "./runtime-source.ts";
import { propertyName, typescriptLiteral } from "./typescript-literal.ts";

/** What the manifest says. It holds no key and no variable's value. */
export type ManifestInput = Pick<Project, "brand" | "shared" | "protocols" | "chains" | "deployments"> & {
  readonly asOf: string;
  readonly operations: readonly SurfaceCoverage[];
};

/** Builds the manifest module: chains, deployments and operations as constants, and functions that look them up. */
export function buildManifest(input: ManifestInput): OutputFile {
  const parts = input.protocols
    .map((protocol): ManifestPart => {
      const deployments = input.deployments.filter((deployment) => deployment.protocol === protocol);
      return { protocol, deployments };
    })
    .filter(({ deployments }) => deployments.length > 0);
  const protocols = parts.map(({ protocol }) => protocol);
  const statements = [
    `// ${GENERATED_MARK} from the chain registry and the configuration. Do not edit; run \`lockflow generate\`.`,
    constant(
      "chains",
      `The chains, as of ${input.asOf}, by key. \`multichain\` is a chain's name on the multichain indexers, \`subgraph\` its suffix in the names of subgraph deployments, \`shortName\` its name by EIP-3770; null where it has none. \`secondsPerBlock\` is about right; null where it is not known.`,
      input.chains.map((chain) => row(chain.key, typescriptLiteral(chainRow(chain)))),
    ),
    ...parts.map(({ protocol, deployments }) =>
      constant(
        `${protocol}Deployments`,
        `The deployments of ${capitalize(protocol)} by name. A multichain deployment serves all of its chains from one endpoint.`,
        deployments.map((deployment) => row(deployment.name, typescriptLiteral(deploymentRow(deployment)))),
      ),
    ),
    allDeployments(protocols),
    ...parts.map(({ protocol, deployments }) =>
      constant(
        `${protocol}Operations`,
        `The generated operations of ${capitalize(protocol)} by style, each with the chains it is valid on; "all" is every chain of the style.`,
        input.operations.flatMap(({ style, coverage, ...surface }) => {
          if (surface.protocol !== protocol) return [];
          const served = servedChains(deployments, style, "production");
          const rows = coverage.map((one) =>
            row(one.operation, typescriptLiteral(operationRow(one, served))),
          );
          return block(style, rows);
        }),
      ),
    ),
    allOperations(protocols),
    ...manifestTypes(parts),
    ...manifestFunctions(protocols),
    ...parts.map((part) => served(part, input)),
    runtimeSource(),
  ];
  return { path: "manifest.ts", content: `${statements.join("\n\n")}\n` };
}

function constant(name: string, doc: string, lines: readonly string[]): string {
  return [`/** ${doc} */`, `export const ${name} = {`, ...indent(lines), "} as const;"].join("\n");
}

function row(key: string, literal: string): string {
  return `${propertyName(key)}: ${literal},`;
}

function block(key: string, lines: readonly string[]): string[] {
  return [`${key}: {`, ...indent(lines), "},"];
}

function indent(lines: readonly string[]): string[] {
  return lines.map((line) => `  ${line}`);
}

function allDeployments(protocols: readonly Protocol[]): string {
  const names = protocols.map((protocol) => `${protocol}Deployments`);
  const type = names.map((name) => `typeof ${name}`).join(" & ");
  // A bundler keeps a spread, which might run code; a pure call falls away.
  return `/** All deployments by name. */\nexport const deployments: ${type} = /* @__PURE__ */ Object.assign({}, ${names.join(", ")});`;
}

function allOperations(protocols: readonly Protocol[]): string {
  const type = protocols.map((protocol) => `readonly ${protocol}: typeof ${protocol}Operations`).join("; ");
  const value = protocols.map((protocol) => `${protocol}: ${protocol}Operations`).join(", ");
  return `/** All generated operations by protocol and style. */\nexport const operations: { ${type} } = { ${value} };`;
}

function served({ protocol, deployments }: ManifestPart, { brand, shared }: ManifestInput): string {
  const { values, endpoints, links } = buildSources(shared, deployments, protocol);
  const lines = [
    row("protocol", typescriptLiteral(protocol)),
    row("brand", typescriptLiteral(brand)),
    ...sourceRow("values", values),
    row("deployments", `${protocol}Deployments`),
    ...block(
      "endpoints",
      Object.entries(endpoints).flatMap(([name, { url, ...rest }]) => sourceRow(name, { url }, rest)),
    ),
    ...block(
      "links",
      Object.entries(links).flatMap(([name, { playground, explorer }]) =>
        sourceRow(name, { playground, explorer }),
      ),
    ),
  ];
  return [
    `/** How ${capitalize(protocol)} is served. \`env\` names a variable; a key is never read here. */`,
    `const ${protocol}: Served = {`,
    ...indent(lines),
    "};",
  ].join("\n");
}

/**
 * A row of texts, each of which may be in a variable, and of other members. A variable is read by its whole name, which
 * bundlers replace. `process` is not declared, because some bundlers would take it for a variable of the module.
 */
function sourceRow(
  name: string,
  texts: Readonly<Record<string, Text | null | undefined>>,
  rest: object = {},
): string[] {
  const members = Object.entries(texts).flatMap(([key, text]) =>
    text == null ? [] : [`${propertyName(key)}: ${textLiteral(text)}`],
  );
  const others = typescriptLiteral(rest).replace(/^\{ ?| ?\}$/g, "");
  const literal = [...members, ...(others === "" ? [] : [others])].join(", ");
  const line = row(name, literal === "" ? "{}" : `{ ${literal} }`);
  const hasVariable = Object.values(texts).some((text) => text != null && typeof text === "object");
  return hasVariable ? ["// @ts-ignore: process has no type in every project", line] : [line];
}

function textLiteral(text: Text): string {
  const literal = typescriptLiteral(text);
  return typeof text === "string" ? literal : literal.replace("{", `{ read: () => process.env.${text.env},`);
}
