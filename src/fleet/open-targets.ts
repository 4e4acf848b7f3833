import { ConfigError } from "../base/errors.ts";
import type { Environment } from "../dialects/surface.ts";
import type { Deployment, Endpoint } from "../project/deployment.ts";
import {
  chooseEndpoints,
  type DeploymentEndpoint,
  resolveTargets,
  type Target,
} from "../project/endpoints.ts";
import { leftOut, type ProjectOptions } from "../project/load-project.ts";
import type { Project } from "../project/project.ts";
import { plainUrl } from "../project/url-template.ts";
import {
  type Environ,
  findUnreadVariables,
  hasHost,
  MULTICHAIN_URL,
  SUBGRAPH_PRODUCTION_URL,
  SUBGRAPH_TESTING_URL,
} from "../project/variables.ts";
import { loadEmulator } from "./load-emulator.ts";

/** The deployments that a run queries. */
export type OpenTargets = {
  readonly targets: readonly Target[];
  /** Retired deployments that still have a URL, and the key for it. */
  readonly retired: readonly Target[];
  /** Active deployments without a URL in the wanted environment. */
  readonly unconfigured: readonly Deployment[];
  /** A sentence about the queried deployments. */
  readonly description: string;
  readonly close: () => Promise<void>;
};

/**
 * Opens the targets of a project, calls `run`, and closes them: the hosts of its configuration and variables, or an
 * emulator if none is configured.
 *
 * @param options.needsRows whether rows are queried as well; otherwise the emulator generates only a few.
 * @throws ConfigError if a key or a variable of a URL is missing; no request is sent then.
 */
export async function withTargets<T>(
  project: Project,
  options: TargetOptions,
  run: (opened: OpenTargets) => Promise<T>,
): Promise<T> {
  const opened = await openTargets(project, options);
  try {
    options.onAsking?.(describeTargets(project, opened, options.environment));
    return await run(opened);
  } finally {
    await opened.close();
  }
}

type TargetOptions = AskingOptions & { readonly needsRows?: boolean };

async function openTargets(project: Project, options: TargetOptions): Promise<OpenTargets> {
  const { env, environment, emulator = false } = options;
  if (emulator || !hasHost(project, env)) return openEmulatedTargets(project, options);
  const { chosen, retired, unconfigured } = chooseEndpoints(project.selected, environment, env);
  const targets = resolveTargets(chosen, env);
  const hosts = [...new Set(targets.map(({ url }) => new URL(url).host))].sort();
  return {
    targets,
    retired: retired.flatMap((endpoint) => resolveRetired(endpoint, env)),
    unconfigured,
    description:
      targets.length === 0
        ? "No deployment to query."
        : `Querying ${targets.length === 1 ? "one deployment" : `${targets.length} deployments`} on ${hosts.join(", ")}.`,
    close: async () => {},
  };
}

/** Keys of retired deployments are optional: without one, the deployment is not queried. */
function resolveRetired(retired: DeploymentEndpoint, env: Environ): Target[] {
  try {
    return resolveTargets([retired], env);
  } catch (error) {
    if (error instanceof ConfigError) return [];
    throw error;
  }
}

async function openEmulatedTargets(project: Project, options: TargetOptions): Promise<OpenTargets> {
  const { env, environment, needsRows = false } = options;
  const { startProjectEmulator } = await loadEmulator();
  const emulator = await startProjectEmulator(project, { asOf: "now", ...(!needsRows && { streams: 1 }) });
  const deployments = project.selected.map((deployment) => ({
    ...deployment,
    endpoints: deployment.endpoints.flatMap((endpoint): Endpoint[] => {
      const served = emulator.endpoints.find(
        (candidate) =>
          candidate.deployment === deployment.name && candidate.environment === endpoint.environment,
      );
      // The emulator accepts any key in production; this one is not a secret.
      const headers = endpoint.environment === "production" ? { authorization: "Bearer emulator" } : {};
      return served ? [{ ...endpoint, url: plainUrl(served.url), apiKey: null, headers }] : [];
    }),
  }));
  const { chosen, unconfigured } = chooseEndpoints(deployments, environment, {});
  return {
    targets: resolveTargets(chosen, {}),
    retired: [],
    unconfigured,
    description: describeEmulator(project, env, options.emulator),
    close: () => emulator.close(),
  };
}

