import { posix } from "node:path";
import { hash } from "../../base/hash.ts";
import { readOwnFile } from "../../base/own-package.ts";
import { IS_PER_CHAIN, isOf } from "../../dialects/surface.ts";
import type { Deployment } from "../../project/deployment.ts";
import { PORTABLE_FOLDER } from "../../workspace/operation-files.ts";
import { fileName } from "../init.ts";
import type { Layout } from "./detect-layout.ts";
import type { Repository } from "./detect-repository.ts";

/** A program to try, where it may be put, and the command that runs it. */
export type Snippet = { readonly path: string; readonly code: string; readonly run: string };

/**
 * Builds a program that uses the generated client and the hosts in its environment variables. Null if no first operation
 * is portable.
 *
 * @param envFile the file of these variables; null if none are needed.
 */
export function buildClientSnippet(
  repository: Repository,
  layout: Layout,
  envFile: string | null,
): Snippet | null {
  const shown = chooseShown(layout);
  if (shown === null || !shown.start.isPortable) return null;
  const { protocol, start, deployment } = shown;
  const { rows, recipient, name } = start;
  const place = placeOf(repository, layout, rows);
  const code = readOwnFile("src/tasks/init/templates/snippets/client.ts")
    .replace('"output/client"', JSON.stringify(`${place.output}/client${place.extension}`))
    .replace(
      '"protocol/portable"',
      JSON.stringify(`${place.output}/${protocol}/${PORTABLE_FOLDER}${place.extension}`),
    )
    .replaceAll("StreamsByRecipient", name)
    .replace(/(?<=data\.)streams/, rows)
    .replace(/const recipient = .*\n/, recipient === null ? "" : `const recipient = "${recipient}";\n`)
    .replace("{ recipient }", recipient === null ? "{}" : "{ recipient }")
    .replace('"ethereum"', JSON.stringify(deployment.chains[0] ?? ""));
  return finish(place, code, envFile === null ? "" : `--env-file=${envFile} `);
}

/** Builds a program that queries the emulator with the client library of a package. Null without a first operation. */
export function buildSnippet(repository: Repository, layout: Layout): Snippet | null {
  const { client } = repository;
  const shown = chooseShown(layout);
  if (shown === null) return null;
  const { id, start, deployment } = shown;
  const { rows, recipient } = start;
  const place = placeOf(repository, layout, rows);
  const { output, extension, isJavaScript } = place;
  const module = `${output}/${id}`;
  // In JavaScript, editors read types from comments.
  const query = `import("${module}.js").${start.name}Query`;
  const [given, sent] = isJavaScript
    ? [`/** @type {${query}Variables} */\nconst variables = { recipient: "${recipient}" };\n`, "variables"]
    : [`const recipient = "${recipient}";\n`, "{ recipient }"];
  const code = readOwnFile(`src/tasks/init/templates/snippets/${client.sends}.ts`)
    .replace(/"protocol\/style(.*)"/, (_, strings) => JSON.stringify(`${module}${strings}${extension}`))
    .replace("/deployment", () => pathAtEmulator(deployment))
    .replace('"@urql/core"', JSON.stringify(client.name))
    .replaceAll("StreamsByRecipient", start.name)
    .replace(/(?<=data\??\.)streams/, rows)
    .replace(/const recipient = .*\n/, recipient === null ? "" : given)
    .replace("{ recipient }", recipient === null ? "{}" : sent)
    .replace("variables: variables", "variables")
    .replace(
      /^(?=const .* = JSON\.parse)/m,
      isJavaScript ? `/** @type {{ data: ${query}, errors: {}[] }} */\n` : "",
    );
  return finish(place, code, "");
}

/** The place of a program: its path, how it imports generated modules, and how it is run. */
type Place = {
  readonly path: string;
  readonly output: string;
  readonly extension: string;
  readonly isJavaScript: boolean;
  /** Downloads and runs a program. */
  readonly download: string;
};

function placeOf(
  { typescript, package: own, packageManager }: Repository,
  { format, output }: Layout,
  rows: string,
): Place {
  const isJavaScript = format === "js";
  const ending = isJavaScript || typescript === null ? "mjs" : own.isCommonJs ? "mts" : "ts";
  return {
    path: posix.join(posix.dirname(output), `${fileName(rows)}.${ending}`),
    output: `./${posix.basename(output)}`,
    extension: isJavaScript ? ".js" : (typescript?.importExtension ?? ".ts"),
    isJavaScript,
    download: packageManager.download,
  };
}

/** @param flags the flags of Node, with a space at the end. */
function finish({ path, isJavaScript, download }: Place, written: string, flags: string): Snippet {
  const code = written.replaceAll("\n\n", "\n").trimEnd();
  return isJavaScript
    ? { path, code: `// @ts-check\n${code}`, run: `node ${flags}${path}` }
    : { path, code, run: `${download} tsx ${flags}${path}` };
}

/** Chooses the first protocol with an operation, its subgraph style if it has one, and the deployment on Ethereum or the first. */
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

/** Returns the path at the emulator that needs no key. */
function pathAtEmulator({ name, protocol, style, endpoints }: Deployment): string {
  if (!IS_PER_CHAIN[style]) return `/${hash(protocol).slice(0, 7)}/v1/graphql`;
  const hasTesting = endpoints.some(({ environment }) => environment === "testing");
  return `/${hasTesting ? "testing" : "subgraphs/name"}/${name}`;
}
