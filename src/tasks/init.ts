import { UsageError } from "../base/errors.ts";
import type { OutputFile } from "../base/output-file.ts";
import { CLIENT_PACKAGE, CLIENT_RANGE } from "../base/own-package.ts";
import { writeFiles } from "../base/write-files.ts";
import { AUTHORED_STYLE } from "../dialects/portable-style.ts";
import { introspectTargets } from "../fleet/introspect-targets.ts";
import { withTargets } from "../fleet/open-targets.ts";
import { planSnapshots } from "../fleet/plan-snapshots.ts";
import type { Project } from "../project/project.ts";
import { PORTABLE_FOLDER } from "../workspace/operation-files.ts";
import { SCHEMAS_FOLDER } from "../workspace/snapshot.ts";
import { openWorkspace } from "../workspace/workspace.ts";
import { detectLayout, type InitOptions, type Layout } from "./init/detect-layout.ts";
import { detectRepository, type Repository } from "./init/detect-repository.ts";
import {
  addDependency,
  addScripts,
  planScripts,
  renderScripts,
  type Script,
  type ScriptPlan,
} from "./init/edit-package.ts";
import { findQueries } from "./init/find-queries.ts";
import { type AppendedFile, planIgnoreFiles } from "./init/ignore-files.ts";
import { type EslintPlan, planEslint } from "./init/plan-eslint.ts";
import { renderConfig, renderEnvExample, renderGraphqlConfig, renderWorkflow } from "./init/render-files.ts";
import { type Place, surveyPlace } from "./init/survey-disk.ts";

/** The changes that `lockflow init` would make to a repository, with the facts they are based on. */
export type InitPlan = {
  readonly repository: Repository;
  readonly layout: Layout;
  readonly project: Project;
  readonly changes: InitChanges;
  /** Files with queries that `lockflow port` may turn into operations, from the package's folder. */
  readonly queries: readonly string[];
};

/** The additions to package.json. */
type PackageEdits = {
  readonly added: readonly Script[];
  /** The version range of `lockflow-client` to add; null if it is a dependency already. */
  readonly dependency: string | null;
};

/** The changes of `lockflow init`. All paths are from the root of the repository. */
export type InitChanges = {
  readonly files: readonly ProposedFile[];
  /** The folder of the snapshots to write; null if there are snapshots, or hosts to introspect. */
  readonly snapshots: string | null;
  /** The edited package.json; null if nothing is added. */
  readonly packageFile: (OutputFile & Pick<PackageEdits, "added" | "dependency">) | null;
  /** Files of git, Prettier and ESLint with added lines. */
  readonly appended: readonly AppendedFile[];
  /** The line that a configuration of ESLint lacks, if `init` cannot add it; null otherwise. */
  readonly eslint: EslintPlan["advice"];
  /** The configuration with added protocols; null if it is unchanged. */
  readonly configFile: OutputFile | null;
  /** Files and folders that are not changed, and why. */
  readonly leftAlone: readonly Pick<ProposedFile, "path" | "why">[];
  readonly scripts: ScriptPlan;
};

/**
 * Plans the changes of `lockflow init` without writing. No file is replaced and no link is followed.
 *
 * @param userAgent the variable `npm_config_user_agent`, which package managers set for the commands they run.
 */
