import { createRequire } from "node:module";
import type * as TsMorph from "ts-morph";
import { GENERATED_MARK, type OutputFile } from "../base/disk/output-file.ts";
import { capitalize } from "../base/identifier.ts";
import type { Chain } from "../project/chain.ts";
import type { Deployment } from "../project/deployment.ts";
import type { Project } from "../project/project.ts";
import { PROTOCOLS, type Protocol, STYLE_NAMES, type StyleName } from "../project/vocabulary.ts";
import type { Text } from "../runtime/manifest-types.ts";
import type { Coverage } from "./generate-documents.ts";
import { manifestFunctions } from "./manifest-functions.ts";
import { chainRow, deploymentRow, operationRow, servedChains } from "./manifest-rows.ts";
import { buildSources } from "./manifest-sources.ts";
import { type ManifestType, manifestUnions } from "./manifest-unions.ts";
import { RUNTIME_SOURCE } from "./runtime-source.ts";
import { propertyName, typescriptLiteral } from "./typescript-literal.ts";

// Imported, a CommonJS module is first searched for its exports, which for nine megabytes of compiler takes a
// third of the time of loading it.
const {
  IndentationText,
  Project: TsProject,
  StructureKind,
}: typeof TsMorph = createRequire(import.meta.url)("ts-morph");

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
  const project = new TsProject({
    useInMemoryFileSystem: true,
    manipulationSettings: { indentationText: IndentationText.TwoSpaces },
  });
  const file = project.createSourceFile("manifest.ts", {
    statements: [
      `// ${GENERATED_MARK} from the chain registry and the configuration. Do not edit; run \`lockflow generate\`.\n`,
      constant(
        "chains",
        `The chains, as of ${input.asOf}, by key. \`multichain\` is a chain's name on the multichain indexers, \`subgraph\` its suffix in the names of subgraph deployments; null where it has none.`,
        input.chains.map((chain) => [chain.key, typescriptLiteral(chainRow(chain))]),
      ),
      ...parts.map(deploymentRows),
      allDeployments(parts),
      ...parts.map(operationRows),
      allOperations(parts),
      ...manifestTypes(parts).map(
        ([name, type, doc, parameters = []]): TsMorph.TypeAliasDeclarationStructure => ({
          kind: StructureKind.TypeAlias,
          isExported: true,
          name,
          type,
          docs: [doc],
          typeParameters: [...parameters],
          leadingTrivia: (writer) => writer.newLine(),
        }),
      ),
      ...manifestFunctions(parts.map(({ protocol }) => protocol)).map(
        (declaration): TsMorph.FunctionDeclarationStructure => ({
          kind: StructureKind.Function,
          isExported: true,
          ...declaration,
        }),
      ),
      ...parts.map((part) => served(part, input)),
      (writer) => writer.newLine().write(RUNTIME_SOURCE.trimEnd()),
    ],
  });
  const text = file.getFullText().replaceAll("\r\n", "\n");
  return {
    path: "manifest.ts",
    content: `${text
      .replace(/ +$/gm, "")
      .replace(/\n{3,}/g, "\n\n")
      .trimEnd()}\n`,
  };
}

function manifestTypes(parts: readonly Part[]): ManifestType[] {
  const protocols = parts.map(({ protocol }) => JSON.stringify(protocol)).join(" | ");
  return [
    ["ChainKey", "keyof typeof chains", "Our key of a chain: `ethereum`."],
    ["ChainId", '(typeof chains)[ChainKey]["chainId"]', "A chain id as a number."],
    ["Caip2", '(typeof chains)[ChainKey]["caip2"]', "A chain id with its namespace: `eip155:1`."],
    ["DeploymentName", "keyof typeof deployments", "The name of a deployment."],
    ["Protocol", protocols, "A token-streaming protocol."],
    ["StyleName", STYLE_NAMES.map((name) => JSON.stringify(name)).join(" | "), "How an indexer is deployed."],
    ["Environment", '"production" | "testing"', "Which URL of a deployment is meant."],
    ...manifestUnions(parts),
    [
      "StyleChains",
      `{ ${parts.map(({ protocol }) => `readonly ${protocol}: { readonly multichain: ${capitalize(protocol)}MultichainChain; readonly subgraph: ${capitalize(protocol)}SubgraphChain }`).join("; ")} }`,
      "The chains of each style of a protocol.",
    ],
    [
      "OperationChain",
      "(typeof operations)[P][S][Name] extends readonly (infer Key)[] ? Key : StyleChains[P][S]",
      "The chains an operation is valid on.",
      [
        "P extends keyof typeof operations & keyof StyleChains",
        "S extends keyof (typeof operations)[P] & keyof StyleChains[P]",
        "Name extends keyof (typeof operations)[P][S]",
      ],
    ],
  ];
}

type Rows = readonly (readonly [key: string, literal: string])[];

