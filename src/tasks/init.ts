import { posix } from "node:path";
import { UsageError } from "../base/errors.ts";
import type { OutputFile } from "../base/output-file.ts";
import { writeFiles } from "../base/write-files.ts";
import { AUTHORED_STYLE } from "../dialects/portable-style.ts";
import { introspectTargets } from "../fleet/introspect-targets.ts";
import { withTargets } from "../fleet/open-targets.ts";
import { planSnapshots } from "../fleet/plan-snapshots.ts";
import type { Project } from "../project/project.ts";
import { projectVariables } from "../project/variables.ts";
import { PORTABLE_FOLDER } from "../workspace/operation-files.ts";
import { SCHEMAS_FOLDER } from "../workspace/snapshot.ts";
import { openWorkspace } from "../workspace/workspace.ts";
import type { Change } from "./init/change.ts";
import { detectLayout, type InitOptions, type Layout } from "./init/detect-layout.ts";
import { detectRepository, type Repository } from "./init/detect-repository.ts";
import { findQueries } from "./init/find-queries.ts";
import { type EslintPlan, planEslint } from "./init/plan-eslint.ts";
import { planIgnoreFiles } from "./init/plan-ignore-files.ts";
import { type PackagePlan, planPackage } from "./init/plan-package.ts";
import { renderConfig, renderEnvExample, renderGraphqlConfig, renderWorkflow } from "./init/render-files.ts";
import { surveyPlace } from "./init/survey-disk.ts";

/** The changes that `lockflow init` would make to a repository, with the facts they are based on. */
export type InitPlan = {
  readonly repository: Repository;
  readonly layout: Layout;
  readonly changes: readonly Change[];
  readonly packageFile: PackagePlan;
  readonly eslint: EslintPlan;
  /** Files with queries that `lockflow port` may turn into operations, from the package's folder. */
  readonly queries: readonly string[];
};

/**
 * Plans the changes of `lockflow init` without writing. No file is replaced and no link is followed.
 *
 * @param userAgent the variable `npm_config_user_agent`, which package managers set for the commands they run.
 * @throws UsageError if a path leads out of the repository.
 */
export async function planInit(
  cwd: string,
  options: InitOptions,
  userAgent: string | undefined,
): Promise<InitPlan> {
  const repository = await detectRepository(cwd, userAgent);
  const layout = await detectLayout(repository, options);
  const { project } = layout;
  const packageFile = planPackage(repository, project.runtime);
  const eslint = await planEslint(repository, project);
  const left = (path: string, ...rows: string[]): Change => ({ kind: "leave", path, content: null, rows });
  const changes: Change[] = [];
  for (const { path, content, why } of proposeFiles(repository, layout)) {
    const isFree = (await requirePlace(repository, path)) === "free";
    changes.push(
      isFree
        ? { kind: "write", path, content, rows: [why] }
        : left(path, whyLeftAlone(repository, layout, path)),
    );
  }
  if (layout.snapshots === "to-derive") {
    const path = posix.join(repository.path, `${project.output}/${SCHEMAS_FOLDER}`);
    await requirePlace(repository, `${path}/deployments.json`);
    changes.push({ kind: "write", path: `${path}/`, content: null, rows: ["the snapshots"] });
  }
  changes.push(...listExisting(repository, layout).map(({ path, why }) => left(path, why)));
  const { content, added, notes } = packageFile;
  const path = posix.join(repository.path, "package.json");
  const isLink = (await requirePlace(repository, path)) === "link";
  if (added.length > 0)
    changes.push(
      isLink ? left(path, `is a link; add ${added.join(", ")}`) : { kind: "add", path, content, rows: added },
    );
  if (notes.length > 0) changes.push(left(path, ...notes));
  changes.push(...(await planIgnoreFiles(repository, layout)));
  if (eslint.edited) changes.push(eslint.edited);
  if (eslint.advice) changes.push(left(eslint.advice.path, `add ${eslint.advice.line} to its list`));
  return { repository, layout, changes, packageFile, eslint, queries: findQueries(project) };
}

async function requirePlace({ root }: Repository, path: string) {
  const place = await surveyPlace(root, path);
  if (place !== "outside") return place;
  throw new UsageError({
    sentence: `${path} is outside of the repository: a folder on its path is a link.`,
    hint: "remove the link, or run the command in its target. Nothing was written.",
  });
}

