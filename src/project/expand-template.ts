import { ConfigError } from "../base/errors/config-error.ts";
import { nearestName } from "../base/nearest-name.ts";
import { isUrlPart } from "../runtime/build-url.ts";
import type { TextSource, UrlTemplate } from "./deployment.ts";

/**
 * Fills the `{placeholders}` of a URL template, so that nothing of a value becomes another part of the URL.
 *
 * @param read gives what a text holds; null where that is not known, which makes the result null.
 * @throws ConfigError `CONFIG_BAD_TEMPLATE` for a placeholder that is not known, has no value, or one that cannot
 *   be in a URL, and for a template that lacks the placeholder it needs.
 */
export function expandTemplate(
  { text, values, requires, place }: UrlTemplate,
  read: (text: TextSource) => string | null,
): string | null {
  const template = read(text);
  if (template === null) return null;
  if (requires !== null) requirePlaceholder(template, requires, placeOf(text, place));
  let isKnown = true;
  const filled = template.replaceAll(/\{([^{}]*)\}/g, (_, name: string) => {
    const pieces = Object.hasOwn(values, name) ? values[name] : undefined;
    if (pieces === undefined) throw unfilled(name, Object.keys(values), placeOf(text, place));
    const parts = pieces.map(read);
    if (parts.includes(null)) isKnown = false;
    const value = parts.join("");
    if (isKnown && !isUrlPart(name, value)) throw misfit(name, pieces, placeOf(text, place));
    return name === "host" ? value : encodeURIComponent(value);
  });
  return isKnown ? filled : null;
}

/** @throws ConfigError when a template that has to tell deployments apart lacks its placeholder. */
export function requirePlaceholder(template: string, placeholder: string, place: string): void {
  if (template.includes(`{${placeholder}}`)) return;
  throw new ConfigError({
    code: "CONFIG_BAD_TEMPLATE",
    sentence: `The template in "${place}" does not hold {${placeholder}}, so every deployment would have one URL.`,
    hint: `put {${placeholder}} where the deployments' URLs differ.`,
  });
}

/** Where a text is to be mended: in the configuration, or in the variable that it names. */
function placeOf(text: TextSource, place: string): string {
  return typeof text === "string" ? place : text.env;
}

function unfilled(name: string, known: readonly string[], place: string): ConfigError {
  if (known.includes(name)) {
    return new ConfigError({
      code: "CONFIG_BAD_TEMPLATE",
      sentence: `The template in "${place}" uses {${name}}, which has no value.`,
      hint: `configure what {${name}} stands for, or write it out in the template.`,
    });
  }
  const nearest = nearestName(name, known);
  return new ConfigError({
    code: "CONFIG_BAD_TEMPLATE",
    sentence: `The template in "${place}" uses an unknown placeholder {${name}}.`,
    hint: `${nearest ? `did you mean {${nearest}}? ` : ""}known: ${known.map((key) => `{${key}}`).join(", ")}.`,
  });
}

function misfit(name: string, pieces: readonly TextSource[], place: string): ConfigError {
  const variables = pieces.flatMap((piece) => (typeof piece === "string" ? [] : [piece.env]));
  return new ConfigError({
    code: "CONFIG_BAD_TEMPLATE",
    sentence: `What {${name}} stands for in "${place}" fits into no URL.`,
    hint: `correct ${variables.length > 0 ? variables.join(", ") : "its value"}${name === "host" ? ": a host and, if it has one, a port" : ""}.`,
  });
}