export async function planInit(
  cwd: string,
  options: InitOptions,
  userAgent: string | undefined,
): Promise<InitPlan> {
  const repository = await detectRepository(cwd, userAgent);
  const { layout, project } = await detectLayout(repository, options);
  const proposed = proposeFiles(repository, layout);
  const scripts = planScripts(repository.package.scripts);
  const { added } = scripts;
  const packagePath = fromPackage(repository, "package.json");
  const snapshots = layout.needsSnapshots
    ? fromPackage(repository, `${layout.output}/${SCHEMAS_FOLDER}`)
    : null;
  const { config, editedConfig } = layout;
  const configFile =
    config === null || editedConfig === null
      ? null
      : { path: fromPackage(repository, config), content: editedConfig };
  const places = new Map<string, Place>();
  const paths = [...proposed.map(({ path }) => path), packagePath];
  if (snapshots !== null) paths.push(`${snapshots}/deployments.json`);
  if (configFile !== null) paths.push(configFile.path);
  for (const path of paths) {
    const place = await surveyPlace(repository.root, path);
    places.set(path, place);
    if (place !== "outside") continue;
    throw new UsageError({
      sentence: `${path} is outside of the repository: a folder on its path is a link.`,
      hint: "remove the link, or run the command in its target. Nothing was written.",
    });
  }
  if (configFile !== null && places.get(configFile.path) === "link") {
    throw new UsageError({
      sentence: `${configFile.path} is a link, so it is not edited.`,
      hint: "add the protocol to the target of the link, and run the command without the flag. Nothing was written.",
    });
  }
  const isEditable = places.get(packagePath) !== "link";
  const dependency = needsClient(repository, project) ? CLIENT_RANGE : null;
  const withScripts = addScripts(repository.package.text, added);
  const content = dependency === null ? withScripts : addDependency(withScripts, CLIENT_PACKAGE, dependency);
  const members = dependency === null ? added : [...added, { name: CLIENT_PACKAGE, command: dependency }];
  const isEdited = members.length > 0;
  const eslint = await planEslint(repository, layout);
  const changes = {
    files: proposed.filter(({ path }) => places.get(path) === "free"),
    snapshots,
    packageFile: isEditable && isEdited ? { path: packagePath, content, added, dependency } : null,
    appended: [...(await planIgnoreFiles(repository, layout)), ...(eslint.edited ? [eslint.edited] : [])],
    eslint: eslint.advice,
    configFile,
    leftAlone: [
      ...listExisting(repository, layout),
      ...proposed
        .filter(({ path }) => places.get(path) !== "free")
        .map(({ path }) => ({ path, why: whyLeftAlone(repository, layout, path) })),
      ...(isEdited && !isEditable
        ? [{ path: packagePath, why: `is a link; add ${renderScripts(members)}` }]
        : []),
      ...(eslint.advice ? [{ path: eslint.advice.path, why: `add ${eslint.advice.line} to its list` }] : []),
    ],
    scripts,
  };
  return { repository, layout, project, changes, queries: findQueries(project) };
}

/** Returns whether the package that generated code imports has to be added to package.json. */
function needsClient({ package: own, dependencies }: Repository, { runtime }: Project): boolean {
  return runtime === "package" && own.text !== "" && !dependencies.has(CLIENT_PACKAGE);
}

/** Writes a plan, all of it or nothing, and returns the number of files. */
export async function writeInit({ repository, layout, project, changes }: InitPlan): Promise<number> {
  const snapshots = changes.snapshots === null ? [] : await introspectReference(project);
  const files = [
    ...changes.files,
    ...snapshots.map(({ path, content }) => ({
      path: fromPackage(repository, `${layout.output}/${path}`),
      content,
    })),
    ...changes.appended.map(({ path, content }) => ({ path, content })),
    ...(changes.configFile ? [changes.configFile] : []),
    ...(changes.packageFile ? [changes.packageFile] : []),
  ];
  await writeFiles(repository.root, files);
  return files.length;
}

/** Fetches the snapshots from the emulator, because no host is known yet. */
function introspectReference(project: Project): Promise<readonly OutputFile[]> {
  const { root: cwd, deployments, follow } = project;
  return withTargets(project, { cwd, env: {}, emulator: true }, async ({ targets }) => {
    const outcomes = await introspectTargets(targets, openWorkspace(project), {
      snapshots: [],
      onOutcome: () => {},
    });
    for (const outcome of outcomes) if (outcome.kind === "failed") throw outcome.error;
    return planSnapshots({ rows: [], snapshots: [], deployments, outcomes, follow }).files;
  });
}

function listExisting(repository: Repository, layout: Layout): InitChanges["leftAlone"] {
  const { config, editedConfig, operations, output, withOperations, needsSnapshots, lacksSnapshots } = layout;
  const existing: Pick<ProposedFile, "path" | "why">[] = [];
  const add = (path: string, why: string) => existing.push({ path: fromPackage(repository, path), why });
  if (config !== null && editedConfig === null) add(config, "exists already");
  for (const { path, why } of layout.library?.leftAlone ?? []) add(`${operations}/${path}`, why);
  for (const protocol of new Set(layout.wanted.map((surface) => surface.protocol))) {
    const folder = `${protocol}/${PORTABLE_FOLDER}`;
    if (withOperations.has(folder)) add(`${operations}/${folder}/`, "has operations already");
  }
  for (const { id, protocol } of layout.wanted) {
    if (withOperations.has(id)) add(`${operations}/${id}/`, "has operations already");
    else if (withOperations.has(`${protocol}/${PORTABLE_FOLDER}`) || layout.library?.protocols.has(protocol))
      continue;
    else if (!layout.starts.has(id))
      add(
        `${operations}/${id}/`,
        "has no schema yet: introspect, then run init again to get a first operation",
      );
  }
  if (lacksSnapshots)
    add(
      `${output}/schemas/`,
      layout.isHostKnown
        ? "gets the snapshots of your hosts by `lockflow introspect`"
        : "lacks the snapshots of a protocol; `lockflow introspect` writes them",
    );
  else if (!needsSnapshots) add(`${output}/schemas/`, "has snapshots already");
  if (repository.graphqlConfig !== null) {
    const { name, text } = repository.graphqlConfig;
    const schemas = `${output}/schemas/`;
    const lacks = `has no project with a schema of ${schemas}<protocol>/<style>.graphql`;
    add(name, text.includes(schemas) ? "exists already" : lacks);
  }
  return existing;
}

