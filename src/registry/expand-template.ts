import { ConfigError } from "../errors/config-error.ts";
import { nearestName } from "../utils/nearest-name.ts";

/**
 * Fills the `{placeholders}` of a URL template.
 *
 * @param place the key that holds the template, for messages.
 * @throws ConfigError `CONFIG_BAD_TEMPLATE` for a placeholder that is not known or has no value.
 */
export function expandTemplate(
  template: string,
  values: Readonly<Record<string, string | undefined>>,
  place: string,
): string {
  return template.replaceAll(/\{([^{}]*)\}/g, (_, name: string) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    if (value !== undefined) return value;
    const known = Object.keys(values);
    if (known.includes(name)) {
      throw new ConfigError({
        code: "CONFIG_BAD_TEMPLATE",
        sentence: `The template in "${place}" uses {${name}}, which has no value.`,
        hint: `configure what {${name}} stands for, or write it out in the template.`,
      });
    }
    const nearest = nearestName(name, known);
    throw new ConfigError({
      code: "CONFIG_BAD_TEMPLATE",
      sentence: `The template in "${place}" uses an unknown placeholder {${name}}.`,
      hint: `${nearest ? `did you mean {${nearest}}? ` : ""}known: ${known.map((key) => `{${key}}`).join(", ")}.`,
    });
  });
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
