import { posix } from "node:path";
import { readOwnFile } from "../../base/own-package.ts";
import { AUTHORED_STYLE } from "../../dialects/portable-style.ts";
import type { Project } from "../../project/project.ts";
import { idVariable } from "../../project/variables.ts";
import { PORTABLE_FOLDER } from "../../workspace/operation-files.ts";
import type { PackageManagerName } from "../../workspace/package-manager.ts";
import { snapshotPath } from "../../workspace/snapshot.ts";
import type { Repository } from "./detect-repository.ts";

/** Renders a configuration without hosts: in TypeScript or, for a `.mjs`, in JavaScript. */
export function renderConfig(name: string, project: Project): string {
  const { protocols, operations, output, format, importExtension, documentMode } = project;
  const ids = protocols.map((protocol) => `${protocol}: { env: "${idVariable(protocol)}" }`).join(", ");
  const typed = readOwnFile("src/tasks/init/templates/lockflow.config.ts")
    .replace(/(?<=protocols: \[).*(?=\])/, protocols.map((protocol) => `"${protocol}"`).join(", "))
    .replace(/(?<=ids: \{ ).*(?= \},)/, ids)
    .replace(/ {2}operations: .*\n/, operations === "operations" ? "" : `  operations: "${operations}",\n`)
    .replace(/ {2}output: .*\n/, output === "generated" ? "" : `  output: "${output}",\n`)
    .replace(/ {2}format: .*\n/, (line) => (format === "ts" ? "" : line))
    .replace(/ {2}importExtension: .*\n/, () =>
      importExtension === ".js" ? "" : `  importExtension: "${importExtension}",\n`,
    )
    .replace(/(?<= {2}documentMode: ").*(?=",\n)/, documentMode);
  if (name.endsWith(".ts")) return typed;
  return typed
    .replace(/^import .*\n\n/, "")
    .replace("export default defineConfig(", '/** @type {import("lockflow").Config} */\nexport default ')
    .replace(/\}\);\n$/, "};\n");
}

/** Renders the file of the variables for hosts and keys, without values. */
export function renderEnvExample(configName: string, variables: readonly string[]): string {
  const template = readOwnFile("src/tasks/init/templates/env.example")
    .replaceAll("lockflow.config.ts", configName)
    .replace("LOCKFLOW_PROTOCOL_ID=\n", () =>
      variables
        .filter((name) => ID.test(name))
        .map((name) => `${name}=\n`)
        .join(""),
    );
  const [head = "", ...sections] = template.trimEnd().split("\n\n");
  const others = variables.filter((name) => !new RegExp(`^(# )?${name}=$`, "m").test(template));
  const shown = [...sections, [`# Named by ${configName}.`, ...others.map((name) => `${name}=`)].join("\n")]
    .map((section) => section.split("\n").filter((line) => isShown(line, variables)))
    .filter(({ length }) => length > 1);
  return `${[head, ...shown.map((lines) => lines.join("\n"))].join("\n\n")}\n`;
}

/** The variable of a protocol's id. */
const ID = /^LOCKFLOW_\w+_ID$/;

