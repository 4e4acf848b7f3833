import { posix } from "node:path";
import { BUILT_IN_PROTOCOLS } from "../../project/protocols.ts";
import { renderTable } from "../../report/terminal.ts";
import { configNameOf, type InitChanges, type InitPlan } from "../init.ts";
import type { Layout } from "./detect-layout.ts";
import { type Forge, nameOf, type Repository } from "./detect-repository.ts";
import { renderScripts } from "./edit-scripts.ts";
import { buildClientSnippet, buildSnippet } from "./render-snippet.ts";

/** Renders what to type next. */
export function renderNextSteps({ repository, layout, changes }: InitPlan): string {
  const { packageManager, dependencies, forge } = repository;
  const { exec, command: program, add } = packageManager;
  const missing = ["lockflow", "graphql"].filter((name) => !dependencies.has(name));
  const { generate, check } = changes.scripts.names;
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
export function renderPlan({ repository, changes }: InitPlan): string {
  const row = ({ path, why }: { readonly path: string; readonly why: string }) => [
    posix.relative(repository.path, path) + (path.endsWith("/") ? "/" : ""),
    why,
  ];
  const written = changes.files.map(row);
  if (changes.snapshots !== null) written.push(row({ path: `${changes.snapshots}/`, why: "the snapshots" }));
  const added = changes.packageFile?.added.map((script) => [renderScripts([script])]) ?? [];
  const changed =
    changes.configFile && row({ ...changes.configFile, why: "the protocol is added to its list" });
  const notes = changes.scripts.notes.map((note) => ["package.json", note]);
  return [
    `${nameOf(repository)}: ${describe(repository)}`,
    ...section("Will write", written),
    ...section("Will add to the scripts of package.json", added),
    ...section("Will change", changed ? [changed] : []),
    ...section("Left alone", [...changes.leftAlone.map(row), ...notes]),
    "",
  ].join("\n");
}

/** Whether a plan writes anything. */
export function isEmptyPlan({ files, snapshots, packageFile, configFile }: InitChanges): boolean {
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
