import { variablesMissing } from "../base/errors/variables-missing.ts";
import { readText } from "../runtime/build-url.ts";
import type { Deployment, Endpoint, TextSource, UrlTemplate } from "./deployment.ts";
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
 * Reads the environment variables that URLs are made of.
 *
 * @throws ConfigError `CONFIG_VARIABLE_MISSING` naming every variable that is missing and who needs it, or what is
 *   wrong with a URL that they make.
 */
export function readUrls(
  endpoints: readonly { readonly deployment: Deployment; readonly endpoint: Endpoint }[],
  env: Variables,
): AddressedEndpoint[] {
  const missing = new Map<string, string[]>();
  const given = new Set<string>();
  const addressed = endpoints.flatMap(({ deployment, endpoint }): AddressedEndpoint[] => {
    const read = (text: TextSource): string | null => {
      const value = readText(text, env);
      if (value !== undefined || typeof text === "string") return value ?? null;
      const names = missing.get(text.env) ?? [];
      if (!names.includes(deployment.name)) missing.set(text.env, [...names, deployment.name]);
      for (const name of endpoint.template?.defaults ?? []) {
        if (readText({ env: name }, env) !== undefined) given.add(name);
      }
      return null;
    };
    const url = readUrl(endpoint, read);
    if (url === null) return [];
    const { auth } = endpoint;
    const bound = auth.kind === "bearer" ? { ...auth, host: new URL(url).host } : auth;
    return [{ deployment, endpoint: { ...endpoint, url, auth: bound }, url }];
  });
  if (missing.size > 0) throw variablesMissing("CONFIG_VARIABLE_MISSING", missing, given);
  requireDistinctUrls(addressed);
  return addressed;
}

function readUrl({ template, url }: Endpoint, read: (text: TextSource) => string | null): string | null {
  if (template === null) return url;
  const made = expandTemplate(template, read);
  return made === null ? null : parseEndpointUrl(made, variablesOf(template), null);
}

/** What to call the source of a URL: the variables it is made of. */
function variablesOf({ text, values }: UrlTemplate): string {
  if (typeof text !== "string") return text.env;
  const pieces = Object.values(values).flatMap((value) => value ?? []);
  return [...new Set(pieces.flatMap((piece) => (typeof piece === "string" ? [] : [piece.env])))].join(", ");
}
