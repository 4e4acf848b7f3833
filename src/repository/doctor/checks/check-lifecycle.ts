import { groupBy } from "../../../base/group-by.ts";
import { listSome } from "../../../base/list-some.ts";
import { describeLifecycle } from "../../../project/lifecycle.ts";
import type { ProjectContext } from "../check-context.ts";
import { type CheckResult, ok } from "../check-result.ts";

/** What the configuration tells became of deployments; nothing of those that are in use. */
export function checkLifecycle({ project }: ProjectContext): CheckResult[] {
  const ended = project.deployments.filter(({ status }) => status !== "active");
  return [...groupBy(ended, describeLifecycle)].map(([sentence, deployments]) => {
    const names = deployments.map(({ name }) => name);
    return ok(`${listSome(names, 2)}: ${sentence}`);
  });
}
