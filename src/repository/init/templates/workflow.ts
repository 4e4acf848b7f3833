import { posix } from "node:path";
import type { PackageManager, PackageManagerName } from "../package-manager.ts";

export type WorkflowSettings = {
  readonly packageManager: PackageManager;
  /** The lock file from the root of the repository; null when there is none. */
  readonly lockFile: string | null;
  /** The folder of the package from the root of the repository; empty when they are one. */
  readonly path: string;
  /** Whether package.json says which release of the package manager is meant. */
  readonly isPinned: boolean;
};

/** A workflow of GitHub Actions: the gate of a pull request, and what drifted every night in one issue. */
export function renderWorkflow(settings: WorkflowSettings, variables: readonly string[]): string {
  const { exec } = settings.packageManager;
  const label = labelOf(settings);
  // A cache is looked for by how its key begins, and no label holds two dashes: none is the beginning of another then.
  const cache = `lockflow-${label}--`;
  const memory = [
    // A step that uses an action starts from the root, whatever folder commands run in.
    `          path: ${JSON.stringify(posix.join(settings.path, MEMORY))}`,
    `          key: ${cache}\${{ github.run_id }}`,
  ];
  return [
    "# A pull request is checked offline; every night the deployments are asked what they serve, and one issue is kept of it.",
    `name: ${settings.path === "" ? "lockflow" : JSON.stringify(`lockflow ${settings.path}`)}`,
    "",
    "on:",
    "  pull_request:",
    "  schedule:",
    '    - cron: "17 3 * * *"',
    "  workflow_dispatch:",
    "",
    "permissions:",
    "  contents: read",
    "",
    ...(settings.path === ""
      ? []
      : ["defaults:", "  run:", `    working-directory: ${JSON.stringify(settings.path)}`, ""]),
    "jobs:",
    "  check:",
    "    if: github.event_name == 'pull_request'",
    "    runs-on: ubuntu-latest",
    "    timeout-minutes: 10",
    "    steps:",
    "      - uses: actions/checkout@v4",
    "        with:",
    "          # --against needs the base of the pull request as well.",
    "          fetch-depth: 0",
    ...installSteps(settings),
    "      - name: Check",
    "        env:",
    "          BASE: ${{ github.base_ref }}",
    `        run: ${exec} check --against "origin/$BASE" --report github,markdown=lockflow-check.md`,
    "      - name: Summarize",
    "        if: always()",
    '        run: if [ -f lockflow-check.md ]; then cat lockflow-check.md >> "$GITHUB_STEP_SUMMARY"; fi',
    "",
    "  drift:",
    "    if: github.event_name != 'pull_request'",
    "    runs-on: ubuntu-latest",
    "    timeout-minutes: 15",
    "    permissions:",
    "      contents: read",
    "      issues: write",
    "    concurrency:",
    `      group: lockflow-${label}`,
    "    steps:",
    "      - uses: actions/checkout@v4",
    ...installSteps(settings),
    "      # Who has not answered since when, and whose blocks stand still. It belongs in no commit.",
    "      - uses: actions/cache/restore@v4",
    "        with:",
    ...memory,
    `          restore-keys: ${cache}`,
    "      - name: Drift",
    "        id: drift",
    ...environmentOf(variables),
    "        run: |",
    "          exit=0",
    `          ${exec} drift --memory ${MEMORY} --report text,markdown=lockflow-drift.md || exit=$?`,
    '          echo "exit=$exit" >> "$GITHUB_OUTPUT"',
    '          if [ -f lockflow-drift.md ]; then cat lockflow-drift.md >> "$GITHUB_STEP_SUMMARY"; fi',
    "      - if: steps.drift.outputs.exit != '2'",
    "        uses: actions/cache/save@v4",
    "        with:",
    ...memory,
    "      - name: Keep one issue",
    "        if: steps.drift.outputs.exit == '0' || steps.drift.outputs.exit == '1'",
    "        env:",
    "          GH_TOKEN: ${{ github.token }}",
    "          GH_REPO: ${{ github.repository }}",
    "          EXIT: ${{ steps.drift.outputs.exit }}",
    "        run: |",
    `          number=$(gh issue list --label ${label} --state open --limit 1 --json number --jq '.[0].number // empty')`,
    '          if [ "$EXIT" = 0 ]; then',
    '            if [ -n "$number" ]; then gh issue close "$number" --comment "Nothing is left to act on."; fi',
    '          elif [ -n "$number" ]; then',
    '            gh issue edit "$number" --body-file lockflow-drift.md',
    "          else",
    `            gh label create ${label} --force`,
    `            gh issue create --title "The deployments have drifted" --label ${label} --body-file lockflow-drift.md`,
    "          fi",
    "      - name: Fail",
    "        if: steps.drift.outputs.exit != '0'",
    "        env:",
    "          EXIT: ${{ steps.drift.outputs.exit }}",
    '        run: exit "$EXIT"',
    "",
  ].join("\n");
}

function environmentOf(variables: readonly string[]): string[] {
  if (variables.length === 0) return [];
  return [
    "        env:",
    "          # Hosts and keys: add those you read from to the secrets of the repository. Without any host this job fails,",
    "          # and says so. A variable that the configuration comes to name under another name belongs here as well.",
    ...variables.map((name) => `          ${name}: \${{ secrets.${name} }}`),
  ];
}

const MEMORY = "lockflow-memory.json";

/** The label of the issue: packages of one repository that shared it would close each other's. */
function labelOf({ path }: WorkflowSettings): string {
  const words = path.replaceAll(/[^A-Za-z0-9]+/g, "-").slice(-LONGEST_LABEL);
  return path === "" ? "drift" : `drift-${words.replace(/^-/, "")}`;
}

/** GitHub takes fifty characters. */
const LONGEST_LABEL = 50 - "drift-".length;

function installSteps(settings: WorkflowSettings): string[] {
  const { packageManager, lockFile, path } = settings;
  const folder = lockFile === null ? path : posix.join(lockFile, "..");
  return [
    ...SETUPS[packageManager.name](settings),
    `      - run: ${lockFile === null ? packageManager.install : packageManager.installLocked}`,
    // In a package of a workspace npm leaves out what the root depends on.
    ...(posix.relative(folder, path) === "" ? [] : [`        working-directory: ${JSON.stringify(folder)}`]),
  ];
}

const SETUPS: Readonly<Record<PackageManagerName, (settings: WorkflowSettings) => string[]>> = {
  npm: (settings) => setupNode(settings, "npm"),
  pnpm: (settings) => [
    "      - uses: pnpm/action-setup@v4",
    // The action reads the release from package.json, and wants to be told it when none is there.
    ...(settings.isPinned ? [] : ["        with:", "          version: latest"]),
    ...setupNode(settings, "pnpm"),
  ],
  // The runner's own Yarn is of the first major release; Corepack has to be there before its folder is cached.
  yarn: (settings) => ["      - run: corepack enable", ...setupNode(settings, "yarn")],
  "yarn-classic": (settings) => setupNode(settings, "yarn"),
  bun: (settings) => ["      - uses: oven-sh/setup-bun@v2", ...setupNode(settings, null)],
};

function setupNode({ lockFile }: WorkflowSettings, cache: string | null): string[] {
  const caching =
    cache === null || lockFile === null
      ? []
      : [
          `          cache: ${cache}`,
          ...(lockFile.includes("/") ? [`          cache-dependency-path: ${JSON.stringify(lockFile)}`] : []),
        ];
  return ["      - uses: actions/setup-node@v4", "        with:", "          node-version: 22", ...caching];
}