/** A constant as a statement of its own: an initializer's lines would be indented once more. */
function constant(name: string, doc: string, rows: Rows): TsMorph.WriterFunction {
  return (writer) => {
    writer.newLine().writeLine(`/** ${doc} */`);
    writer.write(`export const ${name} = `).inlineBlock(() => writeRows(writer, rows));
    writer.write(" as const;");
  };
}

function writeRows(writer: TsMorph.CodeBlockWriter, rows: Rows): void {
  for (const [key, literal] of rows) writer.writeLine(`${propertyName(key)}: ${literal},`);
}

function deploymentRows({ protocol, deployments }: Part): TsMorph.WriterFunction {
  return constant(
    `${protocol}Deployments`,
    `The deployments of ${capitalize(protocol)} by name. A multichain deployment serves all of its chains from one endpoint.`,
    deployments.map((deployment) => [deployment.name, typescriptLiteral(deploymentRow(deployment))]),
  );
}

function allDeployments(parts: readonly Part[]): TsMorph.WriterFunction {
  const names = parts.map(({ protocol }) => `${protocol}Deployments`);
  const type = names.map((name) => `typeof ${name}`).join(" & ");
  // A spread might run somebody's code, for all a bundler knows, and would be kept.
  return (writer) =>
    writer
      .newLine()
      .writeLine("/** All deployments by name. */")
      .write(`export const deployments: ${type} = /* @__PURE__ */ Object.assign({}, ${names.join(", ")});`);
}

function operationRows({ protocol, deployments, groups }: Part): TsMorph.WriterFunction {
  return (writer) => {
    writer
      .newLine()
      .writeLine(
        `/** The generated operations of ${capitalize(protocol)} by style, each with the chains it is valid on; "all" is every chain of the style. */`,
      )
      .write(`export const ${protocol}Operations = `)
      .inlineBlock(() => {
        for (const { style, coverage } of groups) {
          const served = servedChains(deployments, style, "production");
          writer.write(`${style}: `).inlineBlock(() => {
            writeRows(
              writer,
              coverage.map((one) => [one.operation, typescriptLiteral(operationRow(one, served))]),
            );
          });
          writer.write(",").newLine();
        }
      })
      .write(" as const;");
  };
}

function allOperations(parts: readonly Part[]): TsMorph.WriterFunction {
  const type = parts.map(({ protocol }) => `readonly ${protocol}: typeof ${protocol}Operations`).join("; ");
  const value = parts.map(({ protocol }) => `${protocol}: ${protocol}Operations`).join(", ");
  return (writer) =>
    writer
      .newLine()
      .writeLine("/** All generated operations by protocol and style. */")
      .write(`export const operations: { ${type} } = { ${value} };`);
}

function served({ protocol, deployments }: Part, { brand, shared }: ManifestInput): TsMorph.WriterFunction {
  const { values, endpoints, links } = buildSources(shared, deployments, protocol);
  const rows = {
    endpoints: Object.entries(endpoints).map(([name, { url, ...row }]): Row => [name, { url }, row]),
    links: Object.entries(links).map(([name, row]): Row => [name, row, {}]),
  };
  return (writer) => {
    writer
      .newLine()
      .writeLine(
        `/** How ${capitalize(protocol)} is served. \`env\` names a variable; a key is never read here. */`,
      )
      .write(`const ${protocol}: Served = `)
      .inlineBlock(() => {
        writeRows(writer, [
          ["protocol", typescriptLiteral(protocol)],
          ["brand", typescriptLiteral(brand)],
        ]);
        writeSources(writer, [["values", values, {}]]);
        writeRows(writer, [["deployments", `${protocol}Deployments`]]);
        for (const [name, list] of Object.entries(rows)) {
          writer.write(`${name}: `).inlineBlock(() => writeSources(writer, list));
          writer.write(",").newLine();
        }
      })
      .write(";");
  };
}

/** Its name, its texts that may be in variables, and the rest of it. */
type Row = readonly [name: string, texts: Readonly<Record<string, Text | undefined>>, rest: object];

/**
 * Every variable is read by its whole name, because that is what bundlers put a value in the place of. `process` is not
 * declared: some bundlers would take it for a variable of the module then.
 */
function writeSources(writer: TsMorph.CodeBlockWriter, rows: readonly Row[]): void {
  for (const [name, texts, rest] of rows) {
    const members = Object.entries(texts).flatMap(([key, text]) =>
      text === undefined ? [] : [`${propertyName(key)}: ${textLiteral(text)}`],
    );
    const others = typescriptLiteral(rest).replace(/^\{ ?| ?\}$/g, "");
    const literal = [...members, ...(others === "" ? [] : [others])].join(", ");
    if (Object.values(texts).some((text) => typeof text === "object")) {
      // Declared in the module instead, it would be its own, and bundlers put no value in its place.
      writer.writeLine("// @ts-ignore: process has no type in every project");
    }
    writeRows(writer, [[name, literal === "" ? "{}" : `{ ${literal} }`]]);
  }
}

function textLiteral(text: Text): string {
  const literal = typescriptLiteral(text);
  return typeof text === "string" ? literal : literal.replace("{", `{ read: () => process.env.${text.env},`);
}
