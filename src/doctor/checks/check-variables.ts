import { LockflowError } from "../../errors/lockflow-error.ts";
import { variablesOf } from "../../registry/default-variables.ts";
import { findUnreadVariables, type UnreadVariable } from "../../registry/find-unread-variables.ts";
import { hasHost } from "../../registry/is-configured.ts";
import { type Diagnosis, warning } from "../diagnosis.ts";
import type { Patient } from "../patient.ts";

/** Whether a variable of our own naming is set in vain: misspelt, not needed, or in a file that no command reads. */
export function checkVariables({ project, env, envFiles }: Patient): Diagnosis[] {
  if (project instanceof LockflowError) return [];
  const unread = findUnreadVariables(project, env).map(describeUnread);
  if (hasHost(project, env)) return unread;
  const known = variablesOf(project.protocols);
  const inFiles = envFiles
    .filter(({ isExample }) => !isExample)
    .flatMap(({ name, values }) => {
      const held = known.filter((one) => (values.get(one) ?? "") !== "" && (env[one] ?? "").trim() === "");
      return held.length === 0
        ? []
        : [
            warning(
              `${held.join(", ")}: set in ${name}, which only your shell can load, so commands do not read it.`,
              `set -a; . ./${name}; set +a`,
            ),
          ];
    });
  return [...unread, ...inFiles];
}

function describeUnread({ name, nearest }: UnreadVariable): Diagnosis {
  if (nearest !== null) {
    return warning(`${name} is set, and nothing reads it.`, `rename it: ${nearest} is what is read`);
  }
  return warning(
    `${name} is set, and nothing reads it: the configuration says it itself, or nobody is asked who needs it.`,
    `unset ${name}, or see docs/configuration.md for what it goes with`,
  );
}
