import { pickLifecycle } from "../project/lifecycle.ts";
import type { Project } from "../project/project.ts";
import type { DeploymentReport } from "../report/report.ts";

/** Builds what a report says of the deployments that a run is about, where it asks none of them. */
export function describeDeployments({ selected }: Pick<Project, "selected">): DeploymentReport[] {
  return selected.map((deployment) => {
    const { name, protocol, style, chains, status } = deployment;
    const lifecycle = status === "active" ? {} : { lifecycle: pickLifecycle(deployment) };
    return { deployment: name, protocol, style, chains, ...lifecycle };
  });
}
