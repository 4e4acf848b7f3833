import { variablesMissing } from "../errors/variables-missing.ts";
import type { Deployment, Endpoint, Text, UrlTemplate } from "../model/deployment.ts";
import { expandTemplate } from "./expand-template.ts";
import { parseEndpointUrl } from "./parse-endpoint-url.ts";
import { requireDistinctUrls } from "./require-distinct-urls.ts";

/** An endpoint whose URL is known. */
export type AddressedEndpoint = {
  readonly deployment: Deployment;
  readonly endpoint: Endpoint;
  readonly url: string;
};

type Variables = Readonly<Record<string, string | undefined>>;

/**
 * Reads the environment variables that URLs are made of. An endpoint that nothing configures is left out.
 *
 * @throws ConfigError `CONFIG_VARIABLE_MISSING` naming every variable that is missing and who needs it, or what is
 *   wrong with a URL that they make.
 */
export function readUrls(
  endpoints: readonly { readonly deployment: Deployment; readonly endpoint: Endpoint }[],
  env: Variables,
): AddressedEndpoint[] {
  const missing = new Map<string, string[]>();
  const addressed = endpoints.flatMap(({ deployment, endpoint }): AddressedEndpoint[] => {
    if (endpoint.url !== null) return [{ deployment, endpoint, url: endpoint.url }];
    const read = (text: Text): string | null => {
      if (typeof text === "string") return text;
      const value = env[text.env]?.trim() ?? "";
      if (value !== "") return value;
      const names = missing.get(text.env) ?? [];
      if (!names.includes(deployment.name)) missing.set(text.env, [...names, deployment.name]);
      return null;
    };
    const url = readUrl(endpoint, read);
    if (url === null) return [];
    const { auth } = endpoint;
    const bound = auth.kind === "bearer" ? { ...auth, host: new URL(url).host } : auth;
    return [{ deployment, endpoint: { ...endpoint, url, auth: bound }, url }];
  });
  if (missing.size > 0) throw variablesMissing("CONFIG_VARIABLE_MISSING", missing);
  requireDistinctUrls(addressed);
  return addressed;
}

function readUrl({ template }: Endpoint, read: (text: Text) => string | null): string | null {
  const url = template === null ? null : expandTemplate(template, read);
  return template === null || url === null ? null : parseEndpointUrl(url, variablesOf(template), null);
}

/** What to call the source of a URL: the variables it is made of. */
function variablesOf({ text, values }: UrlTemplate): string {
  if (typeof text !== "string") return text.env;
  const pieces = Object.values(values).flatMap((value) => value ?? []);
  return [...new Set(pieces.flatMap((piece) => (typeof piece === "string" ? [] : [piece.env])))].join(", ");
}