/** Which endpoints a run queries, and callbacks about its progress. */
export type AskingOptions = ProjectOptions & {
  /** The variables with keys, hosts and proxies, such as `process.env`. No other variables are read. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The endpoints to query. @default testing if the deployment has it */
  readonly environment?: Environment | undefined;
  /** Queries the local emulator even if hosts are configured. Without a configured host it is the default. @default false */
  readonly emulator?: boolean | undefined;
  /** Called once, before the first request. @default not called */
  readonly onAsking?: ((asking: Asking) => void) | undefined;
  /** Called before the first answer, and after each. @default not called */
  readonly onProgress?: ((progress: AskingProgress) => void) | undefined;
};

/** The deployments that a run queries. */
export type Asking = {
  /** A sentence for people. */
  readonly description: string;
  /** Names of the queried deployments. */
  readonly deployments: readonly string[];
  /** Names of deployments without a URL, which are not queried. */
  readonly unconfigured: readonly string[];
  /** Names of deployments that the selection excludes. */
  readonly leftOut: readonly string[];
  /** Unset variables that could hold the URLs of `unconfigured`. */
  readonly unset: readonly string[];
};

/** The number of deployments that have answered or failed. */
export type AskingProgress = {
  /** The number of finished deployments, from 0. */
  readonly done: number;
  /** The number of queried deployments. */
  readonly total: number;
  /** The name of the last one; null before the first. */
  readonly deployment: string | null;
};

/** Describes the deployments that a run queries. */
export function describeTargets(
  { deployments, selected }: Pick<Project, "deployments" | "selected">,
  { description, targets, unconfigured }: OpenTargets,
  environment: Environment | undefined,
): Asking {
  const variables = unconfigured.flatMap(({ endpoints }) =>
    endpoints
      .filter((endpoint) => environment === undefined || endpoint.environment === environment)
      .flatMap(({ url }) => url.defaults),
  );
  return {
    description,
    deployments: targets.map(({ deployment }) => deployment.name),
    unconfigured: unconfigured.map(({ name }) => name),
    leftOut: leftOut({ deployments, selected }).map(({ name }) => name),
    unset: [...new Set(variables)].sort(),
  };
}

/** Creates a function that reports each finished deployment out of `total`. */
export function createProgressReporter(
  total: number,
  onProgress: AskingOptions["onProgress"] = () => {},
): (deployment: string) => void {
  let done = 0;
  onProgress({ done, total, deployment: null });
  return (deployment) => {
    done++;
    onProgress({ done, total, deployment });
  };
}

/** Stops a run in CI without a configured host: with the emulator it would always be clean. */
export function requireHostInCi(project: Project, env: Environ): void {
  if (!isCi(env) || hasHost(project, env)) return;
  throw new ConfigError({
    code: "CONFIG_NO_HOST",
    sentence:
      "No host is configured. In CI, drift does not fall back to the emulator, because its schema never changes.",
    context: [
      "neither the configuration nor a variable has the URL of a deployment",
      ...findUnreadVariables(project, env).map(
        ({ name, nearest }) =>
          `${name} is set, and nothing reads it${nearest === null ? "" : `; did you mean ${nearest}?`}`,
      ),
    ],
    hint: `set ${[SUBGRAPH_TESTING_URL, SUBGRAPH_PRODUCTION_URL, MULTICHAIN_URL].join(" or ")} (in GitHub: as secrets of the repository that the step passes on), or write the hosts into the configuration. To query the emulator on purpose, add --emulator.`,
  });
}

/** Describes why a run uses the emulator. */
export function describeEmulator(project: Project, env: Environ, isRequested = false): string {
  return `Using the emulator on this machine, because ${isRequested ? "--emulator is set." : describeNoHost(project, env)}`;
}

/** Describes a missing host, and set variables that are likely misspelt. */
export function describeNoHost(project: Pick<Project, "deployments" | "protocols">, env: Environ): string {
  const unread = findUnreadVariables(project, env).map(
    ({ name, nearest }) =>
      `${name} is set, and nothing reads it${nearest === null ? "." : `: did you mean ${nearest}?`}`,
  );
  return ["no host is configured.", ...unread].join(" ");
}

/** Returns whether the run is in CI. `CI=false` means no. */
export function isCi(env: Readonly<Record<string, string | undefined>>): boolean {
  return !["", "false", "0"].includes((env["CI"] ?? "").trim().toLowerCase());
}
