import { createRequire } from "node:module";
import type * as TsMorph from "ts-morph";
import { GENERATED_MARK, type OutputFile } from "../files/output-file.ts";
import type { Chain } from "../model/chain.ts";
import type { Deployment, Endpoint } from "../model/deployment.ts";
import { IS_PER_CHAIN, type Protocol, type StyleName } from "../model/vocabulary.ts";
import { isIdentifier } from "../utils/identifier.ts";
import type { Coverage } from "./generate-documents.ts";

// Imported, a CommonJS module is first searched for its exports, which for nine megabytes of compiler takes a
// third of the time of loading it.
const { IndentationText, Project, StructureKind }: typeof TsMorph = createRequire(import.meta.url)(
  "ts-morph",
);

/** What the manifest says. It holds no key and no variable's value. */
export type ManifestInput = {
  readonly asOf: string;
  readonly chains: readonly Chain[];
  readonly deployments: readonly Deployment[];
  readonly operations: readonly {
    readonly protocol: Protocol;
    readonly style: StyleName;
    readonly coverage: readonly Coverage[];
  }[];
};

/** Builds the manifest module: chains, deployments and endpoints as constants, one row a line. */
export function buildManifest(input: ManifestInput): OutputFile {
  const project = new Project({
    useInMemoryFileSystem: true,
    manipulationSettings: { indentationText: IndentationText.TwoSpaces },
  });
  const file = project.createSourceFile("manifest.ts", {
    statements: [
      `// ${GENERATED_MARK} from the chain registry and the configuration. Do not edit; run \`lockflow generate\`.\n`,
      constant(
        "chains",
        `The chains, as of ${input.asOf}, by key. \`multichain\` is a chain's name on the multichain indexers, \`subgraph\` its suffix in the names of subgraph deployments; null where it has none.`,
        input.chains.map((chain) => [chain.key, chainRow(chain)]),
      ),
      constant(
        "deployments",
        "The deployments by name. A multichain deployment serves all of its chains from one endpoint.",
        input.deployments.map((deployment) => [deployment.name, deploymentRow(deployment)]),
      ),
      constant(
        "endpoints",
        "The endpoints by deployment and environment. `url` is null where none is configured; `requiresKey` is there where an API key is; `auth` names the environment variable whose value is sent as `Authorization: Bearer`, to `host` only.",
        input.deployments.map(({ name, endpoints }) => [
          name,
          Object.fromEntries(endpoints.map((endpoint) => [endpoint.environment, endpointRow(endpoint)])),
        ]),
      ),
      constant(
        "operations",
        'The generated operations by protocol and style, each with the chains it is valid on; "all" is every chain of the style.',
        operationRows(input.operations),
      ),
      ...TYPES.map(
        ([name, type, doc]): TsMorph.TypeAliasDeclarationStructure => ({
          kind: StructureKind.TypeAlias,
          isExported: true,
          name,
          type,
          docs: [doc],
          leadingTrivia: (writer) => writer.newLine(),
        }),
      ),
    ],
  });
  return { path: "manifest.ts", content: file.getFullText().replaceAll("\r\n", "\n") };
}

const TYPES = [
  ["ChainKey", "keyof typeof chains", "Our key of a chain: `ethereum`."],
  ["ChainId", '(typeof chains)[ChainKey]["chainId"]', "A chain id as a number."],
  ["DeploymentName", "keyof typeof deployments", "The name of a deployment."],
  ["Protocol", '(typeof deployments)[DeploymentName]["protocol"]', "A token-streaming protocol."],
  ["StyleName", '(typeof deployments)[DeploymentName]["style"]', "How an indexer is deployed."],
] as const;

type Rows = readonly (readonly [key: string, value: unknown])[];

/** A constant as a statement of its own: an initializer's lines would be indented once more. */
function constant(name: string, doc: string, rows: Rows): TsMorph.WriterFunction {
  return (writer) => {
    writer.newLine().writeLine(`/** ${doc} */`);
    writer.write(`export const ${name} = `).inlineBlock(() => {
      for (const [key, value] of rows) writer.writeLine(`${propertyName(key)}: ${literal(value)},`);
    });
    writer.write(" as const;");
  };
}

function chainRow(chain: Chain): Record<string, unknown> {
  return {
    chainId: chain.chainId,
    caip2: `eip155:${chain.chainId}`,
    name: chain.name,
    multichain: chain.multichainName,
    subgraph: chain.subgraphSuffix,
    testnet: chain.testnet,
    blockExplorer: chain.blockExplorer,
    ...(chain.aliases.length > 0 ? { aliases: chain.aliases } : {}),
    ...(chain.status === "retired" ? { status: chain.status } : {}),
  };
}

function deploymentRow({ protocol, style, chains, status, links }: Deployment): Record<string, unknown> {
  const row: Record<string, unknown> = { protocol, style };
  if (IS_PER_CHAIN[style]) row["chain"] = chains[0];
  else row["chains"] = chains;
  if (status === "retired") row["status"] = status;
  if (links.playground !== null) row["playground"] = links.playground;
  if (links.explorer !== null) row["explorer"] = links.explorer;
  return row;
}

function endpointRow({ url, requiresKey, auth, dailyQueries }: Endpoint): Record<string, unknown> {
  return {
    url,
    ...(requiresKey ? { requiresKey } : {}),
    ...(auth.kind === "bearer" ? { auth: { env: auth.env, host: auth.host } } : {}),
    ...(dailyQueries === null ? {} : { dailyQueries }),
  };
}

function operationRows(groups: ManifestInput["operations"]): Rows {
  const byProtocol = new Map<string, Record<string, unknown>>();
  for (const { protocol, style, coverage } of groups) {
    const styles = byProtocol.get(protocol) ?? {};
    styles[style] = Object.fromEntries(
      coverage.map(({ operation, chains, missing }) => [operation, missing.length === 0 ? "all" : chains]),
    );
    byProtocol.set(protocol, styles);
  }
  return [...byProtocol];
}

/** A value as TypeScript on one line. JSON would quote every key. */
function literal(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(literal).join(", ")}]`;
  if (typeof value === "object" && value !== null) {
    const members = Object.entries(value).map(([key, member]) => `${propertyName(key)}: ${literal(member)}`);
    return members.length === 0 ? "{}" : `{ ${members.join(", ")} }`;
  }
  return JSON.stringify(value).replaceAll("\u2028", "\\u2028").replaceAll("\u2029", "\\u2029");
}

function propertyName(key: string): string {
  // A plain `__proto__: …` in a literal would set the prototype instead of a member.
  if (key === "__proto__") return '["__proto__"]';
  return isIdentifier(key) ? key : JSON.stringify(key);
}
