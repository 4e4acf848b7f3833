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

/** Whether a name is that of a key behind a public prefix: `VITE_GRAPH_KEY` for `GRAPH_KEY`. */
function isNamedAfter(name: string, value: string, keys: readonly string[]): boolean {
  return !isPlaceholder(value) && keys.includes(name.replace(PUBLIC, ""));
}

function published(name: string, where: string): CheckResult {
  return warning(
    `${name} in ${where} holds a key, and bundlers publish variables of that name.`,
    `take ${name} out of ${where}, and get a new key: everybody may have this one`,
  );
}

/** Checks that no file of variables is committed with a key in it, or is likely to be. */
export async function checkEnvFiles({ root, project, envFiles }: CheckContext): Promise<CheckResult[]> {
  if (envFiles.length === 0) return [];
  const names = envFiles.map(({ name }) => name);
  const listed = await runGit(root, ["ls-files", "-z", "--", ...names]);
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
      : `git rm --cached ${shellArgument(name)}, add it to .gitignore, and get a new key: it stays in git's history`;
    return [problem(`${name} is committed, and ${held.join(", ")} is set in it.`, fix)];
  }
  // Other files are meant to be committed: `.env.production` has the settings of a build.
  if (isExample || !/^\.env(\.local|\..+\.local)?$/.test(name)) return [];
  const sentence = `${name} is committed. No key of the configuration is in it, and the next one may be.`;
  return [warning(sentence, `git rm --cached ${shellArgument(name)}, and add it to .gitignore`)];
}

/** Reads the `.env` files among the files of a folder. An unreadable file counts as empty. */
export async function readEnvFiles(root: string, names: readonly string[]): Promise<EnvFile[]> {
  const found = names.filter((name) => /^\.env(\.|$)/.test(name));
  return Promise.all(
    found.map(async (name) => {
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
