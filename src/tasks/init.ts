import { UsageError } from "../base/errors.ts";
import type { OutputFile } from "../base/write-files.ts";
import { AUTHORED_STYLE } from "../dialects/portable-style.ts";
import { PORTABLE_FOLDER } from "../workspace/read-operations.ts";
import { SCHEMAS_FOLDER } from "../workspace/snapshot.ts";
import type { Layout } from "./init/detect-layout.ts";
import type { Place, Repository } from "./init/detect-repository.ts";
import { renderConfig, renderEnvExample, renderGraphqlConfig, renderWorkflow } from "./init/render-files.ts";

/** What `lockflow init` will do. All paths are from the root of the repository. */
export type InitPlan = {
  readonly files: readonly ProposedFile[];
  /** The folder that snapshots are written into; null when there are some, or hosts to ask for them. */
  readonly snapshots: string | null;
  /** The edited package.json; null when nothing is to be added. */
  readonly packageFile: (OutputFile & { readonly added: readonly Script[] }) | null;
  /** The configuration with one more protocol; null if it stays as it is. */
  readonly configFile: OutputFile | null;
  /** What stays as it is, and what there is to say of it. */
  readonly leftAlone: readonly Pick<ProposedFile, "path" | "why">[];
  readonly scripts: ScriptPlan;
};

/** The places to look at before a plan can be made. */
export function placesOf(repository: Repository, layout: Layout): string[] {
  return [
    ...proposeFiles(repository, layout).map(({ path }) => path),
    ...(layout.needsSnapshots ? [`${snapshotFolder(repository, layout)}/deployments.json`] : []),
    fromPackage(repository, "package.json"),
    ...editedConfig(repository, layout).map(({ path }) => path),
  ];
}

/** Plans what is written, from what was seen. Nothing that is there is replaced, and no link is followed. */
export function planInit(
  repository: Repository,
  layout: Layout,
  places: ReadonlyMap<string, Place>,
): InitPlan {
  for (const [path, place] of places) {
    if (place !== "outside") continue;
    throw new UsageError({
      sentence: `A link leads ${path} out of the repository.`,
      hint: "remove the link, or run the command where it leads to. Nothing was written.",
    });
  }
  const [configFile = null] = editedConfig(repository, layout);
  if (configFile !== null && places.get(configFile.path) === "link") {
    throw new UsageError({
      sentence: `${configFile.path} is a link.`,
      hint: `write the protocol into the file it leads to, and run the command without the flag. Nothing was written.`,
    });
  }
  const proposed = proposeFiles(repository, layout);
  const scripts = planScripts(repository.package.scripts);
  const packagePath = fromPackage(repository, "package.json");
  const isEditable = places.get(packagePath) !== "link";
  const { added } = scripts;
  const content = addScripts(repository.package.text, added);
  return {
    files: proposed.filter(({ path }) => places.get(path) === "free"),
    snapshots: layout.needsSnapshots ? snapshotFolder(repository, layout) : null,
    packageFile: isEditable && added.length > 0 ? { path: packagePath, content, added } : null,
    configFile,
    leftAlone: [
      ...alreadyThere(repository, layout),
      ...proposed
        .filter(({ path }) => places.get(path) !== "free")
        .map(({ path }) => ({ path, why: whyLeftAlone(repository, layout, path) })),
      ...(isEditable ? [] : [{ path: packagePath, why: `is a link; add ${renderScripts(added)}` }]),
    ],
    scripts,
  };
}

function editedConfig(repository: Repository, { config, editedConfig: content }: Layout): OutputFile[] {
  return config === null || content === null ? [] : [{ path: fromPackage(repository, config), content }];
}

/** `"generate": "lockflow generate"`, as it stands in a package.json. */
export function renderScripts(scripts: readonly Script[]): string {
  return scripts.map(({ name, command }) => `"${name}": "${command}"`).join(", ");
}