/** Writes a plan, all of it or nothing, and returns the number of files. */
export async function writeInit({ repository, layout, changes }: InitPlan): Promise<number> {
  const { project, snapshots } = layout;
  const fetched = snapshots === "to-derive" ? await introspectReference(project) : [];
  const files = [
    ...changes.flatMap(({ path, content }) => (content === null ? [] : [{ path, content }])),
    ...fetched.map(({ path, content }) => ({
      path: posix.join(repository.path, `${project.output}/${path}`),
      content,
    })),
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

/** A path from the root of the repository, with a reason that fits into a row of 80 columns. */
type Row = { readonly path: string; readonly why: string };

function listExisting(repository: Repository, layout: Layout): Row[] {
  const { config, project, snapshots, wanted, starts, library, withOperations } = layout;
  const { operations, output } = project;
  const rows: Row[] = [];
  const add = (path: string, why: string) => rows.push({ path: posix.join(repository.path, path), why });
  if (config !== null) add(config, "exists already");
  for (const { path, why } of library?.leftAlone ?? []) add(`${operations}/${path}`, why);
  for (const protocol of new Set(wanted.map((surface) => surface.protocol))) {
    const folder = `${protocol}/${PORTABLE_FOLDER}`;
    if (withOperations.has(folder)) add(`${operations}/${folder}/`, "has operations already");
  }
  for (const { id, protocol } of wanted) {
    if (withOperations.has(id)) add(`${operations}/${id}/`, "has operations already");
    else if (withOperations.has(`${protocol}/${PORTABLE_FOLDER}`) || library?.protocols.has(protocol))
      continue;
    else if (!starts.has(id))
      add(
        `${operations}/${id}/`,
        "has no schema yet: introspect, then run init again to get a first operation",
      );
  }
  if (snapshots !== "to-derive") add(`${output}/${SCHEMAS_FOLDER}/`, SNAPSHOTS[snapshots]);
  if (repository.graphqlConfig !== null) {
    const { name, text } = repository.graphqlConfig;
    const schemas = `${output}/${SCHEMAS_FOLDER}/`;
    const lacks = `has no project with a schema of ${schemas}<protocol>/<style>.graphql`;
    add(name, text.includes(schemas) ? "exists already" : lacks);
  }
  return rows;
}

const SNAPSHOTS = {
  "of-hosts": "gets the snapshots of your hosts by `lockflow introspect`",
  incomplete: "lacks the snapshots of a protocol; `lockflow introspect` writes them",
  present: "has snapshots already",
};

function whyLeftAlone({ envExample }: Repository, { project }: Layout, path: string): string {
  if (!path.endsWith(".env.example") || envExample === null) return "exists already";
  const missing = projectVariables(project).filter((name) => !new RegExp(`\\b${name}\\b`).test(envExample));
  return `exists already${missing.length === 0 ? "" : `; it lacks ${missing.join(", ")}`}`;
}

type ProposedFile = OutputFile & Row;

/** Returns every file that a set-up repository has, except snapshots, whether or not it exists. */
function proposeFiles(repository: Repository, layout: Layout): ProposedFile[] {
  const { project } = layout;
  const variables = projectVariables(project);
  const configName = configNameOf(repository, layout);
  const files: ProposedFile[] = [];
  if (layout.config === null) {
    files.push({ path: configName, content: renderConfig(configName, project), why: "the configuration" });
  }
  files.push(...proposeOperations(layout));
  if (repository.graphqlConfig === null) {
    const isTyped = repository.typescript !== null;
    files.push({
      path: `graphql.config.${isTyped ? "ts" : "json"}`,
      content: renderGraphqlConfig(project, isTyped),
      why: "for editors",
    });
  }
  const envExample = renderEnvExample(configName, variables);
  files.push({ path: ".env.example", content: envExample, why: "names of variables" });
  const below = files.map((file) => ({ ...file, path: posix.join(repository.path, file.path) }));
  if (!repository.isOnGithub) return below;
  const content = renderWorkflow(repository, variables);
  return [...below, { path: workflowPath(repository.path), content, why: "checks in CI" }];
}

/** Returns the operations of the library, if requested, and a first operation for each other surface without operations. */
function proposeOperations({ library, project, wanted, starts, withOperations }: Layout): ProposedFile[] {
  const files = new Map<string, ProposedFile>();
  const add = (path: string, content: string, why: string) =>
    files.set(path, { path: `${project.operations}/${path}`, content, why });
  for (const { path, content } of library?.files ?? []) add(path, content, "from the library");
  for (const { id, protocol, style } of wanted) {
    const start = starts.get(id);
    const portable = `${protocol}/${PORTABLE_FOLDER}`;
    if (start === undefined || library?.protocols.has(protocol)) continue;
    if (withOperations.has(id) || withOperations.has(portable)) continue;
    // Next to an operation of the same name in one style, a portable one would be a duplicate.
    const siblings = wanted.filter((surface) => surface.protocol === protocol);
    const isShared = start.isPortable && !siblings.some((surface) => withOperations.has(surface.id));
    add(
      `${isShared ? portable : id}/${fileName(start.name)}.graphql`,
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
  const { typescript, package: manifest } = repository;
  // Without a bundler, a CommonJS package cannot resolve the types of an ES module.
  const isTyped = typescript !== null && (typescript.isBundled || manifest.type === "module");
  return layout.config ?? (isTyped ? "lockflow.config.ts" : "lockflow.config.mjs");
}

/** Returns the path of the workflow. Workflows are at the root, so each package of a repository needs its own name. */
function workflowPath(path: string): string {
  const suffix = path === "" ? "" : `-${path.replaceAll(/[^A-Za-z0-9]+/g, "-")}`;
  return `.github/workflows/lockflow${suffix}.yml`;
}
