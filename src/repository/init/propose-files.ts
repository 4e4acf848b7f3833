import type { OutputFile } from "../../base/disk/output-file.ts";
import { AUTHORED_STYLE, PORTABLE_FOLDER } from "../../generate/read-portable.ts";
import { SCHEMAS_FOLDER } from "../../snapshots/snapshot.ts";
import { styles } from "../../styles/index.ts";
import { renderConfig } from "./render-config.ts";
import { renderEnvExample } from "./render-env-example.ts";
import { renderGraphqlConfig } from "./render-graphql-config.ts";
import { renderWorkflow } from "./render-workflow.ts";
import type { Layout, Repository } from "./repository.ts";

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
      styles[isShared ? AUTHORED_STYLE : style].listRows(start),
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