function alreadyThere(repository: Repository, layout: Layout): InitPlan["leftAlone"] {
  const { config, editedConfig, operations, output, withOperations, needsSnapshots, lacksSnapshots } = layout;
  const there: Pick<ProposedFile, "path" | "why">[] = [];
  const say = (path: string, why: string) => there.push({ path: fromPackage(repository, path), why });
  if (config !== null && editedConfig === null) say(config, "is there already");
  for (const { path, why } of layout.library?.leftAlone ?? []) say(`${operations}/${path}`, why);
  for (const protocol of new Set(layout.wanted.map((surface) => surface.protocol))) {
    const folder = `${protocol}/${PORTABLE_FOLDER}`;
    if (withOperations.has(folder)) say(`${operations}/${folder}/`, "has operations already");
  }
  for (const { id, protocol } of layout.wanted) {
    if (withOperations.has(id)) say(`${operations}/${id}/`, "has operations already");
    else if (withOperations.has(`${protocol}/${PORTABLE_FOLDER}`) || layout.library?.protocols.has(protocol))
      continue;
    else if (!layout.starts.has(id))
      say(
        `${operations}/${id}/`,
        "gets a first operation once there is a schema: introspect, then run this again",
      );
  }
  if (lacksSnapshots)
    say(
      `${output}/schemas/`,
      layout.isHostKnown
        ? "is for the snapshots of your hosts, which are not asked now"
        : "lacks the snapshots of a protocol, which `lockflow introspect` writes",
    );
  else if (!needsSnapshots) say(`${output}/schemas/`, "has snapshots already");
  if (repository.graphqlConfig !== null) {
    const { name, text } = repository.graphqlConfig;
    const schemas = `${output}/schemas/`;
    const lacks = `has no project with a schema of ${schemas}<protocol>/<style>.graphql`;
    say(name, text.includes(schemas) ? "is there already" : lacks);
  }
  return there;
}

function whyLeftAlone({ envExample }: Repository, { variables }: Layout, path: string): string {
  if (!path.endsWith(".env.example") || envExample === null) return "is there already";
  const missing = variables.filter((name) => !new RegExp(`\\b${name}\\b`).test(envExample));
  return `is there already${missing.length === 0 ? "" : `; it lacks ${missing.join(", ")}`}`;
}

/** What becomes of the scripts of a package.json. */
export type ScriptPlan = {
  readonly added: readonly Script[];
  /** Sentences on those that are not called as they would be. */
  readonly notes: readonly string[];
  /** The name of each script of Lockflow, whether it was there or is added; null when every name is taken. */
  readonly names: Readonly<Record<ScriptTask, string | null>>;
};

const TASKS = ["generate", "check"] as const;

type ScriptTask = (typeof TASKS)[number];

/** Plans the scripts: none is replaced, and a name that is taken gets `lockflow:` before it. */
export function planScripts(scripts: Readonly<Record<string, string>>): ScriptPlan {
  const added: Script[] = [];
  const notes: string[] = [];
  const names: Record<ScriptTask, string | null> = { generate: null, check: null };
  for (const task of TASKS) {
    const command = `lockflow ${task}`;
    const same = Object.keys(scripts).find((name) => scripts[name] === command);
    const free = [task, `lockflow:${task}`].find((name) => !Object.hasOwn(scripts, name));
    names[task] = same ?? free ?? null;
    if (same !== undefined) continue;
    if (free === undefined) notes.push(`no name is left for the script of \`${command}\``);
    else added.push({ name: free, command });
    if (free !== undefined && free !== task) notes.push(`"${task}" is a script already, hence "${free}"`);
  }
  return { added, notes, names };
}

/** A script to add to a package.json. */
export type Script = { readonly name: string; readonly command: string };

/** Adds scripts to the text of a valid package.json. Every other byte stays as it is. */
export function addScripts(text: string, scripts: readonly Script[]): string {
  if (scripts.length === 0) return text;
  const ends = findEnds(text);
  const isEmpty = text.slice(0, ends.root).trimEnd().endsWith("{");
  const indent = /^[^"]*\n([ \t]*)"/.exec(text)?.[1] ?? (isEmpty ? "  " : "");
  const lineEnd = text.includes("\r\n") ? "\r\n" : "\n";
  const isOneLine = !isEmpty && !text.slice(0, ends.root).includes("\n");
  const entries = scripts.map(({ name, command }) => `${JSON.stringify(name)}: ${JSON.stringify(command)}`);
  const lineOf = (depth: number) => lineEnd + indent.repeat(depth);
  if (ends.scripts !== null) return insert(text, ends.scripts, entries, isOneLine, [lineOf(2), lineOf(1)]);
  const lines = entries.map((entry) => lineOf(2) + entry).join(",");
  const added = isOneLine ? `{ ${entries.join(", ")} }` : `{${lines}${lineOf(1)}}`;
  return insert(text, ends.root, [`"scripts": ${added}`], isOneLine, [lineOf(1), lineOf(0)]);
}

/** Inserts members before the closing brace at `end`; what begins a line of a member, and that of the brace. */
function insert(
  text: string,
  end: number,
  entries: readonly string[],
  isOneLine: boolean,
  [line, lastLine]: readonly [string, string],
): string {
  const head = text.slice(0, end).trimEnd();
  const isEmpty = head.endsWith("{");
  const tail = text.slice(isEmpty ? end : head.length);
  const comma = isEmpty ? "" : ",";
  if (isOneLine || !(isEmpty || text.slice(head.length, end).includes("\n"))) {
    return `${head}${comma}${isEmpty ? "" : " "}${entries.join(", ")}${tail}`;
  }
  return `${head}${comma}${entries.map((entry) => line + entry).join(",")}${isEmpty ? lastLine : ""}${tail}`;
}

/** Finds the closing braces of the object and of its `scripts`, of which the last counts where there are several. */
function findEnds(text: string): { readonly root: number; readonly scripts: number | null } {
  let [depth, key] = [0, ""];
  let scripts: number | null = null;
  for (const { 0: token, index } of text.matchAll(/"(?:[^"\\]|\\.)*"|[{}[\]]/g)) {
    if (token === "{" || token === "[") depth++;
    else if (token !== "}" && token !== "]") key = depth === 1 ? JSON.parse(token) : key;
    else if (--depth === 0) return { root: index, scripts };
    else if (depth === 1 && key === "scripts") scripts = index;
  }
  return { root: text.length, scripts };
}

