import { ConfigError } from "../base/errors/config-error.ts";
import { nearestName } from "../base/nearest-name.ts";
import type { Deployment } from "./deployment.ts";

/** Requires that what a deployment was replaced by is a deployment, is another one and is in use. */
export function requireReplacements(deployments: readonly Deployment[]): void {
  const byName = new Map(deployments.map((deployment) => [deployment.name, deployment]));
  for (const { name, replacedBy } of deployments) {
    if (replacedBy === undefined) continue;
    const other = byName.get(replacedBy);
    if (other !== undefined && other.name !== name && other.status !== "retired") continue;
    const others = [...byName.keys()].filter((one) => one !== name);
    const nearest = other ? null : nearestName(replacedBy, others);
    throw new ConfigError({
      code: "CONFIG_UNKNOWN_DEPLOYMENT",
      sentence: `"deployments.${name}.replacedBy" names "${replacedBy}", which is ${other === undefined ? "no deployment" : other.name === name ? "itself" : "retired"}.`,
      hint: nearest === null ? "name the deployment to use in its place." : `did you mean "${nearest}"?`,
    });
  }
}
