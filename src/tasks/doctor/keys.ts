import { LockflowError } from "../../base/errors.ts";
import { askGit } from "../../base/git.ts";
import type { Project } from "../../project/project.ts";
import { isConfigured } from "../../project/variables.ts";
import {
  type CheckContext,
  type CheckResult,
  collectSecretVariables,
  collectVariables,
  type EnvFile,
  isPlaceholder,
  type NamedVariable,
  ok,
  type ProjectContext,
  problem,
  skipped,
  warning,
} from "./context.ts";

/** Whether the variables that hold keys are set, and to what a key can be. Values are never shown. */
export function checkKeys(context: ProjectContext): CheckResult[] {
  const { project, environment, env } = context;
  const variables = collectVariables(project, environment, env);
  const found = variables.flatMap((variable) => checkVariable(variable, context));
  const keyless = checkKeyless(project, env);
  if (variables.length > 0 || keyless.length > 0) return [...found, ...keyless];
  return [ok("No endpoint is configured that needs a key or another variable.")];
}

function checkVariable(variable: NamedVariable, context: ProjectContext): CheckResult[] {
  const { name, kind } = variable;
  const value = context.env[name];
  if (value === undefined || value.trim() === "") return [notSet(variable, context)];
  const trimmed = value.trim();
  const alone = `set ${name} to its value alone`;
  if (/[^\x20-\x7e]/.test(trimmed)) {
    return [problem(`${name} holds more than one line, or letters beyond ASCII.`, alone)];
  }
  if (kind === "key" && /^bearer /i.test(trimmed)) {
    return [problem(`${name} starts with "Bearer", which is sent before it anyway.`, alone)];
  }
  if (kind === "key" && trimmed.includes(" ")) return [problem(`${name} has a blank in it.`, alone)];
  if (isPlaceholder(trimmed)) return [warning(`${name} looks like a placeholder.`, `export ${name}=…`)];
  if (/^(["']).*\1$/.test(trimmed)) return [warning(`${name} has quotes around its value.`, alone)];
  if (value !== trimmed) {
    const sentence = `${name} has blanks or a line end around its value. Lockflow takes them off, and others send them.`;
    return [warning(sentence, alone)];
  }
  return [ok(`${name} is set.`)];
}

function notSet({ name, asked, all }: NamedVariable, { envFiles }: ProjectContext): CheckResult {
  const file = envFiles.find(({ values, isExample }) => !isExample && (values.get(name) ?? "") !== "");
  const fix = file ? `set -a; . ./${file.name}; set +a` : `export ${name}=…`;
  const where = file ? ` (it is in ${file.name}, which only your shell can load)` : "";
  if (asked > 0) return problem(`${name} is not set${where}, and ${count(asked)} it.`, fix);
  const unasked = `${name} is not set${where}; ${count(all)} it, in an environment that is not asked now.`;
  return warning(unasked, fix);
}

function count(endpoints: number): string {
  return endpoints === 1 ? "one endpoint needs" : `${endpoints} endpoints need`;
}

/** Endpoints that answer nobody without a key, and are given none. */
function checkKeyless({ deployments }: Project, env: ProjectContext["env"]): CheckResult[] {
  const keyless = deployments
    .flatMap(({ status, endpoints }) => (status === "retired" ? [] : endpoints))
    .filter((endpoint) => endpoint.requiresKey && endpoint.apiKey === null && isConfigured(endpoint, env))
    .filter(({ headers }) => !Object.keys(headers).some((name) => name.toLowerCase() === "authorization"));
  if (keyless.length === 0) return [];
  const which = keyless.length === 1 ? "One endpoint answers" : `${keyless.length} endpoints answer`;
  return [
    warning(
      `${which} nobody without a key, and none is configured there.`,
      'name the variable in the configuration: apiKey: { env: "…" }, or false where none is needed',
    ),
  ];
}

/** How the names of variables begin that bundlers put into the program that everybody downloads. */
const PUBLIC = /^(NEXT_PUBLIC|VITE|REACT_APP|PUBLIC|EXPO_PUBLIC|NUXT_PUBLIC|GATSBY|VUE_APP)_/;

/** Whether a key is where a bundler publishes it. Variables and files are named, values never. */
export function checkPublicKeys({ project, env, envFiles }: ProjectContext): CheckResult[] {
  const names = collectSecretVariables(project);
  if (names.length === 0) return [];
  const keys = new Set(
    [env, ...envFiles.map(({ values }) => Object.fromEntries(values))]
      .flatMap((values) => names.map((name) => values[name]?.trim() ?? ""))
      .filter((value) => !isPlaceholder(value)),
  );
  const configured = names
    .filter((name) => PUBLIC.test(name))
    .map((name) =>
      warning(
        `The configuration reads a key from ${name}, and bundlers publish variables of that name.`,
        `rename it to ${name.replace(PUBLIC, "")}, in the configuration and where it is set, and get a new key`,
      ),
    );
  const inEnvironment = Object.entries(env)
    .filter(([name, value]) => PUBLIC.test(name) && !names.includes(name) && keys.has(value?.trim() ?? ""))
    .map(([name]) => published(name, "the environment"));
  const inFiles = envFiles.flatMap((file) =>
    [...file.values]
      .filter(([name, value]) => PUBLIC.test(name) && (keys.has(value) || isNamedAfter(name, value, names)))
      .map(([name]) => published(name, file.name)),
  );
  const found = [...configured, ...inEnvironment, ...inFiles];
  return found.length > 0 ? found : [ok("No key is in a variable that bundlers publish.")];
}

/** `VITE_GRAPH_KEY`, where `GRAPH_KEY` is what holds the key. */
function isNamedAfter(name: string, value: string, keys: readonly string[]): boolean {
  return !isPlaceholder(value) && keys.includes(name.replace(PUBLIC, ""));
}

function published(name: string, where: string): CheckResult {
  return warning(
    `${name} in ${where} holds a key, and bundlers publish variables of that name.`,
    `take ${name} out of ${where}, and get a new key: everybody may have this one`,
  );
}

/** Whether a file of variables is committed, with or without a key in it. */
export async function checkEnvFiles({ root, project, envFiles }: CheckContext): Promise<CheckResult[]> {
  if (envFiles.length === 0) return [];
  const names = envFiles.map(({ name }) => name);
  const listed = await askGit(root, ["ls-files", "-z", "--", ...names]);
  if (listed.status !== 0) return [skipped("This is no git repository, so nothing in it is committed.")];
  const tracked = new Set(listed.out.split("\0"));
  const keys = project instanceof LockflowError ? [] : collectSecretVariables(project);
  const found = envFiles.filter(({ name }) => tracked.has(name)).flatMap((file) => checkTracked(file, keys));
  return found.length > 0 ? found : [ok(`git has no key of ${names.join(", ")}.`)];
}

function checkTracked({ name, values, isExample }: EnvFile, keys: readonly string[]): CheckResult[] {
  const held = keys.filter((key) => !isPlaceholder(values.get(key) ?? ""));
  if (held.length > 0) {
    const fix = isExample
      ? `take the value out of ${name}, and get a new key: it stays in git's history`
      : `git rm --cached ${name}, add it to .gitignore, and get a new key: it stays in git's history`;
    return [problem(`${name} is committed, and ${held.join(", ")} is set in it.`, fix)];
  }
  // Others are meant to be shared: `.env.production` holds the settings of a build.
  if (isExample || !/^\.env(\.local|\..+\.local)?$/.test(name)) return [];
  const sentence = `${name} is committed. No key of the configuration is in it, and the next one may be.`;
  return [warning(sentence, `git rm --cached ${name}, and add it to .gitignore`)];
}
