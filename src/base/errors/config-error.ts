import { LockflowError } from "./lockflow-error.ts";

export type ConfigErrorCode =
  | "CONFIG_NOT_FOUND"
  | "CONFIG_UNREADABLE"
  | "CONFIG_UNKNOWN_KEY"
  | "CONFIG_INVALID_VALUE"
  | "CONFIG_BAD_TEMPLATE"
  | "CONFIG_INSECURE_URL"
  | "CONFIG_DUPLICATE_URL"
  | "CONFIG_UNKNOWN_DEPLOYMENT"
  | "CONFIG_UNKNOWN_CHAIN"
  | "CONFIG_NO_HOST"
  | "CONFIG_KEY_MISSING"
  | "CONFIG_VARIABLE_MISSING";

/** The configuration, or the environment it names, is not usable. Thrown before any request and any write. */
export class ConfigError extends LockflowError<ConfigErrorCode> {}
