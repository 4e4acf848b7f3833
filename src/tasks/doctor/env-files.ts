import { join } from "node:path";
import { LockflowError } from "../../base/errors.ts";
import { runGit } from "../../base/git.ts";
import { readText } from "../../base/read-files.ts";
import { shellArgument } from "../../base/text.ts";
import {
  type CheckContext,
  type CheckResult,
  type EnvFile,
  ok,
  type ProjectContext,
  problem,
  skipped,
  warning,
} from "./context.ts";
import { collectSecretVariables, isPlaceholder } from "./variables.ts";

/** Prefixes of the variables that bundlers copy into the public bundle. */
const PUBLIC = /^(NEXT_PUBLIC|VITE|REACT_APP|PUBLIC|EXPO_PUBLIC|NUXT_PUBLIC|GATSBY|VUE_APP)_/;

/** Checks that no key is in a variable that bundlers publish. Values are never shown. */
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
        `The configuration reads a key from ${name}, but bundlers publish variables with this prefix.`,
        `rename it to ${name.replace(PUBLIC, "")} in the configuration and wherever it is set, and create a new key`,
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
  const results = [...configured, ...inEnvironment, ...inFiles];
  return results.length > 0 ? results : [ok("No key is in a variable that bundlers publish.")];
}

/** Returns whether a name is that of a key with a public prefix: `VITE_GRAPH_KEY` for `GRAPH_KEY`. */
function isNamedAfter(name: string, value: string, keys: readonly string[]): boolean {
  return !isPlaceholder(value) && keys.includes(name.replace(PUBLIC, ""));
}

function published(name: string, where: string): CheckResult {
  return warning(
    `${name} in ${where} is a key, but bundlers publish variables with this prefix.`,
    `remove ${name} from ${where}, and create a new key: this one may be public`,
  );
}

/** Checks that no committed file of variables contains a key, or is likely to. */
export async function checkEnvFiles({ root, project, envFiles }: CheckContext): Promise<CheckResult[]> {
  if (envFiles.length === 0) return [];
  const names = envFiles.map(({ name }) => name);
  const listed = await runGit(root, ["ls-files", "-z", "--", ...names]);
  if (listed.status !== 0)
    return [skipped(`git does not list the committed files: ${listed.reasons.join(" ")}`)];
  const tracked = new Set(listed.out.split("\0"));
  const keys = project instanceof LockflowError ? [] : collectSecretVariables(project);
  const results = envFiles
    .filter(({ name }) => tracked.has(name))
    .flatMap((file) => checkTracked(file, keys));
  return results.length > 0 ? results : [ok(`No key in ${names.join(", ")} is committed.`)];
}

function checkTracked({ name, values, isExample }: EnvFile, keys: readonly string[]): CheckResult[] {
  const set = keys.filter((key) => !isPlaceholder(values.get(key) ?? ""));
  if (set.length > 0) {
    const fix = isExample
      ? `remove the value from ${name}, and create a new key: the old one stays in the history of git`
      : `git rm --cached ${shellArgument(name)}, add it to .gitignore, and create a new key: the old one stays in the history of git`;
    return [problem(`${name} is committed, and ${set.join(", ")} is set in it.`, fix)];
  }
  // Other files are meant to be committed: `.env.production` has the settings of a build.
  if (isExample || !/^\.env(\.local|\..+\.local)?$/.test(name)) return [];
  const sentence = `${name} is committed. It has no key now, but may get one later.`;
  return [warning(sentence, `git rm --cached ${shellArgument(name)}, and add it to .gitignore`)];
}

/** Reads the `.env` files among the files of a folder. An unreadable file counts as empty. */
export async function readEnvFiles(root: string, names: readonly string[]): Promise<EnvFile[]> {
  const fileNames = names.filter((name) => /^\.env(\.|$)/.test(name));
  return Promise.all(
    fileNames.map(async (name) => {
      const text = await readText(join(root, name)).catch(() => null);
      return { name, values: parseValues(text ?? ""), isExample: EXAMPLE.test(name) };
    }),
  );
}

const EXAMPLE = /\.(example|sample|template|dist|defaults?)$/;

function parseValues(text: string): Map<string, string> {
  const values = new Map<string, string>();
  for (const line of text.split("\n")) {
    const [, name, value = ""] = /^\s*(?:export\s+)?([A-Za-z_]\w*)\s*=\s*(.*)$/.exec(line) ?? [];
    if (name === undefined) continue;
    const quoted = /^(["'`])(.*)\1/.exec(value);
    values.set(name, quoted?.[2] ?? value.replace(/\s+#.*$/, "").trim());
  }
  return values;
}