/** A file that is to be written if its place is free. Its path is from the root of the repository. */
export type ProposedFile = OutputFile & {
  /** What it is for, in so few words that a row of the list fits on 80 columns. */
  readonly why: string;
};

/** What a repository lacks, file by file, without a look at the places. Snapshots are not among them. */
export function proposeFiles(repository: Repository, layout: Layout): ProposedFile[] {
  const configName = configNameOf(repository, layout);
  const files: ProposedFile[] = [];
  if (layout.config === null) {
    files.push({ path: configName, content: renderConfig(configName, layout), why: "the configuration" });
  }
  files.push(...proposeOperations(layout));
  if (repository.graphqlConfig === null) {
    const isTyped = repository.typescript !== null;
    files.push({
      path: `graphql.config.${isTyped ? "ts" : "json"}`,
      content: renderGraphqlConfig(layout, isTyped),
      why: "for editors",
    });
  }
  const envExample = renderEnvExample(configName, layout);
  files.push({ path: ".env.example", content: envExample, why: "names of variables" });
  const below = files.map((file) => ({ ...file, path: fromPackage(repository, file.path) }));
  // Most are, or will be, on GitHub; elsewhere nobody reads the file.
  if (repository.forge === "gitlab") return below;
  const content = renderWorkflow(repository, layout.variables);
  return [...below, { path: workflowPath(repository.path), content, why: "check and drift in CI" }];
}

/** The operations that ship, where they are asked for, and a first operation for every other surface that has none. */
function proposeOperations({ library, operations, wanted, starts, withOperations }: Layout): ProposedFile[] {
  const files = new Map<string, ProposedFile>();
  const add = (path: string, content: string, why: string) =>
    files.set(path, { path: `${operations}/${path}`, content, why });
  for (const { path, content } of library?.files ?? []) add(path, content, "an operation of the library");
  for (const { id, protocol, style } of wanted) {
    const start = starts.get(id);
    const others = wanted.filter((surface) => surface.protocol === protocol);
    const ids = [`${protocol}/${PORTABLE_FOLDER}`, ...others.map((surface) => surface.id)];
    if (start === undefined || library?.protocols.has(protocol)) continue;
    if (withOperations.has(id) || withOperations.has(`${protocol}/${PORTABLE_FOLDER}`)) continue;
    // Beside a twin in the folder of one style it would be there twice.
    const isShared = start.isPortable && !ids.some((one) => withOperations.has(one));
    add(
      `${isShared ? `${protocol}/${PORTABLE_FOLDER}` : id}/${fileName(start.name)}.graphql`,
      start.render(isShared ? AUTHORED_STYLE : style),
      "a first operation",
    );
  }
  return [...files.values()];
}

/** `StreamsByRecipient` gives `streams-by-recipient`. */
export function fileName(name: string): string {
  return name.replaceAll(/(?<=[a-z\d])(?=[A-Z])|_+/g, "-").toLowerCase();
}

/** The name of the configuration, whether it is there or to be written. */
export function configNameOf(repository: Repository, layout: Layout): string {
  const { typescript, package: own } = repository;
  // A compiler of CommonJS that bundles nothing finds no types in what only ES modules can import.
  const isTyped = typescript !== null && (typescript.isBundled || !own.isCommonJs);
  return layout.config ?? (isTyped ? "lockflow.config.ts" : "lockflow.config.mjs");
}

/** The folder that snapshots go into, from the root of the repository. */
export function snapshotFolder(repository: Repository, layout: Layout): string {
  return fromPackage(repository, `${layout.output}/${SCHEMAS_FOLDER}`);
}

/** A path of the package, from the root of the repository. */
export function fromPackage({ path }: Repository, below: string): string {
  return path === "" ? below : `${path}/${below}`;
}

/** Workflows lie at the root, so that each package of a repository needs a name of its own. */
function workflowPath(path: string): string {
  const suffix = path === "" ? "" : `-${path.replaceAll(/[^A-Za-z0-9]+/g, "-")}`;
  return `.github/workflows/lockflow${suffix}.yml`;
}
