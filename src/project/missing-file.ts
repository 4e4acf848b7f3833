import { ConfigError } from "../base/errors.ts";
import type { ResolvedProtocol } from "../dialects/protocol.ts";
import type { StyleName } from "../dialects/surface.ts";

/** Returns the error for a file that a setting names, but that does not exist. */
export function missingFile(setting: string, path: string): ConfigError {
  return new ConfigError({
    code: "CONFIG_INVALID_VALUE",
    sentence: `"${setting}" names "${path}", which does not exist.`,
    hint: "correct the path: it starts at the configuration's folder.",
  });
}

/** Returns the error for the entity schema that a definition names for a style, but that does not exist. */
export function missingEntityFile(
  { key, entities }: Pick<ResolvedProtocol, "key" | "entities">,
  style: StyleName,
): ConfigError {
  const isForAll = new Set(Object.values(entities)).size === 1;
  return missingFile(`protocols.${key}.entities${isForAll ? "" : `.${style}`}`, entities[style] ?? "");
}
