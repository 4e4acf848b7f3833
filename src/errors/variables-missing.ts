import { ConfigError } from "./config-error.ts";

/**
 * Environment variables that are needed and not set.
 *
 * @param missing who needs each.
 */
export function variablesMissing(
  code: "CONFIG_KEY_MISSING" | "CONFIG_VARIABLE_MISSING",
  missing: ReadonlyMap<string, readonly string[]>,
): ConfigError {
  const variables = [...missing.keys()];
  return new ConfigError({
    code,
    sentence: `${variables.length === 1 ? "The environment variable" : "The environment variables"} ${variables.join(", ")} ${variables.length === 1 ? "is" : "are"} not set.`,
    context: [...missing].map(
      ([variable, names]) =>
        `${variable} is needed by ${names.slice(0, 3).join(", ")}${names.length > 3 ? ` and ${names.length - 3} more` : ""}`,
    ),
    hint: `export ${variables[0]}=… and run again; nothing was sent.`,
  });
}
