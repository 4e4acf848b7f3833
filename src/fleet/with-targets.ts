import type { ProjectOptions } from "../project/open-project.ts";
import type { Project } from "../project/project.ts";
import { leftOut } from "../project/select-deployments.ts";
import type { Environment } from "../project/vocabulary.ts";
import { type OpenTargets, openTargets } from "./open-targets.ts";

/** Whom a run asks, and who hears of it. */
export type AskingOptions = ProjectOptions & {
  /** The variables that hold keys and hosts, as `process.env` has them. None is read that is not given here. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Which endpoints to ask. @default testing, where a deployment has it */
  readonly environment?: Environment | undefined;
  /** Asks the emulator on this machine, whatever is configured. It is asked as well where no host is. @default false */
  readonly emulator?: boolean | undefined;
  /** Called once, before anybody is asked. @default not called */
  readonly onAsking?: ((asking: Asking) => void) | undefined;
  /** Called before the first answer, and after each. @default not called */
  readonly onProgress?: ((progress: AskingProgress) => void) | undefined;
};

/** Whom a run asks. */
export type Asking = {
  /** In one sentence. */
  readonly description: string;
  /** Names of the deployments that are asked. */
  readonly deployments: readonly string[];
  /** Names of those that have no URL, and are not. */
  readonly unconfigured: readonly string[];
  /** Names of those that the run is not about. */
  readonly leftOut: readonly string[];
  /** Variables that could say where those are, and are not set. */
  readonly unset: readonly string[];
};

/** How many deployments have answered, or failed to. */
export type AskingProgress = {
  /** From 0. */
  readonly done: number;
  /** How many are asked. */
  readonly total: number;
  /** The name of the last one; null before the first. */
  readonly deployment: string | null;
};

/** Opens the targets of a project, as `openTargets` does, for as long as `run` takes. */
export async function withTargets<T>(
  project: Project,
  options: AskingOptions & { readonly needsRows?: boolean },
  run: (opened: OpenTargets) => Promise<T>,
): Promise<T> {
  const { env, environment, emulator: useEmulator = false, needsRows = false, onAsking } = options;
  const opened = await openTargets(project, { environment, useEmulator, needsRows }, env);
  try {
    onAsking?.(describeTargets(project, opened, environment));
    return await run(opened);
  } finally {
    await opened.close();
  }
}

/** Tells whom a run asks. */
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

/** Creates what tells of the progress of a run that asks `total` deployments. */
export function createCount(
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
