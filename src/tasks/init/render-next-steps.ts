import { posix } from "node:path";
import { hash } from "../../base/hash.ts";
import { readOwnFile } from "../../base/own-package.ts";
import { IS_PER_CHAIN, isOf } from "../../dialects/surface.ts";
import type { Deployment } from "../../project/deployment.ts";
import { BUILT_IN_PROTOCOLS } from "../../project/protocols.ts";
import { renderTable } from "../../report/terminal.ts";
import { PORTABLE_FOLDER } from "../../workspace/read-operations.ts";
import { configNameOf, fileName, type InitPlan, renderScripts } from "../init.ts";
import type { Layout } from "./detect-layout.ts";
import { type Forge, nameOf, type Repository } from "./detect-repository.ts";

/** Renders what to type next. */
export function renderNextSteps(repository: Repository, layout: Layout, plan: InitPlan): string {
  const { packageManager, dependencies, forge } = repository;
  const { exec, command: program, add } = packageManager;
  const missing = ["lockflow", "graphql"].filter((name) => !dependencies.has(name));
  const { generate, check } = plan.scripts.names;
  // Who has hosts of their own asks these.
  const envFile = layout.isHostKnown ? null : ENV_FILE;
  const own = buildClientSnippet(repository, layout, envFile);
  const other = own === null || repository.client.sends !== "fetch" ? buildSnippet(repository, layout) : null;
  const shown = own ?? other;
  const emulate = own === null ? `${exec} emulate` : `${exec} emulate --env > ${ENV_FILE}`;
  const steps: (readonly [command: string, what: string])[] = [
    [
      generate === null ? `${exec} generate` : `${program} run ${generate}`,
      `typed operations, in ${layout.output}/`,
    ],
    ...(own && envFile === null ? [] : [[emulate, "in a second terminal"] as const]),
    ...(shown ? [[shown.run, "with these lines in it:"] as const] : []),
  ];
  if (layout.lacksSnapshots)
    steps.unshift([
      `${exec} introspect`,
      layout.isHostKnown
        ? "asks your hosts for the snapshots, once"
        : "writes the snapshots that are missing",
    ]);
  if (!dependencies.has("lockflow")) steps.unshift([`${add} ${missing.join(" ")}`, "for the scripts and CI"]);
  const rows = steps.map(([command, what], index) => [`${index + 1}.`, command, what]);
  const config = configNameOf(repository, layout);
  return [
    "Next",
    renderTable(rows, "  "),
    "",
    ...(shown ? [...indent(shown.code), ""] : []),
    ...(own && other
      ? [`Or by ${repository.client.name}, of one style, at the emulator:`, "", ...indent(other.code), ""]
      : []),
    ...(layout.needsSnapshots
      ? [
          `The snapshots are ${describeSnapshots(layout)}. Put your hosts into`,
          `${config} or the variables of .env.example, and`,
          `\`${exec} introspect\` asks them for theirs.`,
        ]
      : []),
    ...(layout.format === "js" && !repository.package.hasType
      ? [
          'package.json has no "type". `npm pkg set type=module` makes your own .js files ES modules; where they call',
          "require(), `npm pkg set type=commonjs` keeps them as they are. Then generate again.",
        ]
      : []),
    `Commit all of it, ${layout.output}/ too: \`${check === null ? `${exec} check` : `${program} run ${check}`}\` tells when it is stale.`,
    ...(forge !== "gitlab"
      ? []
      : [`In CI: \`${exec} check\` for every change, offline,`, `and \`${exec} drift\` every night.`]),
    "",
  ].join("\n");
}

/** Where the variables are kept that lead to the emulator. */
const ENV_FILE = ".env.emulator";

function indent(code: string): string[] {
  return code.split("\n").map((line) => `     ${line}`);
}

/** What the emulator has derived them from. */
function describeSnapshots({ protocols }: Layout): string {
  const shipped = protocols.filter((key) => BUILT_IN_PROTOCOLS.includes(key));
  return [
    ...(shipped.length > 0 ? ["those of the reference indexers"] : []),
    ...(shipped.length < protocols.length ? ["derived from your entities"] : []),
  ].join(", and ");
}

