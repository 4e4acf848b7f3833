import { readOwnFile } from "../../base/disk/read-own-file.ts";
import { isIdentifier } from "../../base/identifier.ts";
import { idVariable, SUBGRAPH_API_KEY, SUBGRAPH_PRODUCTION_URL } from "../../project/variables.ts";
import type { IdTable } from "./parse-id-table.ts";
import type { Layout } from "./repository.ts";

/** Renders a configuration that knows no host and shows where they go, in TypeScript or, for a `.mjs`, in JavaScript. */
export function renderConfig(name: string, layout: Layout): string {
  const { protocols, ids: table, operations, output, format } = layout;
  const ids = protocols.map((protocol) => `${protocol}: { env: "${idVariable(protocol)}" }`).join(", ");
  const typed = readOwnFile("src/repository/init/templates/lockflow.config.ts")
    .replace(/(?<=protocols: \[).*(?=\])/, protocols.map((protocol) => `"${protocol}"`).join(", "))
    .replace(/(?<=ids: \{ ).*(?= \},)/, ids)
    .replace(/ {2}\/\/ subgraph: \{\n[\s\S]*? {2}\/\/ \},\n/, (commented) =>
      table ? renderSubgraph(table) : commented,
    )
    .replace(/(?:^\/\/.*\n)+/m, (comment) => (table ? WITH_IDS : comment))
    .replace(/ {2}operations: .*\n/, operations === "operations" ? "" : `  operations: "${operations}",\n`)
    .replace(/ {2}output: .*\n/, output === "generated" ? "" : `  output: "${output}",\n`)
    .replace(/ {2}format: .*\n/, (line) => (format === "ts" ? "" : line));
  if (name.endsWith(".ts")) return typed;
  return typed
    .replace(/^import .*\n\n/, "")
    .replace("export default defineConfig(", '/** @type {import("lockflow").Config} */\nexport default ')
    .replace(/\}\);\n$/, "};\n");
}

/** What a configuration with ids begins with. */
const WITH_IDS = `// The ids of the subgraphs stand here. The URL of the gateway, with {id} in it, and the key that it takes are read from
// the variables that .env.example names; a URL may stand here itself (url: "https://…/{id}").
`;

/** The gateway of a table of ids, which is configured with it. */
function renderSubgraph(table: IdTable): string {
  const ids = [...table].map(([protocol, chains]) => [
    `        ${propertyName(protocol)}: {`,
    ...[...chains].map(([chain, id]) => `          ${propertyName(chain)}: ${JSON.stringify(id)},`),
    "        },",
  ]);
  return [
    "  subgraph: {",
    "    production: {",
    `      url: { env: "${SUBGRAPH_PRODUCTION_URL}" },`,
    "      ids: {",
    ...ids.flat(),
    "      },",
    `      apiKey: { env: "${SUBGRAPH_API_KEY}" },`,
    "    },",
    "  },",
    "",
  ].join("\n");
}

function propertyName(name: string): string {
  return isIdentifier(name) ? name : JSON.stringify(name);
}
