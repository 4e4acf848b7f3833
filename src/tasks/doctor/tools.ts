import { dirname, join, relative, sep } from "node:path";
import { describeOldNode, OLDEST_NODE } from "../../base/old-node.ts";
import { CLIENT_PACKAGE, CLIENT_RANGE } from "../../base/own-package.ts";
import { isObject, parseJson } from "../../base/parse-json.ts";
import { readText, realPath } from "../../base/read-files.ts";
import { isClientVersion, readClientVersion } from "../../workspace/client-version.ts";
import { PACKAGE_PATH, readModuleType } from "../../workspace/module-type.ts";
import { LOCK_FILES } from "../../workspace/package-manager.ts";
import {
  type CheckContext,
  type CheckResult,
  ok,
  type ProjectContext,
  problem,
  skipped,
  warning,
} from "./context.ts";

/** Checks the version of Node. */
export function checkNode({ node }: Pick<CheckContext, "node">): CheckResult[] {
  if (node === undefined) return [skipped("The version of Node is not known.")];
  if (describeOldNode(node) === null) return [ok(`Node ${node} is supported.`)];
  return [
    problem(`Node ${node} is too old: Lockflow needs ${OLDEST_NODE.join(".")} or newer.`, "nvm install 22"),
  ];
}

/** Checks that the lock files are of one package manager. */
export function checkPackages({ names, packageManager }: CheckContext): CheckResult[] {
  if (!names.includes("package.json")) return [skipped("There is no package.json here.")];
  const locks = LOCK_FILES.filter(([name]) => names.includes(name)).sort();
  const managers = new Set(locks.map(([, manager]) => manager));
  if (managers.size > 1) {
    return [
      warning(
        `There are lock files of several package managers: ${locks.map(([name]) => name).join(", ")}.`,
        `delete the unused ones, and run ${packageManager.command} install`,
      ),
    ];
  }
  return [ok(`${packageManager.command} installs the packages${locks[0] ? ` in ${locks[0][0]}` : ""}.`)];
}

/** Checks that `lockflow-client`, which generated code imports, is installed in a compatible version. */
export async function checkClient({
  project,
  names,
  packageManager,
}: ProjectContext): Promise<CheckResult[]> {
  if (project.runtime !== "package" || names.includes(".pnp.cjs")) return [];
  const manifest = join(project.root, project.output, `manifest.${project.format}`);
  if ((await readText(manifest)) === null) return [];
  const add = `${packageManager.add.replace(/ (--save-dev|--dev|-D|-d)\b/, "")} ${CLIENT_PACKAGE}@${CLIENT_RANGE}`;
  const version = await readClientVersion(project);
  if (version === null) {
    return [problem(`${CLIENT_PACKAGE} is not installed, but generated modules import it.`, add)];
  }
  if (isClientVersion(version)) return [ok(`${CLIENT_PACKAGE} ${version} fits the generated files.`)];
  const sentence = `${CLIENT_PACKAGE} ${version} is installed, but the generated files need ${CLIENT_RANGE}.`;
  return [problem(sentence, add)];
}

/** Checks that a configuration of GraphQL Code Generator has the packages it needs. */
export async function checkCodegen({ root, names, packageManager }: CheckContext): Promise<CheckResult[]> {
  const config = names.find((name) => /^codegen\.([cm]?[jt]s|json|ya?ml)$/.test(name));
  if (config === undefined || names.includes(".pnp.cjs")) return [];
  const missing: string[] = [];
  for (const name of ["@graphql-codegen/cli", "graphql"]) {
    if ((await findPackage(name, root)) === null) missing.push(name);
  }
  if (missing.length === 0) return [ok(`${config} has GraphQL Code Generator installed.`)];
  const sentence = `${config} is for GraphQL Code Generator, but ${missing.join(" and ")} ${missing.length === 1 ? "is" : "are"} not installed.`;
  return [problem(sentence, `${packageManager.add} ${missing.join(" ")}`)];
}

/** The oldest major version of TypeScript that generated files are tested with. */
const OLDEST = 5;

/** Checks the version of TypeScript; finds nothing in a project without it. */
export async function checkTypescript({ root, packageManager }: CheckContext): Promise<CheckResult[]> {
  const installed = await findPackage("typescript", root);
  if (installed === null) return [];
  if (Number(installed.version.split(".")[0]) >= OLDEST)
    return [ok(`TypeScript ${installed.version} is installed.`)];
  return [
    warning(
      `TypeScript ${installed.version} is older than ${OLDEST}, the oldest version that generated files are tested with.`,
      `${packageManager.add} typescript@latest`,
    ),
  ];
}

