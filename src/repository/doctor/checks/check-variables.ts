import { ConfigError } from "../../../base/errors/config-error.ts";
import { chooseEndpoints } from "../../../fleet/choose-endpoints.ts";
import type { Project } from "../../../project/project.ts";
import { readUrls } from "../../../project/read-urls.ts";
import {
  defaultVariables,
  findUnreadVariables,
  hasHost,
  type UnreadVariable,
} from "../../../project/variables.ts";
import type { ProjectContext } from "../check-context.ts";
import { type CheckResult, problem, warning } from "../check-result.ts";

/** Whether variables make URLs that commands take, and whether one of our own naming is set in vain. */
export function checkVariables(context: ProjectContext): CheckResult[] {
  const { project, env, envFiles } = context;
  const unread = findUnreadVariables(project, env).map(describeUnread);
  if (hasHost(project, env)) return [...findUnfitUrls(project, context), ...unread];
  const known = defaultVariables(project.protocols);
  for (const { name, values } of envFiles.filter(({ isExample }) => !isExample)) {
    const held = known.filter((one) => (values.get(one) ?? "") !== "" && (env[one] ?? "").trim() === "");
    if (held.length === 0) continue;
    const sentence = `${held.join(", ")}: set in ${name}, which only your shell can load, so commands do not read it.`;
    unread.push(warning(sentence, `set -a; . ./${name}; set +a`));
  }
  return unread;
}

/** What is wrong with the URLs that variables make, each once. One that is not set is another check's business. */
function findUnfitUrls({ deployments }: Project, { environment, env }: ProjectContext): CheckResult[] {
  const { chosen } = chooseEndpoints(deployments, environment, env);
  const faults = new Map<string, CheckResult>();
  const read = (some: typeof chosen): boolean => {
    try {
      return readUrls(some, env).length > 0;
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      const { code, sentence, hint } = error;
      if (code !== "CONFIG_VARIABLE_MISSING") faults.set(sentence, problem(sentence, hint));
      return false;
    }
  };
  // Each by itself, so that one that lacks a variable hides none; and all of them, of which two may have one URL.
  const fit = chosen.filter((one) => read([one]));
  read(fit);
  return [...faults.values()];
}

function describeUnread({ name, nearest }: UnreadVariable): CheckResult {
  if (nearest !== null) {
    return warning(`${name} is set, and nothing reads it.`, `rename it: ${nearest} is what is read`);
  }
  return warning(
    `${name} is set, and nothing reads it: the configuration says it itself, or nobody is asked who needs it.`,
    `unset ${name}, or see docs/configuration.md for what it goes with`,
  );
}
