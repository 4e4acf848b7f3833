import { posix } from "node:path";
import { readOwnFile } from "../../base/disk/read-own-file.ts";
import { hash } from "../../base/hash.ts";
import { PORTABLE_FOLDER } from "../../generate/read-portable.ts";
import type { Deployment } from "../../project/deployment.ts";
import { isOf } from "../../project/surface.ts";
import { IS_PER_CHAIN } from "../../project/vocabulary.ts";
import { fileName } from "./propose-files.ts";
import type { Layout, Repository } from "./repository.ts";

/** A program that asks with what a package has, where it may be put, and what runs it as it is. */
export type Snippet = { readonly path: string; readonly code: string; readonly run: string };

/**
 * Builds a program that asks by the generated client, wherever the variables of its environment lead it. Null where no
 * first operation is written once for both styles.
 *
 * @param envFile the file of these variables; null where they need none.
 */
export function buildClientSnippet(
  repository: Repository,
  layout: Layout,
  envFile: string | null,
): Snippet | null {
  const shown = chooseShown(layout);
  if (shown === null || !shown.start.isPortable) return null;
  const { protocol, start, deployment } = shown;
  const { rows, by, sample, name } = start;
  const place = placeOf(repository, layout, rows);
  const code = readOwnFile("src/repository/init/templates/snippets/client.ts")
    .replace('"output/client"', JSON.stringify(`${place.output}/client${place.extension}`))
    .replace(
      '"protocol/portable"',
      JSON.stringify(`${place.output}/${protocol}/${PORTABLE_FOLDER}${place.extension}`),
    )
    .replaceAll("StreamsByRecipient", name)
    .replace(/(?<=data\.)streams/, rows)
    .replace(/const recipient = .*\n/, () =>
      by === null ? "" : `const ${by} = ${JSON.stringify(sample)};\n`,
    )
    .replace("{ recipient }", by === null ? "{}" : `{ ${by} }`)
    .replace('"ethereum"', JSON.stringify(deployment.chains[0] ?? ""));
  return finish(repository, layout, place.path, code, envFile === null ? "" : `--env-file=${envFile} `);
}

/** Builds a program that asks the emulator by the client library of a package. Null where no first operation is written. */
export function buildSnippet(repository: Repository, layout: Layout): Snippet | null {
  const { client } = repository;
  const shown = chooseShown(layout);
  if (shown === null) return null;
  const { id, start, deployment } = shown;
  const { rows, by, sample } = start;
  const isJavaScript = layout.format === "js";
  const { path, output, extension } = placeOf(repository, layout, rows);
  const module = `${output}/${id}`;
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
    );
  return finish(repository, layout, path, code, "");
}

/** Where a program may be put, and how it names what is generated. */
function placeOf({ typescript, package: own }: Repository, { format, output }: Layout, rows: string) {
  const isJavaScript = format === "js";
  const ending = isJavaScript || typescript === null ? "mjs" : own.isCommonJs ? "mts" : "ts";
  return {
    path: posix.join(posix.dirname(output), `${fileName(rows)}.${ending}`),
    output: `./${posix.basename(output)}`,
    extension: isJavaScript ? ".js" : typescript === null ? ".ts" : typescript.isBundled ? "" : ".js",
  };
}

/** @param flags those of Node, with a blank behind them. */
function finish(
  { packageManager }: Repository,
  { format }: Layout,
  path: string,
  written: string,
  flags: string,
): Snippet {
  const code = written.replaceAll("\n\n", "\n").trimEnd();
  return format === "js"
    ? { path, code: `// @ts-check\n${code}`, run: `node ${flags}${path}` }
    : { path, code, run: `${packageManager.download} tsx ${flags}${path}` };
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
    if (start && deployment) return { id: surface.id, protocol: surface.protocol, start, deployment };
  }
  return null;
}

/** Where the emulator serves a deployment to whoever has no key. */
function pathAtEmulator({ name, protocol, style, endpoints }: Deployment): string {
  if (!IS_PER_CHAIN[style]) return `/${hash(protocol).slice(0, 7)}/v1/graphql`;
  const hasTesting = endpoints.some(({ environment }) => environment === "testing");
  return `/${hasTesting ? "testing" : "subgraphs/name"}/${name}`;
}
