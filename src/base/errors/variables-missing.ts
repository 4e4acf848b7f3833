import { listSome } from "../list-some.ts";
import { ConfigError } from "./config-error.ts";

/** Environment variables that are needed and not set, with who needs each; `given` are those that make it so. */
export function variablesMissing(
  code: "CONFIG_KEY_MISSING" | "CONFIG_VARIABLE_MISSING",
  missing: ReadonlyMap<string, ReadonlySet<string>>,
  given: ReadonlySet<string> = new Set(),
): ConfigError {
  const variables = [...missing.keys()];
  const isOne = variables.length === 1;
  const isBare = given.size === 0;
  const unless = ", or write into the configuration what you read from, and leave the rest out of it";
  return new ConfigError({
    code,
    sentence: `The environment ${isOne ? "variable" : "variables"} ${variables.join(", ")} ${isOne ? "is" : "are"} not set.`,
    context: [
      ...[...missing].map(([variable, names]) => `${variable} is needed by ${listSome([...names], 3)}`),
      ...(isBare ? [] : [`set are ${[...given].join(", ")}`]),
    ],
    hint: `export ${variables[0]}=… and run again${isBare ? "" : unless}; nothing was sent.`,
  });
}
