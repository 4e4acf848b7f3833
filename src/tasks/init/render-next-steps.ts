import { join, posix } from "node:path";
import { CLIENT_PACKAGE } from "../../base/own-package.ts";
import { displayText, shellArgument } from "../../base/text.ts";
import { isOf, type Surface } from "../../dialects/surface.ts";
import { BUILT_IN_PROTOCOLS } from "../../project/protocols.ts";
import { renderRows, wrapBehind } from "../../report/terminal.ts";
import { PORTABLE_FOLDER } from "../../workspace/operation-files.ts";
import { configNameOf, fileName, type InitChanges, type InitPlan } from "../init.ts";
import type { Layout } from "./detect-layout.ts";
import { type Forge, nameOf, type Repository } from "./detect-repository.ts";
import { renderScripts } from "./edit-package.ts";
import type { FirstOperation } from "./first-operations.ts";
import { isThere } from "./survey-disk.ts";

/** Renders the next three commands and notes, and last the code that uses the result. Reads what `init` wrote. */
export function renderNextSteps(plan: InitPlan): string {
  const { repository, layout, changes, queries } = plan;
  const { packageManager, dependencies, forge } = repository;
  const { exec, command: program, add } = packageManager;
  const missing = ["lockflow", "graphql"].filter((name) => !dependencies.has(name));
  const isAdded = changes.packageFile?.dependency != null;
  const { generate, check } = changes.scripts.names;
  const first = findFirstRows(plan);
  const ask: Step[] = first ? [[`${exec} ask ${renderAskArguments(first, layout)}`, "Prints rows."]] : [];
  const steps: Step[] = [
    ...(dependencies.has("lockflow")
      ? isAdded
        ? [[`${program} install`, `Installs ${CLIENT_PACKAGE}.`] as const]
        : []
      : [[`${add} ${missing.join(" ")}`, "Installs the command for scripts and CI."] as const]),
    ...(layout.lacksSnapshots
      ? [
          [
            `${exec} introspect`,
            layout.isHostKnown ? "Fetches the snapshots from your hosts." : "Writes the missing snapshots.",
          ] as const,
        ]
      : []),
    [
      generate === null ? `${exec} generate` : `${program} run ${generate}`,
      `Writes typed operations to ${layout.output}/.`,
    ],
    ...ask,
    [check === null ? `${exec} check` : `${program} run ${check}`, "Checks everything, for CI."],
  ];
  const config = configNameOf(repository, layout);
  return [
    "Next",
    ...steps
      .slice(0, 3)
      .flatMap(([command, what], index) => [
        ...wrapCommand(`  ${index + 1}. `, command),
        ...wrapBehind("     ", what, WIDTH),
      ]),
    ...renderQueries(queries, exec),
    ...(layout.needsSnapshots
      ? renderNote(
          `The snapshots are ${describeSnapshots(layout)}. To replace them, put your hosts into ${config} or the variables of .env.example, and run:`,
          `${exec} introspect`,
        )
      : []),
    ...(layout.format === "js" && repository.modules === "unknown"
      ? [
          ...renderNote(
            'package.json has no "type". If your own .js files are ES modules, run this and generate again:',
            "npm pkg set type=module",
          ),
          ...renderNote("If they call require():", "npm pkg set type=commonjs"),
        ]
      : []),
    ...(forge !== "gitlab"
      ? []
      : [
          ...renderNote("In CI, run this for every change. It is offline:", `${exec} check`),
          ...renderNote("In CI, run this every night:", `${exec} drift`),
        ]),
    ...(changes.eslint === null
      ? []
      : renderNote(
          `ESLint warns about generated files. Add this line to the list in ${posix.relative(repository.path, changes.eslint.path)}:`,
          changes.eslint.line,
        )),
    ...renderNote(
      `Commit everything, including ${layout.output}/. To use it in code, read`,
      findPage(repository),
    ),
    ...(first?.isPortable ? ["", ...renderCode(first, layout)] : []),
    "",
  ].join("\n");
}

/** Renders a paragraph with a line to copy. */
function renderNote(text: string, line: string): string[] {
  return ["", ...wrapBehind("", text, WIDTH), `  ${line}`];
}

type Step = readonly [command: string, what: string];

const WIDTH = 80;