function whyLeftAlone({ envExample }: Repository, { variables }: Layout, path: string): string {
  if (!path.endsWith(".env.example") || envExample === null) return "exists already";
  const missing = variables.filter((name) => !new RegExp(`\\b${name}\\b`).test(envExample));
  return `exists already${missing.length === 0 ? "" : `; it lacks ${missing.join(", ")}`}`;
}

/** A file to write if its path is free. The path is from the root of the repository. */
export type ProposedFile = OutputFile & {
  /** Its purpose, short enough for a row of 80 columns. */
  readonly why: string;
};

/** Returns every file that a set-up repository has, except snapshots, whether or not it exists. */
function proposeFiles(repository: Repository, layout: Layout): ProposedFile[] {
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
  // Without a known host of the repository, GitHub is the best guess; elsewhere the file has no effect.
  if (repository.forge === "gitlab") return below;
  const content = renderWorkflow(repository, layout.variables);
  return [...below, { path: workflowPath(repository.path), content, why: "checks in CI" }];
}

/** Returns the operations of the library, if requested, and a first operation for each other surface without operations. */
function proposeOperations({ library, operations, wanted, starts, withOperations }: Layout): ProposedFile[] {
  const files = new Map<string, ProposedFile>();
  const add = (path: string, content: string, why: string) =>
    files.set(path, { path: `${operations}/${path}`, content, why });
  for (const { path, content } of library?.files ?? []) add(path, content, "from the library");
  for (const { id, protocol, style } of wanted) {
    const start = starts.get(id);
    const others = wanted.filter((surface) => surface.protocol === protocol);
    const ids = [`${protocol}/${PORTABLE_FOLDER}`, ...others.map((surface) => surface.id)];
    if (start === undefined || library?.protocols.has(protocol)) continue;
    if (withOperations.has(id) || withOperations.has(`${protocol}/${PORTABLE_FOLDER}`)) continue;
    // Next to an operation of the same name in one style, a portable one would be a duplicate.
    const isShared = start.isPortable && !ids.some((one) => withOperations.has(one));
    add(
      `${isShared ? `${protocol}/${PORTABLE_FOLDER}` : id}/${fileName(start.name)}.graphql`,
      start.render(isShared ? AUTHORED_STYLE : style),
      "a first operation",
    );
  }
  return [...files.values()];
}

/** Returns the file name of an operation: `streams-by-recipient` for `StreamsByRecipient`. */
export function fileName(name: string): string {
  return name.replaceAll(/(?<=[a-z\d])(?=[A-Z])|_+/g, "-").toLowerCase();
}

/** Returns the name of the existing configuration, or of the one to write. */
export function configNameOf(repository: Repository, layout: Layout): string {
  const { typescript, package: own } = repository;
  // Without a bundler, a CommonJS package cannot resolve the types of an ES module.
  const isTyped = typescript !== null && (typescript.isBundled || own.type === "module");
  return layout.config ?? (isTyped ? "lockflow.config.ts" : "lockflow.config.mjs");
}

/** Returns a path below the package as a path from the root of the repository. */
function fromPackage({ path }: Repository, below: string): string {
  return path === "" ? below : `${path}/${below}`;
}

/** Returns the path of the workflow. Workflows are at the root, so each package of a repository needs its own name. */
function workflowPath(path: string): string {
  const suffix = path === "" ? "" : `-${path.replaceAll(/[^A-Za-z0-9]+/g, "-")}`;
  return `.github/workflows/lockflow${suffix}.yml`;
}
