/** Fewer characters than these are in an answer by chance. */
const LEAST = 8;

/** A body as JSON whose texts hold none of the secrets, whoever put them there. */
export function renderBody(body: object, secrets: readonly string[]): string {
  const text = JSON.stringify(body);
  const found = secrets.filter(
    (secret) => secret.length >= LEAST && text.includes(JSON.stringify(secret).slice(1, -1)),
  );
  if (found.length === 0) return text;
  return JSON.stringify(body, (_, value) =>
    typeof value === "string" ? found.reduce((rest, secret) => rest.replaceAll(secret, "…"), value) : value,
  );
}