/** Breaks a long command before its options, as shells read it. */
function wrapCommand(head: string, command: string): string[] {
  const [first = "", ...options] = command.split(/ (?=--)/);
  const lines = [head + first];
  for (const option of options) {
    const line = lines.at(-1) ?? "";
    if (line.length + option.length + " \\ ".length <= WIDTH) lines.splice(-1, 1, `${line} ${option}`);
    else lines.splice(-1, 1, `${line} \\`, `${" ".repeat(head.length + 2)}${option}`);
  }
  return lines;
}

/** Returns the path of the page from the package: in its `node_modules`, or in that of a folder above. */
function findPage({ folder, path }: Repository): string {
  const page = "node_modules/lockflow/docs/start.md";
  const ups = ["", ...path.split("/").map((_, index) => "../".repeat(index + 1))];
  return (ups.find((up) => isThere(join(folder, up, page))) ?? "") + page;
}

/** Mentions the queries that a package has already. */
function renderQueries(queries: readonly string[], exec: string): string[] {
  if (queries.length === 0) return [];
  // A folder means all of its files.
  const places = [...new Set(queries.map((path) => path.split("/")[0] ?? path))];
  const quoted = places.map((place) => displayText(shellArgument(place), []));
  const [first = ""] = queries;
  const files = queries.length === 1 ? `${displayText(first, [])} seems` : `${queries.length} files seem`;
  return renderNote(
    `${files} to have queries for these indexers. To see them as operations, run this; with --write it writes them:`,
    `${exec} port ${quoted.length > MOST_PLACES ? "." : quoted.join(" ")}`,
  );
}

const MOST_PLACES = 4;

/** A first operation that is on disk, and a chain to run it on. */
type FirstRows = FirstOperation & { readonly surface: Surface; readonly chain: string };

/** Finds the first operation that is on disk; null without one. */
function findFirstRows({ repository, layout }: InitPlan): FirstRows | null {
  const { wanted, starts, deployments, operations } = layout;
  for (const surface of wanted) {
    const start = starts.get(surface.id);
    const own = deployments.filter((one) => isOf(surface)(one) && one.status !== "retired");
    const chains = own.flatMap((one) => one.chains);
    const chain = chains.includes("ethereum") ? "ethereum" : chains[0];
    if (start === undefined || chain === undefined) continue;
    const isIn = (below: string) =>
      isThere(join(repository.folder, operations, below, `${fileName(start.name)}.graphql`));
    const isPortable = isIn(`${surface.protocol}/${PORTABLE_FOLDER}`);
    if (isPortable || isIn(surface.id)) return { ...start, isPortable, surface, chain };
  }
  return null;
}

/** Renders the arguments of `ask` for the first operation. */
function renderAskArguments({ name, chain, surface, isPortable, recipient }: FirstRows, { wanted }: Layout) {
  const protocols = new Set(wanted.map(({ protocol }) => protocol));
  // Each style of the protocol has an operation of this name.
  const isAmbiguous =
    !isPortable && wanted.some(({ protocol, id }) => protocol === surface.protocol && id !== surface.id);
  return [
    name,
    `--chain ${chain}`,
    ...(protocols.size > 1 ? [`--protocol ${surface.protocol}`] : []),
    ...(isAmbiguous ? [`--style ${surface.style}`] : []),
    ...(recipient === null ? [] : [`--var recipient=${recipient}`]),
  ].join(" ");
}

/** Renders the code that queries the first operation, for a file beside the folder of generated files. */
function renderCode({ name, recipient, chain, surface }: FirstRows, layout: Layout): string[] {
  const { output, importExtension } = layout;
  const generated = `./${output.replace(/^src\//, "")}`;
  const call = [
    `const { data } = await run(createClient(), ${name}, {`,
    ...(recipient === null ? [] : [`  recipient: "${recipient}",`]),
    `}, { chain: "${chain}" });`,
  ];
  return [
    `import { createClient, run } from "${generated}/client${importExtension}";`,
    `import { ${name} } from "${generated}/${surface.protocol}/${PORTABLE_FOLDER}${importExtension}";`,
    ...call,
  ].map((line) => `  ${line}`);
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
  if (rows.length === 0) return [];
  const named = rows.map(([name = "", description = ""]) => ({ name, description }));
  const widest = Math.max(...named.map(({ name }) => name.length));
  return [
    "",
    title,
    ...renderRows(named, { names: Math.min(MOST_NAME, widest), all: WIDTH }).map((line) => line.trimEnd()),
  ];
}

/** The widest column of names: a longer path has its purpose below it. */
const MOST_NAME = 58;
