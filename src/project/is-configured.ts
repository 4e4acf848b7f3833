import { readText } from "../runtime/build-url.ts";
import type { Deployment, Endpoint } from "./deployment.ts";

/**
 * Whether somebody has said where an endpoint is: the configuration, or the variables that are read where it says
 * nothing. One of them is enough; whoever asks the endpoint is told which others it lacks.
 */
export function isConfigured(
  { url, template }: Endpoint,
  env: Readonly<Record<string, string | undefined>>,
): boolean {
  if (template === null) return url !== null;
  return (
    template.defaults.length === 0 ||
    template.defaults.some((name) => readText({ env: name }, env) !== undefined)
  );
}

/** Whether any endpoint is configured. Where none is, the embedded emulator is asked. */
export function hasHost(
  { deployments }: { readonly deployments: readonly Deployment[] },
  env: Readonly<Record<string, string | undefined>>,
): boolean {
  return deployments.some(({ endpoints }) => endpoints.some((endpoint) => isConfigured(endpoint, env)));
}
