import { compareCodeUnits } from "../base/compare-code-units.ts";
import { nearestName } from "../base/nearest-name.ts";
import { variablesOf } from "./default-variables.ts";
import type { Deployment } from "./deployment.ts";
import { endpointVariables } from "./endpoint-variables.ts";
import { isConfigured } from "./is-configured.ts";
import { PROTOCOLS } from "./vocabulary.ts";

/** A variable of our own naming that is set, and that no endpoint of a project needs. */
export type UnreadVariable = {
  readonly name: string;
  /** The variable that was likely meant; null for one whose name is right, or like none. */
  readonly nearest: string | null;
};

const PREFIX = "LOCKFLOW_";

/** Finds the variables that begin with our name and are read by nothing, in order of name. Values are never told. */
export function findUnreadVariables(
  { deployments }: { readonly deployments: readonly Deployment[] },
  env: Readonly<Record<string, string | undefined>>,
): UnreadVariable[] {
  const read = new Set(
    deployments
      .flatMap(({ endpoints }) => endpoints)
      .filter((endpoint) => isConfigured(endpoint, env))
      .flatMap((endpoint) => endpointVariables(endpoint, env).map(({ name }) => name)),
  );
  const known = variablesOf(PROTOCOLS);
  return Object.keys(env)
    .filter((name) => name.startsWith(PREFIX) && (env[name] ?? "").trim() !== "" && !read.has(name))
    .sort(compareCodeUnits)
    .map((name) => ({ name, nearest: known.includes(name) ? null : nearestTo(name, known) }));
}

/** What all names begin with says nothing of likeness. */
function nearestTo(name: string, known: readonly string[]): string | null {
  const endings = known.map((one) => one.slice(PREFIX.length));
  const nearest = nearestName(name.slice(PREFIX.length), endings);
  return nearest === null ? null : `${PREFIX}${nearest}`;
}
