import { basename, join, posix } from "node:path";
import { CLIENT_PACKAGE } from "../../base/own-package.ts";
import { displayText, shellArgument } from "../../base/text.ts";
import { isOf, type Surface } from "../../dialects/surface.ts";
import type { Project } from "../../project/project.ts";
import { BUILT_IN_PROTOCOLS } from "../../project/protocols.ts";
import { renderRows, wrapBehind } from "../../report/terminal.ts";
import { PORTABLE_FOLDER } from "../../workspace/operation-files.ts";
import { configNameOf, fileName, type InitPlan } from "../init.ts";
import type { Change } from "./change.ts";
import type { Layout } from "./detect-layout.ts";
import type { Repository } from "./detect-repository.ts";
import type { FirstOperation } from "./first-operations.ts";
import { isThere } from "./survey-disk.ts";

/** Renders the next three commands and notes, and last the code that uses the result. Reads what `init` wrote. */
export function renderNextSteps(plan: InitPlan): string {
  const { repository, layout, packageFile, eslint } = plan;
  const { project, snapshots } = layout;
  const { packageManager, dependencies, path } = repository;
  const { exec, command: program, add } = packageManager;
  const { generate, check } = packageFile.scripts;
  const first = findFirstRows(plan);
  const steps: Step[] = [];
  if (!dependencies.has("lockflow")) {
    const missing = ["lockflow", "graphql"].filter((name) => !dependencies.has(name));
    steps.push([`${add} ${missing.join(" ")}`, "Installs the command for scripts and CI."]);
  } else if (packageFile.needsClient) steps.push([`${program} install`, `Installs ${CLIENT_PACKAGE}.`]);
  if (snapshots === "of-hosts") steps.push([`${exec} introspect`, "Fetches the snapshots from your hosts."]);
  if (snapshots === "incomplete") steps.push([`${exec} introspect`, "Writes the missing snapshots."]);
  steps.push([
    generate === null ? `${exec} generate` : `${program} run ${generate}`,
    `Writes typed operations to ${project.output}/.`,
  ]);
  if (first) steps.push([`${exec} ask ${renderAskArguments(first, layout)}`, "Prints rows."]);
  steps.push([check === null ? `${exec} check` : `${program} run ${check}`, "Checks everything, for CI."]);
  const notes: Note[] = [...describeQueries(plan.queries, exec)];
  if (snapshots === "to-derive")
    notes.push([
      `The snapshots are ${describeSnapshots(project)}. To replace them, put your hosts into ${configNameOf(repository, layout)} or the variables of .env.example, and run:`,
      `${exec} introspect`,
    ]);
  if (project.format === "js" && repository.modules === "unknown")
    notes.push(
      [
        'package.json has no "type". If your own .js files are ES modules, run this and generate again:',
        "npm pkg set type=module",
      ],
      ["If they call require():", "npm pkg set type=commonjs"],
    );
  if (!repository.isOnGithub)
    notes.push(
      ["In CI, run this for every change. It is offline:", `${exec} check`],
      ["In CI, run this every night:", `${exec} drift`],
    );
  if (eslint.advice)
    notes.push([
      `ESLint warns about generated files. Add this line to the list in ${posix.relative(path, eslint.advice.path)}:`,
      eslint.advice.line,
    ]);
  notes.push([
    `Commit everything, including ${project.output}/. To use it in code, read`,
    findPage(repository),
  ]);
  return [
    "Next",
    ...steps
      .slice(0, 3)
      .flatMap(([command, what], index) => [
        ...wrapCommand(`  ${index + 1}. `, command),
        ...wrapBehind("     ", what, WIDTH),
      ]),
    ...notes.flatMap(([text, line]) => ["", ...wrapBehind("", text, WIDTH), `  ${line}`]),
    ...(first?.isPortable ? ["", ...renderCode(first, project)] : []),
    "",
  ].join("\n");
}

type Step = readonly [command: string, what: string];

