import { posix } from "node:path";
import { readOwnFile } from "../../base/disk/read-own-file.ts";
import type { PackageManagerName } from "./package-manager.ts";
import type { Repository } from "./repository.ts";

type Settings = Pick<Repository, "packageManager" | "lockFile" | "path" | "isPinned">;

/** Renders a workflow of GitHub Actions: `check` on pull requests, and what drifted every night in one issue. */
export function renderWorkflow(settings: Settings, variables: readonly string[]): string {
  const { path, packageManager } = settings;
  const secrets = variables.map((name) => `          ${name}: \${{ secrets.${name} }}\n`).join("");
  const workflow = readOwnFile("src/repository/init/templates/workflow.yml")
    .replaceAll(/ {6}- uses: actions\/setup-node(?:.*\n)+? {6}- run: npm ci\n/g, () =>
      installSteps(settings).join(""),
    )
    .replaceAll("npx lockflow", () => packageManager.exec)
    // A cache is looked for by how its key begins, and no label holds two dashes: none is the beginning of another then.
    .replaceAll(/(?<=lockflow-|--label |label create )drift\b(?!\.(?:md|html))/g, labelOf(path))
    .replace(/( {8}env:\n(?: {10}#.*\n)+)(?: {10}LOCKFLOW_.*\n)+/, (_, head) => secrets && head + secrets)
    // A step that uses an action starts from the root, whatever folder commands run in.
    .replaceAll(/(?<=path: )"(.*)"/g, (_, file) => JSON.stringify(posix.join(path, file)));
  if (path === "") return workflow;
  return workflow
    .replace(/(?<=^name: ).*/m, () => JSON.stringify(`lockflow ${path}`))
    .replace(/^(?=jobs:)/m, () => `defaults:\n  run:\n    working-directory: ${JSON.stringify(path)}\n\n`);
}

/** The label of the issue: packages of one repository that shared it would close each other's. */
function labelOf(path: string): string {
  const words = path.replaceAll(/[^A-Za-z0-9]+/g, "-").slice(-LONGEST_LABEL);
  return path === "" ? "drift" : `drift-${words.replace(/^-/, "")}`;
}

/** GitHub takes fifty characters. */
const LONGEST_LABEL = 50 - "drift-".length;

function installSteps(settings: Settings): string[] {
  const { packageManager, lockFile, path } = settings;
  const folder = lockFile === null ? path : posix.join(lockFile, "..");
  const lines = [
    ...SETUPS[packageManager.name](settings),
    `      - run: ${lockFile === null ? `${packageManager.command} install` : packageManager.installLocked}`,
    // In a package of a workspace npm leaves out what the root depends on.
    ...(posix.relative(folder, path) === "" ? [] : [`        working-directory: ${JSON.stringify(folder)}`]),
  ];
  return lines.map((line) => `${line}\n`);
}

const SETUPS: Readonly<Record<PackageManagerName, (settings: Settings) => string[]>> = {
  npm: (settings) => setupNode(settings, "npm"),
  pnpm: (settings) => [
    "      - uses: pnpm/action-setup@v4",
    // The action reads the release from package.json, and needs it as an input when none is there.
    ...(settings.isPinned ? [] : ["        with:", "          version: latest"]),
    ...setupNode(settings, "pnpm"),
  ],
  // The runner's own Yarn is of the first major release; Corepack has to be there before its folder is cached.
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
