import { compareCodeUnits, sortByName } from "../../base/compare-code-units.ts";
import { chooseEndpoints } from "../../fleet/choose-endpoints.ts";
import type { Project } from "../../project/project.ts";
import {
  type EndpointVariable,
  endpointVariables,
  isConfigured,
  secretVariables,
} from "../../project/variables.ts";
import type { Environment } from "../../project/vocabulary.ts";

/** An environment variable that commands read: one the configuration names, or ours where it names none. */
export type NamedVariable = EndpointVariable & {
  /** How many endpoints need it that are asked by default, or in the wanted environment. */
  readonly asked: number;
  /** How many endpoints need it in all. */
  readonly all: number;
};

/** Collects the variables that hold keys, headers and parts of URLs, in order of name. */
export function collectVariables(
  { deployments }: Project,
  environment: Environment | undefined,
  env: Readonly<Record<string, string | undefined>>,
): NamedVariable[] {
  const { chosen } = chooseEndpoints(deployments, environment, env);
  const asked = new Set(chosen.map(({ endpoint }) => endpoint));
  const variables = new Map<string, NamedVariable>();
  for (const { status, endpoints } of deployments) {
    if (status === "retired") continue;
    for (const endpoint of endpoints.filter((one) => isConfigured(one, env))) {
      for (const { name, kind } of endpointVariables(endpoint, env)) {
        const known = variables.get(name) ?? { name, kind, asked: 0, all: 0 };
        // One that is a key anywhere is treated as one.
        const strictest = kind === "key" ? kind : known.kind;
        const times = known.asked + Number(asked.has(endpoint));
        variables.set(name, { name, kind: strictest, asked: times, all: known.all + 1 });
      }
    }
  }
  return sortByName([...variables.values()]);
}

/** Collects those whose value is a secret, be they needed today or not. */
export function collectSecretVariables({ deployments }: Project): string[] {
  const secrets = deployments.flatMap(({ endpoints }) => endpoints.flatMap(secretVariables));
  return [...new Set(secrets.map(({ name }) => name))].sort(compareCodeUnits);
}