/** Renders what was seen and what will be written, for people to agree to. Paths are from the package's folder. */
export function renderPlan(repository: Repository, plan: InitPlan): string {
  const row = ({ path, why }: { readonly path: string; readonly why: string }) => [
    posix.relative(repository.path, path) + (path.endsWith("/") ? "/" : ""),
    why,
  ];
  const written = plan.files.map(row);
  if (plan.snapshots !== null) written.push(row({ path: `${plan.snapshots}/`, why: "the snapshots" }));
  const added = plan.packageFile?.added.map((script) => [renderScripts([script])]) ?? [];
  const changed = plan.configFile && row({ ...plan.configFile, why: "the protocol is added to its list" });
  const notes = plan.scripts.notes.map((note) => ["package.json", note]);
  return [
    `${nameOf(repository)}: ${describe(repository)}`,
    ...section("Will write", written),
    ...section("Will add to the scripts of package.json", added),
    ...section("Will change", changed ? [changed] : []),
    ...section("Left alone", [...plan.leftAlone.map(row), ...notes]),
    "",
  ].join("\n");
}

/** Whether a plan writes anything. */
export function isEmptyPlan({ files, snapshots, packageFile, configFile }: InitPlan): boolean {
  return files.length === 0 && snapshots === null && packageFile === null && configFile === null;
}

function describe({ packageManager, typescript, package: own, client, forge, path }: Repository): string {
  return [
    packageManager.name === "yarn-classic" ? "yarn 1" : packageManager.name,
    typescript ? "TypeScript" : "JavaScript",
    own.isCommonJs ? "CommonJS" : "ES modules",
    client.name,
    ...FORGES[forge],
    ...(path === "" ? [] : [`in ${path} of its repository`]),
  ].join(", ");
}

const FORGES: Readonly<Record<Forge, readonly string[]>> = {
  github: ["GitHub"],
  gitlab: ["GitLab"],
  unknown: [],
};

function section(title: string, rows: readonly (readonly string[])[]): string[] {
  return rows.length === 0 ? [] : ["", title, renderTable(rows, "  ")];
}

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
  const { rows, variable, name } = start;
  const place = placeOf(repository, layout, rows);
  const code = readOwnFile("src/tasks/init/templates/snippets/client.ts")
    .replace('"output/client"', JSON.stringify(`${place.output}/client${place.extension}`))
    .replace(
      '"protocol/portable"',
      JSON.stringify(`${place.output}/${protocol}/${PORTABLE_FOLDER}${place.extension}`),
    )
    .replaceAll("StreamsByRecipient", name)
    .replace(/(?<=data\.)streams/, rows)
    .replace(/const recipient = .*\n/, () =>
      variable === null ? "" : `const ${variable.name} = ${JSON.stringify(variable.sample)};\n`,
    )
    .replace("{ recipient }", variable === null ? "{}" : `{ ${variable.name} }`)
    .replace('"ethereum"', JSON.stringify(deployment.chains[0] ?? ""));
  return finish(repository, layout, place.path, code, envFile === null ? "" : `--env-file=${envFile} `);
}

/** Builds a program that asks the emulator by the client library of a package. Null where no first operation is written. */
export function buildSnippet(repository: Repository, layout: Layout): Snippet | null {
  const { client } = repository;
  const shown = chooseShown(layout);
  if (shown === null) return null;
  const { id, start, deployment } = shown;
  const { rows, variable } = start;
  const isJavaScript = layout.format === "js";
  const { path, output, extension } = placeOf(repository, layout, rows);
  const module = `${output}/${id}`;
  const value = JSON.stringify(variable?.sample);
  const by = variable?.name;
  // Where a program has no types, an editor reads them of comments.
  const query = `import("${module}.js").${start.name}Query`;
  const [given, sent] = isJavaScript
    ? [`/** @type {${query}Variables} */\nconst variables = { ${by}: ${value} };\n`, "variables"]
    : [`const ${by} = ${value};\n`, `{ ${by} }`];
  const code = readOwnFile(`src/tasks/init/templates/snippets/${client.sends}.ts`)
    .replace(/"protocol\/style(.*)"/, (_, strings) => JSON.stringify(`${module}${strings}${extension}`))
    .replace("/deployment", () => pathAtEmulator(deployment))
    .replace('"@urql/core"', JSON.stringify(client.name))
    .replaceAll("StreamsByRecipient", start.name)
    .replace(/(?<=data\??\.)streams/, rows)
    .replace(/const recipient = .*\n/, () => (variable === null ? "" : given))
    .replace("{ recipient }", variable === null ? "{}" : sent)
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
