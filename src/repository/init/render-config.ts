import { readOwnFile } from "../../base/disk/read-own-file.ts";
import { idVariable } from "../../project/variables.ts";
import type { Layout } from "./repository.ts";

/** Renders a configuration that knows no host and shows where they go, in TypeScript or, for a `.mjs`, in JavaScript. */
export function renderConfig(name: string, { protocols, operations, output }: Layout): string {
  const ids = protocols.map((protocol) => `${protocol}: { env: "${idVariable(protocol)}" }`).join(", ");
  const typed = readOwnFile("src/repository/init/templates/lockflow.config.ts")
    .replace(/(?<=protocols: \[).*(?=\])/, protocols.map((protocol) => `"${protocol}"`).join(", "))
    .replace(/(?<=ids: \{ ).*(?= \},)/, ids)
    .replace(/ {2}operations: .*\n/, operations === "operations" ? "" : `  operations: "${operations}",\n`)
    .replace(/ {2}output: .*\n/, output === "generated" ? "" : `  output: "${output}",\n`);
  if (name.endsWith(".ts")) return typed;
  return typed
    .replace(/^import .*\n\n/, "")
    .replace("export default defineConfig(", '/** @type {import("lockflow").Config} */\nexport default ')
    .replace(/\}\);\n$/, "};\n");
}
