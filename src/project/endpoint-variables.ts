import type { Endpoint, TextSource } from "./deployment.ts";

/** A variable that an endpoint needs. A key is sent as `Authorization: Bearer`, a header's value as it is. */
export type EndpointVariable = { readonly name: string; readonly kind: "key" | "header" | "url" };

/** The variables that are read to ask an endpoint; of those that another text stands in for, the ones that are set. */
export function endpointVariables(
  endpoint: Endpoint,
  env: Readonly<Record<string, string | undefined>>,
): EndpointVariable[] {
  const { url, template } = endpoint;
  const texts = template === null ? [] : [template.text, ...Object.values(template.values).flat()];
  const read = texts.filter((text) =>
    typeof text === "object" && "or" in text ? (env[text.env] ?? "").trim() !== "" : url === null,
  );
  return [...secretVariables(endpoint), ...named(read).map((name) => ({ name, kind: "url" as const }))];
}

/** Those whose values are secrets. */
export function secretVariables({ auth, headers }: Endpoint): EndpointVariable[] {
  return [
    ...(auth.kind === "bearer" ? [{ name: auth.env, kind: "key" as const }] : []),
    ...named(Object.values(headers)).map((name) => ({ name, kind: "header" as const })),
  ];
}

function named(texts: readonly (TextSource | undefined)[]): string[] {
  return [...new Set(texts.flatMap((text) => (typeof text === "object" ? [text.env] : [])))];
}
