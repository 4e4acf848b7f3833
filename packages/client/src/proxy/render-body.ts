import { isObject } from "../client/is-object.ts";

/** Fewer characters than these are in an answer by chance. */
const LEAST = 8;

/** Renders a body as JSON. Its texts and names hold none of the secrets. */
export function renderBody(body: object, secrets: readonly string[]): string {
  const text = JSON.stringify(body);
  if (!secrets.some((secret) => hideSecrets(text, [JSON.stringify(secret).slice(1, -1)]) !== text))
    return text;
  return JSON.stringify(body, (_, value) => {
    if (typeof value === "string") return hideSecrets(value, secrets);
    if (!isObject(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [hideSecrets(name, secrets), one]));
  });
}

/** A text without the secrets, in any case: hosts have none. */
export function hideSecrets(text: string, secrets: readonly string[]): string {
  return secrets
    .filter(({ length }) => length >= LEAST)
    .reduce((rest, secret) => rest.replace(new RegExp(escapeRegExp(secret), "gi"), "…"), text);
}

function escapeRegExp(text: string): string {
  return text.replace(/[$()*+.?[\\\]^{|}]/g, "\\$&");
}