/** Checks that the project has at most one copy of graphql, in a supported version. */
export async function checkGraphql({ root, names, packageManager }: CheckContext): Promise<CheckResult[]> {
  if (names.includes(".pnp.cjs") || names.includes(".pnp.js")) {
    const sentence = "Not checked: packages are in archives (Plug'n'Play).";
    return [skipped(sentence)];
  }
  const installed = await findPackage("graphql", root);
  if (installed === null) return [ok("The project does not install graphql; Lockflow brings its own.")];
  const install = `${packageManager.add} graphql@16`;
  if (!isSupported(installed.version)) {
    const sentence = `graphql ${installed.version} is installed, but Lockflow needs 16.11 or newer, or 17.`;
    return [problem(sentence, install)];
  }
  const others = await findOtherCopies(root, installed);
  if (others.length === 0) return [ok(`graphql ${installed.version} is installed, in one copy.`)];
  return [
    warning(
      `There are several copies of graphql: the project has ${installed.version}, ${others.join(", ")}. Schemas and types of one copy do not work with another.`,
      `install one version: ${packageManager.add} graphql@${installed.version}, with overrides for packages that keep another`,
    ),
  ];
}

function isSupported(version: string): boolean {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  return (major === 16 && minor >= 11) || major === 17;
}

/** Finds other copies of graphql that direct dependencies use; each copy once. */
async function findOtherCopies(root: string, installed: InstalledPackage): Promise<string[]> {
  const kinds = ["dependencies", "devDependencies", "peerDependencies", "optionalDependencies"];
  const names = [...namesIn(await readJson(join(root, "package.json")), kinds)];
  const others = new Map<string, string>();
  for (const dependency of await Promise.all(names.map((name) => findPackage(name, root)))) {
    if (!dependency?.needs.has("graphql")) continue;
    const copy = await findPackage("graphql", dependency.folder);
    if (copy === null || copy.folder === installed.folder || others.has(copy.folder)) continue;
    others.set(copy.folder, `${dependency.name} uses ${copy.version} in ${relative(root, copy.folder)}`);
  }
  return [...others.values()];
}

/** An installed package, by its real path, with the names of its dependencies and peers. */
type InstalledPackage = {
  readonly name: string;
  readonly folder: string;
  readonly version: string;
  readonly needs: ReadonlySet<string>;
};

/** Finds the package that a module in a folder imports, as Node resolves it; null if it is missing. */
async function findPackage(name: string, from: string): Promise<InstalledPackage | null> {
  for (let folder = from; ; folder = dirname(folder)) {
    const installed = await readPackage(name, join(folder, "node_modules", name));
    if (installed !== null) return installed;
    if (folder === dirname(folder)) return null;
  }
}

async function readPackage(name: string, path: string): Promise<InstalledPackage | null> {
  const content = await readJson(join(path, "package.json"));
  if (content === null) return null;
  const version = content["version"];
  return {
    name,
    folder: (await realPath(path)) ?? path,
    version: typeof version === "string" && /^[\w.+-]{1,100}$/.test(version) ? version : "unknown",
    needs: namesIn(content, ["dependencies", "peerDependencies"]),
  };
}

function namesIn(content: Readonly<Record<string, unknown>> | null, keys: readonly string[]): Set<string> {
  return new Set(
    keys.flatMap((key) => {
      const value = content?.[key];
      return typeof value === "object" && value !== null ? Object.keys(value) : [];
    }),
  );
}

/** Returns null for a file that is missing or broken. */
async function readJson(path: string): Promise<Readonly<Record<string, unknown>> | null> {
  const value = parseJson((await readText(path).catch(() => null)) ?? "");
  return isObject(value) ? value : null;
}

/** Checks that Node reads generated JavaScript as ES modules. */
export async function checkModules({ project, packageManager }: ProjectContext): Promise<CheckResult[]> {
  const { root, output, format } = project;
  if (format === "ts") return [];
  const { type, path } = await readModuleType(project);
  if (type === "module") return [ok(`JavaScript in ${output}/ is read as ES modules.`)];
  if (path === null) {
    const sentence = `There is no package.json, so Node guesses the module type of ${output}/.`;
    return [warning(sentence, "npm init -y")];
  }
  const name = relative(root, path).replaceAll(sep, "/");
  if (path === join(root, output, PACKAGE_PATH)) {
    const sentence = `${name} does not declare the files next to it as ES modules.`;
    return [problem(sentence, 'set "type": "module" in it, or delete it')];
  }
  if (type === "commonjs")
    return [ok(`${name} declares JavaScript as CommonJS, so ${output}/ gets its own package.json.`)];
  return [
    warning(
      `${name} has no "type", so Node guesses the module type of each file in ${output}/ and warns.`,
      `npm pkg set type=module (type=commonjs if your own .js files call require()), then ${packageManager.exec} generate`,
    ),
  ];
}