/** Returns whether a line is a comment or names a variable that is read. */
function isShown(line: string, variables: readonly string[]): boolean {
  const name = /^(?:# )?(\w+)=$/.exec(line)?.[1];
  return name === undefined || variables.includes(name);
}

/**
 * Renders the configuration that GraphQL plugins of editors read: one project per protocol and style. Portable
 * operations belong to the subgraph style, because they are written in its dialect.
 *
 * @param isTyped whether to render TypeScript, which plugins load with the compiler of the project, or JSON.
 */
export function renderGraphqlConfig(
  { surfaces, operations, output }: Pick<Project, "surfaces" | "operations" | "output">,
  isTyped: boolean,
): string {
  const projects = surfaces.map(({ id, protocol, style }) => {
    const folder = style === AUTHORED_STYLE ? `{${PORTABLE_FOLDER},${style}}` : style;
    const project = {
      schema: `${output}/${snapshotPath({ protocol, style })}`,
      documents: `${operations}/${protocol}/${folder}/**/*.graphql`,
    };
    return [id.replace("/", "-"), project] as const;
  });
  const json = JSON.stringify({ projects: Object.fromEntries(projects) }, null, 2);
  if (!isTyped) return `${json}\n`;
  const literal = json
    .replaceAll(/^( +)"(projects|schema|documents)":/gm, "$1$2:")
    .replaceAll(/(?<=["}])$(?=\n *\})/gm, ",");
  return `// Completion and validation of operations, in editors with a GraphQL plugin: one project per protocol and style.\nconst config = ${literal};\n\nexport default config;\n`;
}

type Settings = Pick<Repository, "packageManager" | "lockFile" | "path" | "isPinned">;

/** Renders a workflow of GitHub Actions: `check` on pull requests, and `drift` every night with one issue. */
export function renderWorkflow(settings: Settings, variables: readonly string[]): string {
  const { path, packageManager } = settings;
  const secrets = variables.map((name) => `          ${name}: \${{ secrets.${name} }}\n`).join("");
  const workflow = readOwnFile("src/tasks/init/templates/workflow.yml")
    .replaceAll(/ {6}- uses: actions\/setup-node(?:.*\n)+? {6}- run: npm ci\n/g, () =>
      installSteps(settings).join(""),
    )
    .replaceAll("npx lockflow", () => packageManager.exec)
    // Caches are matched by the prefix of their key. Labels never contain "--", so none is a prefix of another.
    .replaceAll(/(?<=lockflow-|--label |label create )drift\b(?!\.(?:md|html))/g, labelOf(path))
    .replace(/( {8}env:\n(?: {10}#.*\n)+)(?: {10}LOCKFLOW_.*\n)+/, (_, head) => secrets && head + secrets)
    // Actions use paths from the root, even with a working directory.
    .replaceAll(/(?<=path: )"(.*)"/g, (_, file) => JSON.stringify(posix.join(path, file)));
  if (path === "") return workflow;
  return workflow
    .replace(/(?<=^name: ).*/m, () => JSON.stringify(`lockflow ${path}`))
    .replace(/^(?=jobs:)/m, () => `defaults:\n  run:\n    working-directory: ${JSON.stringify(path)}\n\n`);
}

/** Returns the label of the issue. Packages of one repository need different ones, or they close each other's issue. */
function labelOf(path: string): string {
  const words = path.replaceAll(/[^A-Za-z0-9]+/g, "-").slice(-LONGEST_LABEL);
  return path === "" ? "drift" : `drift-${words.replace(/^-/, "")}`;
}

/** A label of GitHub has at most 50 characters. */
const LONGEST_LABEL = 50 - "drift-".length;

function installSteps(settings: Settings): string[] {
  const { packageManager, lockFile, path } = settings;
  const folder = lockFile === null ? path : posix.join(lockFile, "..");
  const lines = [
    ...SETUPS[packageManager.name](settings),
    `      - run: ${lockFile === null ? `${packageManager.command} install` : packageManager.installLocked}`,
    // In a package of a workspace, npm does not install the dependencies of the root.
    ...(posix.relative(folder, path) === "" ? [] : [`        working-directory: ${JSON.stringify(folder)}`]),
  ];
  return lines.map((line) => `${line}\n`);
}

const SETUPS: Readonly<Record<PackageManagerName, (settings: Settings) => string[]>> = {
  npm: (settings) => setupNode(settings, "npm"),
  pnpm: (settings) => [
    "      - uses: pnpm/action-setup@v4",
    // The action reads the version from package.json, or else needs it as an input.
    ...(settings.isPinned ? [] : ["        with:", "          version: latest"]),
    ...setupNode(settings, "pnpm"),
  ],
  // The runner has Yarn 1. Corepack must be enabled before the cache folder of Yarn is looked up.
  yarn: (settings) => ["      - run: corepack enable", ...setupNode(settings, "yarn")],
  "yarn-classic": (settings) => setupNode(settings, "yarn"),
  bun: (settings) => ["      - uses: oven-sh/setup-bun@v2", ...setupNode(settings, null)],
};

function setupNode({ lockFile }: Settings, cache: string | null): string[] {
  const caching =
    cache === null || lockFile === null
      ? []
      : [
          `          cache: ${cache}`,
          ...(lockFile.includes("/") ? [`          cache-dependency-path: ${JSON.stringify(lockFile)}`] : []),
        ];
  return ["      - uses: actions/setup-node@v4", "        with:", "          node-version: 22", ...caching];
}