/** A paragraph with a line to copy. */
type Note = readonly [text: string, line: string];

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
function describeQueries(queries: readonly string[], exec: string): Note[] {
  if (queries.length === 0) return [];
  // A folder means all of its files.
  const places = [...new Set(queries.map((path) => path.split("/")[0] ?? path))];
  const quoted = places.map((place) => displayText(shellArgument(place), []));
  const [first = ""] = queries;
  const files = queries.length === 1 ? `${displayText(first, [])} seems` : `${queries.length} files seem`;
  return [
    [
      `${files} to have queries for these indexers. To see them as operations, run this; with --write it writes them:`,
      `${exec} port ${quoted.length > MOST_PLACES ? "." : quoted.join(" ")}`,
    ],
  ];
}

const MOST_PLACES = 4;

/** A first operation that is on disk, and a chain to run it on. */
type FirstRows = FirstOperation & { readonly surface: Surface; readonly chain: string };

/** Finds the first operation that is on disk; null without one. */
function findFirstRows({ repository, layout }: InitPlan): FirstRows | null {
  const { wanted, starts, project } = layout;
  for (const surface of wanted) {
    const start = starts.get(surface.id);
    const chains = project.deployments
      .filter((deployment) => isOf(surface)(deployment) && deployment.status !== "retired")
      .flatMap((deployment) => deployment.chains);
    const chain = chains.includes("ethereum") ? "ethereum" : chains[0];
    if (start === undefined || chain === undefined) continue;
    const isIn = (below: string) =>
      isThere(join(repository.folder, project.operations, below, `${fileName(start.name)}.graphql`));
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
function renderCode({ name, recipient, chain, surface }: FirstRows, project: Project): string[] {
  const { output, importExtension } = project;
  const generated = `./${output.replace(/^src\//, "")}`;
  const start = `const { data } = await run(createClient(), ${name}, {`;
  const end = `}, { chain: "${chain}" });`;
  const call = recipient === null ? [start + end] : [start, `  recipient: "${recipient}",`, end];
  return [
    `import { createClient, run } from "${generated}/client${importExtension}";`,
    `import { ${name} } from "${generated}/${surface.protocol}/${PORTABLE_FOLDER}${importExtension}";`,
    ...call,
  ].map((line) => `  ${line}`);
}

/** Describes the origin of the snapshots that the emulator serves. */
function describeSnapshots({ protocols }: Project): string {
  const shipped = protocols.filter((key) => BUILT_IN_PROTOCOLS.includes(key));
  return [
    ...(shipped.length > 0 ? ["those of the reference indexers"] : []),
    ...(shipped.length < protocols.length ? ["derived from your entities"] : []),
  ].join(", and ");
}

/** Renders the detected facts and the changes, for confirmation. Paths are from the package's folder. */
export function renderPlan({ repository, changes }: InitPlan): string {
  const rowsOf = (kind: Change["kind"]) =>
    changes
      .filter((change) => change.kind === kind)
      .flatMap(({ path, rows }) => {
        const name = posix.relative(repository.path, path) + (path.endsWith("/") ? "/" : "");
        return rows.map((description) => ({ name, description }));
      });
  return [
    `${repository.package.name ?? basename(repository.folder)}: ${describe(repository)}`,
    ...section("Will write", rowsOf("write")),
    ...section("Will add these lines", rowsOf("add")),
    ...section("Left alone", rowsOf("leave")),
    "",
  ].join("\n");
}

function describe({ packageManager, typescript, modules, client, isOnGithub, path }: Repository): string {
  return [
    packageManager.name === "yarn-classic" ? "yarn 1" : packageManager.name,
    typescript ? "TypeScript" : "JavaScript",
    ...(modules === "unknown" ? [] : [modules]),
    client.name,
    ...(isOnGithub ? ["GitHub"] : []),
    ...(path === "" ? [] : [`in ${path} of its repository`]),
  ].join(", ");
}

type Row = { readonly name: string; readonly description: string };

function section(title: string, rows: readonly Row[]): string[] {
  if (rows.length === 0) return [];
  const widest = Math.max(...rows.map(({ name }) => name.length));
  return [
    "",
    title,
    ...renderRows(rows, { names: Math.min(MOST_NAME, widest), all: WIDTH }).map((line) => line.trimEnd()),
  ];
}

/** The widest column of names: a longer path has its purpose below it. */
const MOST_NAME = 58;
