import {
  idVariable,
  MULTICHAIN_URL,
  SUBGRAPH_API_KEY,
  SUBGRAPH_PRODUCTION_URL,
  SUBGRAPH_TESTING_URL,
} from "../../../project/default-variables.ts";
import type { Protocol } from "../../../project/vocabulary.ts";

export type ConfigSettings = {
  readonly protocols: readonly Protocol[];
  readonly operations: string;
  /** Folder of everything generated. */
  readonly output: string;
};

/** A configuration in TypeScript, which knows no host and shows where they go. */
export function renderTypeScriptConfig(settings: ConfigSettings): string {
  return [
    'import { defineConfig } from "lockflow";',
    "",
    ...HEAD,
    "export default defineConfig({",
    ...renderBody(settings),
    "});",
    "",
  ].join("\n");
}

/** The same in JavaScript, which a CommonJS package loads as well. */
export function renderJavaScriptConfig(settings: ConfigSettings): string {
  return [
    ...HEAD,
    '/** @type {import("lockflow").Config} */',
    "export default {",
    ...renderBody(settings),
    "};",
    "",
  ].join("\n");
}

const HEAD = [
  "// No host stands here yet. Commands read it from the variables that .env.example names; while none of them is set,",
  "// they ask the emulator on this machine. To say it here, take the comment marks off what you read from: a URL, a",
  '// host or an id may stand here itself (url: "https://…/{deployment}"), and a variable may have another name.',
];

function renderBody({ protocols, operations, output }: ConfigSettings): string[] {
  const ids = protocols.map((protocol) => `${protocol}: ${variable(idVariable(protocol))}`).join(", ");
  return [
    `  protocols: [${protocols.map((protocol) => JSON.stringify(protocol)).join(", ")}],`,
    ...(operations === "operations" ? [] : [`  operations: ${JSON.stringify(operations)},`]),
    ...(output === "generated" ? [] : [`  output: ${JSON.stringify(output)},`]),
    "  // multichain: {",
    `  //   url: ${variable(MULTICHAIN_URL)},`,
    `  //   ids: { ${ids} },`,
    "  // },",
    "  // subgraph: {",
    "  //   production: {",
    `  //     url: ${variable(SUBGRAPH_PRODUCTION_URL)},`,
    `  //     apiKey: ${variable(SUBGRAPH_API_KEY)},`,
    "  //   },",
    `  //   testing: { url: ${variable(SUBGRAPH_TESTING_URL)} },`,
    "  // },",
  ];
}

function variable(name: string): string {
  return `{ env: "${name}" }`;
}
