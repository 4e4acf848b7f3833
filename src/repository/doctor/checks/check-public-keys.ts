import type { ProjectContext } from "../check-context.ts";
import { type CheckResult, ok, warning } from "../check-result.ts";
import { collectSecretVariables } from "../collect-variables.ts";
import { isPlaceholder } from "../is-placeholder.ts";

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
