import { posix } from "node:path";
import { CLIENT_PACKAGE } from "../../base/own-package.ts";
import { displayText, shellArgument } from "../../base/text.ts";
import { isOf } from "../../dialects/surface.ts";
import { BUILT_IN_PROTOCOLS } from "../../project/protocols.ts";
import { renderTable } from "../../report/terminal.ts";
import { configNameOf, type InitChanges, type InitPlan } from "../init.ts";
import type { Layout } from "./detect-layout.ts";
import { type Forge, nameOf, type Repository } from "./detect-repository.ts";
import { renderScripts } from "./edit-package.ts";

/** Renders the next three commands, with notes. */
export function renderNextSteps({ repository, layout, changes, queries }: InitPlan): string {
  const { packageManager, dependencies, forge } = repository;
  const { exec, command: program, add } = packageManager;
  const missing = ["lockflow", "graphql"].filter((name) => !dependencies.has(name));
  const isAdded = changes.packageFile?.dependency != null;
  const { generate, check } = changes.scripts.names;
  const ask = renderAskArguments(layout);
  const checks = check === null ? `${exec} check` : `${program} run ${check}`;
  const steps: (readonly [command: string, what: string])[] = [
    ...(dependencies.has("lockflow")
      ? isAdded
        ? [[`${program} install`, `installs ${CLIENT_PACKAGE}`] as const]
        : []
      : [[`${add} ${missing.join(" ")}`, "installs the command for scripts and CI"] as const]),
    ...(layout.lacksSnapshots
      ? [
          [
            `${exec} introspect`,
            layout.isHostKnown ? "fetches the snapshots from your hosts" : "writes the missing snapshots",
          ] as const,
        ]
      : []),
    [
      generate === null ? `${exec} generate` : `${program} run ${generate}`,
      `writes typed operations to ${layout.output}/`,
    ],
    ...(ask === null ? [] : [[`${exec} ask ${ask}`, "prints rows"] as const]),
    [checks, "checks everything, for CI"],
  ];
  const rows = steps.slice(0, 3).map(([command, what], index) => [`${index + 1}.`, command, what]);
  return [
    "Next",
    renderTable(rows, "  "),
    "",
    ...renderQueries(queries, exec),
    ...(layout.needsSnapshots
      ? [
          `The snapshots are ${describeSnapshots(layout)}. To replace them,`,
          `put your hosts into ${configNameOf(repository, layout)} or the variables of`,
          `.env.example, and run \`${exec} introspect\`.`,
        ]
      : []),
    ...(layout.format === "js" && repository.modules === "unknown"
      ? [
          'package.json has no "type". If your own .js files are ES modules, run `npm pkg set type=module`; if they call',
          "require(), run `npm pkg set type=commonjs`. Then generate again.",
        ]
      : []),
    `Commit everything, including ${layout.output}/. To use it in code, read docs/start.md of the package.`,
    ...(forge !== "gitlab"
      ? []
      : [`In CI, run \`${exec} check\` for every change (offline)`, `and \`${exec} drift\` every night.`]),
    "",
  ].join("\n");
}

/** Mentions the queries that a package has already. */
function renderQueries(queries: readonly string[], exec: string): string[] {
  if (queries.length === 0) return [];
  // A folder means all of its files.
  const places = [...new Set(queries.map((path) => path.split("/")[0] ?? path))];
  const quoted = places.map((place) => displayText(shellArgument(place), []));
  const [first = ""] = queries;
  const files = queries.length === 1 ? `${displayText(first, [])} seems` : `${queries.length} files seem`;
  return [
    `${files} to have queries for these indexers. To turn them into operations, run`,
    `\`${exec} port ${quoted.length > MOST_PLACES ? "." : quoted.join(" ")}\`. Without --write it only prints a diff.`,
  ];
}

const MOST_PLACES = 4;

/** Returns the arguments of `ask` for the first operation; null without one. */
function renderAskArguments({ wanted, starts, deployments }: Layout): string | null {
  for (const surface of wanted) {
    const start = starts.get(surface.id);
    const own = deployments.filter((one) => isOf(surface)(one) && one.status !== "retired");
    const chains = own.flatMap((one) => one.chains);
    const chain = chains.includes("ethereum") ? "ethereum" : chains[0];
    if (start === undefined || chain === undefined) continue;
    const protocols = new Set(wanted.map(({ protocol }) => protocol));
    // Each style of the protocol has an operation of this name.
    const isAmbiguous =
      !start.isPortable &&
      wanted.some(({ protocol, id }) => protocol === surface.protocol && id !== surface.id);
    return [
      start.name,
      `--chain ${chain}`,
      ...(protocols.size > 1 ? [`--protocol ${surface.protocol}`] : []),
      ...(isAmbiguous ? [`--style ${surface.style}`] : []),
      ...(start.recipient === null ? [] : [`--var recipient=${start.recipient}`]),
    ].join(" ");
  }
  return null;
}

/** Describes the origin of the snapshots that the emulator serves. */
function describeSnapshots({ protocols }: Layout): string {
  const shipped = protocols.filter((key) => BUILT_IN_PROTOCOLS.includes(key));
  return [
    ...(shipped.length > 0 ? ["those of the reference indexers"] : []),
    ...(shipped.length < protocols.length ? ["derived from your entities"] : []),
  ].join(", and ");
}

/** Renders the detected facts and the changes, for confirmation. Paths are from the package's folder. */
export function renderPlan({ repository, changes }: InitPlan): string {
  const row = ({ path, why }: { readonly path: string; readonly why: string }) => [
    posix.relative(repository.path, path) + (path.endsWith("/") ? "/" : ""),
    why,
  ];
  const written = changes.files.map(row);
  if (changes.snapshots !== null) written.push(row({ path: `${changes.snapshots}/`, why: "the snapshots" }));
  const added = changes.packageFile?.added.map((script) => [renderScripts([script])]) ?? [];
  const range = changes.packageFile?.dependency ?? null;
  const dependency = range === null ? [] : [[`"${CLIENT_PACKAGE}": "${range}"`]];
  const changed =
    changes.configFile && row({ ...changes.configFile, why: "the protocol is added to its list" });
  const lines = changes.appended.flatMap(({ path, added: own }) =>
    own.map((line) => [posix.relative(repository.path, path), line]),
  );
  const notes = changes.scripts.notes.map((note) => ["package.json", note]);
  return [
    `${nameOf(repository)}: ${describe(repository)}`,
    ...section("Will write", written),
    ...section("Will add to the scripts of package.json", added),
    ...section("Will add to the dependencies of package.json", dependency),
    ...section("Will add these lines", lines),
    ...section("Will change", changed ? [changed] : []),
    ...section("Left alone", [...changes.leftAlone.map(row), ...notes]),
    "",
  ].join("\n");
}

/** Returns whether a plan writes nothing. */
export function isEmptyPlan(changes: InitChanges): boolean {
  const { files, appended, snapshots, packageFile, configFile } = changes;
  const others = [snapshots, packageFile, configFile];
  return files.length === 0 && appended.length === 0 && others.every((one) => one === null);
}

function describe({ packageManager, typescript, modules, client, forge, path }: Repository): string {
  return [
    packageManager.name === "yarn-classic" ? "yarn 1" : packageManager.name,
    typescript ? "TypeScript" : "JavaScript",
    ...(modules === "unknown" ? [] : [modules]),
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
