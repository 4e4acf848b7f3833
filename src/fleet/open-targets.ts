import { ConfigError } from "../base/errors/config-error.ts";
import { loadEmulator } from "../load-emulator.ts";
import type { Deployment, Endpoint } from "../project/deployment.ts";
import { describeNoHost } from "../project/describe-no-host.ts";
import type { Project } from "../project/project.ts";
import type { DeploymentEndpoint } from "../project/read-urls.ts";
import { plainUrl } from "../project/url-template.ts";
import { type Environ, hasHost } from "../project/variables.ts";
import type { Environment } from "../project/vocabulary.ts";
import { chooseEndpoints } from "./choose-endpoints.ts";
import { resolveTargets, type Target } from "./resolve-targets.ts";

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
 * Opens the targets of a project: the hosts of its configuration and its variables, or an emulator where there is none.
 *
 * @param options.needsRows whether rows are asked for besides schemas, of which an emulator else makes up few.
 * @throws ConfigError when a key or a variable of a URL is missing; nothing has been sent then.
 */
export async function openTargets(
  project: Project,
  options: {
    readonly environment: Environment | undefined;
    readonly useEmulator: boolean;
    readonly needsRows: boolean;
  },
  env: Environ,
): Promise<OpenTargets> {
  const { environment, useEmulator, needsRows } = options;
  if (useEmulator) return openEmulatedTargets(project, environment, needsRows, "--emulator says so.");
  if (!hasHost(project, env)) {
    return openEmulatedTargets(project, environment, needsRows, describeNoHost(project, env));
  }
  const { chosen, retired, unconfigured } = chooseEndpoints(project.selected, environment, env);
  const targets = resolveTargets(chosen, env);
  const hosts = [...new Set(targets.map(({ url }) => new URL(url).host))].sort();
  return {
    targets,
    retired: retired.flatMap((one) => resolveRetired(one, env)),
    unconfigured,
    description: describeHosts(targets.length, hosts),
    close: async () => {},
  };
}

function describeHosts(count: number, hosts: readonly string[]): string {
  if (count === 0) return "Asking nobody.";
  return `Asking ${count === 1 ? "one deployment" : `${count} deployments`} on ${hosts.join(", ")}.`;
}

/** Nobody has to hold a key for what is retired: without one it is not asked. */
function resolveRetired(retired: DeploymentEndpoint, env: Environ): Target[] {
  try {
    return resolveTargets([retired], env);
  } catch (error) {
    if (error instanceof ConfigError) return [];
    throw error;
  }
}

async function openEmulatedTargets(
  project: Project,
  environment: Environment | undefined,
  needsRows: boolean,
  reason: string,
): Promise<OpenTargets> {
  const { startProjectEmulator } = await loadEmulator();
  const emulator = await startProjectEmulator(project, needsRows ? {} : { streams: 1 });
  const deployments = project.selected.map((deployment) => ({
    ...deployment,
    endpoints: deployment.endpoints.flatMap((endpoint): Endpoint[] => {
      const served = emulator.endpoints.find(
        (one) => one.deployment === deployment.name && one.environment === endpoint.environment,
      );
      // The emulator takes any key in production; this one is a word, not a secret.
      const headers = endpoint.environment === "production" ? { authorization: "Bearer emulator" } : {};
      return served ? [{ ...endpoint, url: plainUrl(served.url), apiKey: null, headers }] : [];
    }),
  }));
  const { chosen, unconfigured } = chooseEndpoints(deployments, environment, {});
  return {
    targets: resolveTargets(chosen, {}),
    retired: [],
    unconfigured,
    description: `Asking the embedded emulator on this machine, because ${reason}`,
    close: () => emulator.close(),
  };
}
