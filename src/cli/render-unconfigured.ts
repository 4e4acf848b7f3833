import type { AskingOptions, OpenTargets } from "../fleet/open-targets.ts";

/** Renders who is not asked because nothing says where it is, and what could say it; nothing where all are asked. */
export function renderUnconfigured(
  { unconfigured }: Pick<OpenTargets, "unconfigured">,
  { environment }: Pick<AskingOptions, "environment">,
): string {
  if (unconfigured.length === 0) return "";
  const names = unconfigured.map(({ name }) => name);
  const shown = `${names.slice(0, 4).join(", ")}${names.length > 4 ? ", …" : ""}`;
  const url = environment === undefined ? "URL" : `${environment} URL`;
  const variables = unconfigured.flatMap(({ endpoints }) =>
    endpoints
      .filter((endpoint) => environment === undefined || endpoint.environment === environment)
      .flatMap(({ url }) => url.defaults),
  );
  const unset = [...new Set(variables)].sort();
  const whence =
    unset.length === 0 ? "" : `  Neither the configuration nor ${unset.join(", ")} says where they are.\n`;
  return `  ${names.length} deployments have no ${url} and were not asked: ${shown}\n${whence}`;
}
