import { GENERATED_MARK, type OutputFile } from "../base/disk/output-file.ts";
import { capitalize } from "../base/identifier.ts";
import type { Chain } from "../project/chain.ts";
import type { Deployment } from "../project/deployment.ts";
import type { Project } from "../project/project.ts";
import { PROTOCOLS, type Protocol, type StyleName } from "../project/vocabulary.ts";
import type { Text } from "../runtime/manifest-types.ts";
import type { Coverage } from "./generate-documents.ts";
import { manifestFunctions } from "./manifest-functions.ts";
import { buildSources, chainRow, deploymentRow, operationRow, servedChains } from "./manifest-rows.ts";
import { manifestTypes } from "./manifest-types.ts";
import { runtimeSource } from "./runtime-source.ts";
import { propertyName, typescriptLiteral } from "./typescript-literal.ts";

/** What the manifest says. It holds no key and no variable's value. */
export type ManifestInput = {
  readonly asOf: string;
  readonly brand: string;
  readonly shared: Project["shared"];
  readonly chains: readonly Chain[];
  readonly deployments: readonly Deployment[];
  readonly operations: readonly OperationGroup[];
};

type OperationGroup = {
  readonly protocol: Protocol;
  readonly style: StyleName;
  readonly coverage: readonly Coverage[];
};

/** One protocol's part of the manifest. Nothing of one is in another's, so that a bundler can leave it out. */
type Part = {
  readonly protocol: Protocol;
  readonly deployments: readonly Deployment[];
  readonly groups: readonly OperationGroup[];
};

/** Builds the manifest module: chains, deployments and operations as constants, and functions that look them up. */
export function buildManifest(input: ManifestInput): OutputFile {
  const parts = PROTOCOLS.map((protocol): Part => {
    const isOwn = (item: { readonly protocol: Protocol }) => item.protocol === protocol;
    return {
      protocol,
      deployments: input.deployments.filter(isOwn),
      groups: input.operations.filter(isOwn),
    };
  }).filter(({ deployments }) => deployments.length > 0);
  const statements = [
    `// ${GENERATED_MARK} from the chain registry and the configuration. Do not edit; run \`lockflow generate\`.`,
    constant(
      "chains",
      `The chains, as of ${input.asOf}, by key. \`multichain\` is a chain's name on the multichain indexers, \`subgraph\` its suffix in the names of subgraph deployments; null where it has none.`,
      input.chains.map((chain) => row(chain.key, typescriptLiteral(chainRow(chain)))),
    ),
    ...parts.map(({ protocol, deployments }) =>
      constant(
        `${protocol}Deployments`,
        `The deployments of ${capitalize(protocol)} by name. A multichain deployment serves all of its chains from one endpoint.`,
        deployments.map((deployment) => row(deployment.name, typescriptLiteral(deploymentRow(deployment)))),
      ),
    ),
    allDeployments(parts),
    ...parts.map(({ protocol, deployments, groups }) =>
      constant(
        `${protocol}Operations`,
        `The generated operations of ${capitalize(protocol)} by style, each with the chains it is valid on; "all" is every chain of the style.`,
        groups.flatMap(({ style, coverage }) => {
          const served = servedChains(deployments, style, "production");
          return block(
            style,
            coverage.map((one) => row(one.operation, typescriptLiteral(operationRow(one, served)))),
          );
        }),
      ),
    ),
    allOperations(parts),
    ...manifestTypes(parts),
    ...manifestFunctions(parts.map(({ protocol }) => protocol)),
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

function allDeployments(parts: readonly Part[]): string {
  const names = parts.map(({ protocol }) => `${protocol}Deployments`);
  const type = names.map((name) => `typeof ${name}`).join(" & ");
  // A bundler keeps a spread, which might run code; a pure call falls away.
  return `/** All deployments by name. */\nexport const deployments: ${type} = /* @__PURE__ */ Object.assign({}, ${names.join(", ")});`;
}

function allOperations(parts: readonly Part[]): string {
  const type = parts.map(({ protocol }) => `readonly ${protocol}: typeof ${protocol}Operations`).join("; ");
  const value = parts.map(({ protocol }) => `${protocol}: ${protocol}Operations`).join(", ");
  return `/** All generated operations by protocol and style. */\nexport const operations: { ${type} } = { ${value} };`;
}

function served({ protocol, deployments }: Part, { brand, shared }: ManifestInput): string {
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
      Object.entries(links).flatMap(([name, link]) => sourceRow(name, link)),
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
 * is what bundlers put a value in the place of. `process` is not declared: some bundlers would take it for a variable
 * of the module then.
 */
function sourceRow(
  name: string,
  texts: Readonly<Record<string, Text | undefined>>,
  rest: object = {},
): string[] {
  const members = Object.entries(texts).flatMap(([key, text]) =>
    text === undefined ? [] : [`${propertyName(key)}: ${textLiteral(text)}`],
  );
  const others = typescriptLiteral(rest).replace(/^\{ ?| ?\}$/g, "");
  const literal = [...members, ...(others === "" ? [] : [others])].join(", ");
  const line = row(name, literal === "" ? "{}" : `{ ${literal} }`);
  const hasVariable = Object.values(texts).some((text) => typeof text === "object");
  return hasVariable ? ["// @ts-ignore: process has no type in every project", line] : [line];
}

function textLiteral(text: Text): string {
  const literal = typescriptLiteral(text);
  return typeof text === "string" ? literal : literal.replace("{", `{ read: () => process.env.${text.env},`);
}
