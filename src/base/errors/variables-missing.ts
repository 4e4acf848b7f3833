import { listSome } from "../list-some.ts";
import { ConfigError } from "./config-error.ts";

/**
 * Environment variables that are needed and not set.
 *
 * @param missing who needs each.
 * @param given those that are set, and without which nobody would need the others.
 */
export function variablesMissing(
  code: "CONFIG_KEY_MISSING" | "CONFIG_VARIABLE_MISSING",
  missing: ReadonlyMap<string, ReadonlySet<string>>,
  given: ReadonlySet<string> = new Set(),
): ConfigError {
  const variables = [...missing.keys()];
  const unless =
    given.size === 0
      ? ""
      : ", or write into the configuration what you read from, and leave the rest out of it";
  return new ConfigError({
    code,
    sentence: `${variables.length === 1 ? "The environment variable" : "The environment variables"} ${variables.join(", ")} ${variables.length === 1 ? "is" : "are"} not set.`,
    context: [
      ...[...missing].map(([variable, names]) => `${variable} is needed by ${listSome([...names], 3)}`),
      ...(given.size === 0 ? [] : [`set are ${[...given].join(", ")}`]),
    ],
    hint: `export ${variables[0]}=… and run again${unless}; nothing was sent.`,
  });
}
