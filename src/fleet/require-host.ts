import { ConfigError } from "../base/errors/config-error.ts";
import { isCi } from "../base/is-ci.ts";
import type { Project } from "../project/project.ts";
import {
  type Environ,
  findUnreadVariables,
  hasHost,
  MULTICHAIN_URL,
  SUBGRAPH_PRODUCTION_URL,
  SUBGRAPH_TESTING_URL,
} from "../project/variables.ts";

/** Stops a run in CI that knows no host. It would ask the emulator, and be clean for ever. */
export function requireHostInCi(project: Project, env: Environ): void {
  if (!isCi(env) || hasHost(project, env)) return;
  throw new ConfigError({
    code: "CONFIG_NO_HOST",
    sentence:
      "No host is configured, so drift would ask the emulator, which never drifts. With CI set it does not.",
    context: [
      "neither the configuration nor any variable says where the deployments are",
      ...findUnreadVariables(project, env).map(
        ({ name, nearest }) =>
          `${name} is set, and nothing reads it${nearest === null ? "" : `; did you mean ${nearest}?`}`,
      ),
    ],
    hint: `set ${[SUBGRAPH_TESTING_URL, SUBGRAPH_PRODUCTION_URL, MULTICHAIN_URL].join(" or ")} (in GitHub: as secrets of the repository, which the step hands on), or write the hosts into the configuration. To ask the emulator on purpose, add --emulator.`,
  });
}
