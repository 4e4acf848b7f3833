import type { Project } from "./project.ts";
import { type Environ, findUnreadVariables } from "./variables.ts";

/** Says that no host is configured, and which variables somebody may have set for one in vain. */
export function describeNoHost(project: Pick<Project, "deployments" | "protocols">, env: Environ): string {
  const unread = findUnreadVariables(project, env).map(
    ({ name, nearest }) =>
      `${name} is set, and nothing reads it${nearest === null ? "." : `: did you mean ${nearest}?`}`,
  );
  return ["no host is configured.", ...unread].join(" ");
}
