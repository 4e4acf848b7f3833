import { askGit } from "../../../base/disk/ask-git.ts";
import { LockflowError } from "../../../base/errors/lockflow-error.ts";
import type { CheckContext } from "../check-context.ts";
import { type CheckResult, ok, problem, skipped, warning } from "../check-result.ts";
import { collectSecretVariables } from "../collect-variables.ts";
import { isPlaceholder } from "../is-placeholder.ts";
import type { EnvFile } from "../read-env-files.ts";

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
