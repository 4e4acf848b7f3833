import { posix } from "node:path";
import { readOwnFile } from "../../base/disk/read-own-file.ts";
import { hash } from "../../base/hash.ts";
import type { Deployment } from "../../project/deployment.ts";
import { isOf } from "../../project/surface.ts";
import { IS_PER_CHAIN } from "../../project/vocabulary.ts";
import { fileName } from "./propose-files.ts";
import type { Layout, Repository } from "./repository.ts";

/**
 * Builds a program that asks the emulator with what a package has, where it may be put, and what runs it as it is. Null
 * where no first operation is written.
 */
export function buildSnippet(repository: Repository, layout: Layout) {
  const { typescript, package: own, client, packageManager } = repository;
  const shown = chooseShown(layout);
  if (shown === null) return null;
  const { id, start, deployment } = shown;
  const { rows, by, sample } = start;
  const isJavaScript = layout.format === "js";
  const extension = isJavaScript ? ".js" : typescript === null ? ".ts" : typescript.isBundled ? "" : ".js";
  const ending = isJavaScript || typescript === null ? "mjs" : own.isCommonJs ? "mts" : "ts";
  const path = posix.join(posix.dirname(layout.output), `${fileName(rows)}.${ending}`);
  const module = `./${posix.basename(layout.output)}/${id}`;
  const value = JSON.stringify(sample);
  // Where a program has no types, an editor reads them of comments.
  const query = `import("${module}.js").${start.name}Query`;
  const [given, sent] = isJavaScript
    ? [`/** @type {${query}Variables} */\nconst variables = { ${by}: ${value} };\n`, "variables"]
    : [`const ${by} = ${value};\n`, `{ ${by} }`];
  const code = readOwnFile(`src/repository/init/templates/snippets/${client.sends}.ts`)
    .replace(/"protocol\/style(.*)"/, (_, strings) => JSON.stringify(`${module}${strings}${extension}`))
    .replace("/deployment", () => pathAtEmulator(deployment))
    .replace('"@urql/core"', JSON.stringify(client.name))
    .replaceAll("StreamsByRecipient", start.name)
    .replace(/(?<=data\??\.)streams/, rows)
    .replace(/const recipient = .*\n/, () => (by === null ? "" : given))
    .replace("{ recipient }", by === null ? "{}" : sent)
    .replace("variables: variables", "variables")
    .replace(
      /^(?=const .* = JSON\.parse)/m,
      isJavaScript ? `/** @type {{ data: ${query}, errors: {}[] }} */\n` : "",
    )
    .replaceAll("\n\n", "\n")
    .trimEnd();
  return isJavaScript
    ? { path, code: `// @ts-check\n${code}`, run: `node ${path}` }
    : { path, code, run: `${packageManager.download} tsx ${path}` };
}

/** The first surface with a first operation, and of its deployments the best known that can be asked; a subgraph first. */
function chooseShown({ wanted, starts, deployments }: Layout) {
  const [protocol] = wanted.filter(({ id }) => starts.has(id)).map((surface) => surface.protocol);
  const ordered = wanted
    .filter((surface) => surface.protocol === protocol)
    .sort((a, b) => Number(IS_PER_CHAIN[b.style]) - Number(IS_PER_CHAIN[a.style]));
  for (const surface of ordered) {
    const start = starts.get(surface.id);
    const own = deployments.filter((one) => isOf(surface)(one) && one.status !== "retired");
    const deployment = own.find(({ chains }) => chains.includes("ethereum")) ?? own[0];
    if (start && deployment) return { id: surface.id, start, deployment };
  }
  return null;
}

/** Where the emulator serves a deployment to whoever has no key. */
function pathAtEmulator({ name, protocol, style, endpoints }: Deployment): string {
  if (!IS_PER_CHAIN[style]) return `/${hash(protocol).slice(0, 7)}/v1/graphql`;
  const hasTesting = endpoints.some(({ environment }) => environment === "testing");
  return `/${hasTesting ? "testing" : "subgraphs/name"}/${name}`;
}
