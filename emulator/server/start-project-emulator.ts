import type { Project } from "../../src/project/project.ts";
import type { Environment } from "../../src/project/vocabulary.ts";
import { manifestVariables, overrideVariables } from "./manifest-variables.ts";
import { type Emulator, type EmulatorOptions, startEmulator } from "./start-emulator.ts";

/**
 * Starts the emulator with the deployments of a project: its brand, its protocols, its chains. Its variables are those
 * of the project.
 */
export async function startProjectEmulator(
  project: Project,
  options: Omit<EmulatorOptions, "deployments" | "chains">,
): Promise<Emulator> {
  const chainIds = new Map(project.chains.map((chain) => [chain.key, chain.chainId]));
  const deployments = project.deployments
    .filter((deployment) => deployment.status !== "retired")
    .map(({ name, protocol, style, chains, endpoints }) => ({
      name,
      protocol,
      style,
      chainIds: chains.flatMap((key) => chainIds.get(key) ?? []),
      environments: endpoints.map((endpoint) => endpoint.environment),
    }));
  const emulator = await startEmulator({ ...options, deployments, chains: project.chains });
  const byName = new Map(deployments.map((deployment) => [deployment.name, deployment]));
  const urls = emulator.endpoints.flatMap(({ deployment: name, environment, url }) => {
    const deployment = byName.get(name);
    return deployment ? [{ deployment, environment, url }] : [];
  });
  const urlOf = (name: string, environment: Environment) =>
    urls.find((one) => one.deployment.name === name && one.environment === environment)?.url;
  return {
    ...emulator,
    env: () => ({
      ...manifestVariables(project.shared, urls),
      ...overrideVariables(project.deployments, urlOf),
    }),
  };
}
