import type { Project } from "../registry/project.ts";
import { type Emulator, type EmulatorOptions, startEmulator } from "./start-emulator.ts";

/** Starts the emulator with the deployments of a project: its brand, its protocols, its chains. */
export function startProjectEmulator(
  project: Project,
  options: Omit<EmulatorOptions, "deployments" | "chains">,
): Promise<Emulator> {
  const chainIds = new Map(project.chains.map((chain) => [chain.key, chain.chainId]));
  const deployments = project.deployments
    .filter((deployment) => deployment.status === "active")
    .map(({ name, protocol, style, chains, endpoints }) => ({
      name,
      protocol,
      style,
      chainIds: chains.flatMap((key) => chainIds.get(key) ?? []),
      environments: endpoints.map((endpoint) => endpoint.environment),
    }));
  return startEmulator({ ...options, deployments, chains: project.chains });
}
