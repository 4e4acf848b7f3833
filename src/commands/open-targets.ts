import { ConfigError } from "../errors/config-error.ts";
import { type ChosenEndpoint, chooseEndpoints } from "../introspect/choose-endpoints.ts";
import type { Deployment, Endpoint } from "../model/deployment.ts";
import type { Environment } from "../model/vocabulary.ts";
import type { Project } from "../registry/project.ts";
import { readUrls } from "../registry/read-urls.ts";
import { resolveTargets, type Target } from "../transport/resolve-targets.ts";

/** The deployments of a run, ready to be asked. */
export type OpenTargets = {
  readonly targets: readonly Target[];
  /** Retired deployments that still have a URL, and the key for it. */
  readonly retired: readonly Target[];
  /** Active deployments without a URL in the wanted environment. */
  readonly unconfigured: readonly Deployment[];
  /** One sentence on whom the run asks. */
  readonly description: string;
  readonly close: () => Promise<void>;
};

/**
 * Opens the targets of a project: its configured hosts, or an emulator where none is configured.
 *
 * @throws ConfigError when a key or a variable of a URL is missing; nothing has been sent then.
 */
export async function openTargets(
  project: Project,
  environment: Environment | undefined,
  env: Readonly<Record<string, string | undefined>>,
): Promise<OpenTargets> {
  if (project.onEmulator) return openEmulatedTargets(project, environment);
  const { chosen, retired, unconfigured } = chooseEndpoints(project.deployments, environment);
  const targets = resolveTargets(readUrls(chosen, env), env);
  const hosts = [...new Set(targets.map(({ url }) => new URL(url).host))].sort();
  return {
    targets,
    retired: resolveRetired(retired, env),
    unconfigured,
    description: `Asking ${targets.length} deployments on ${hosts.join(", ")}.`,
    close: async () => {},
  };
}

/** Nobody has to hold a key for what is retired: without one it is not asked. */
function resolveRetired(
  retired: readonly ChosenEndpoint[],
  env: Readonly<Record<string, string | undefined>>,
): Target[] {
  return retired.flatMap((one) => {
    try {
      return resolveTargets(readUrls([one], env), env);
    } catch (error) {
      if (error instanceof ConfigError) return [];
      throw error;
    }
  });
}

async function openEmulatedTargets(
  project: Project,
  environment: Environment | undefined,
): Promise<OpenTargets> {
  const { startProjectEmulator } = await import("../emulator/start-project-emulator.ts");
  const emulator = await startProjectEmulator(project, {});
  const deployments = project.deployments.map((deployment) => ({
    ...deployment,
    endpoints: deployment.endpoints.map((endpoint): Endpoint => {
      const served = emulator.endpoints.find(
        (candidate) =>
          candidate.deployment === deployment.name && candidate.environment === endpoint.environment,
      );
      // The emulator takes any key in production; this one is a word, not a secret.
      const headers = endpoint.environment === "production" ? { authorization: "Bearer emulator" } : {};
      return { ...endpoint, url: served?.url ?? null, headers };
    }),
  }));
  const { chosen, unconfigured } = chooseEndpoints(deployments, environment);
  return {
    targets: resolveTargets(readUrls(chosen, {}), {}),
    retired: [],
    unconfigured,
    description: "Asking the embedded emulator on this machine, because no host is configured.",
    close: () => emulator.close(),
  };
}
