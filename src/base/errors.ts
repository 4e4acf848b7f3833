import { listSome } from "./clean-text.ts";

/**
 * The base of every error that is a mistake of the user or a failure outside of Lockflow. Anything else that is thrown is
 * a bug of Lockflow and is shown with its stack.
 *
 * The message has fixed parts: a sentence, context lines, and a hint that says what to do next. It never contains a key;
 * URLs go through `redactUrl` first. `name` and `code` identify the error.
 *
 * @example
 * ```ts
 * import { LockflowError, startEmulator } from "lockflow";
 *
 * try {
 *   await using emulator = await startEmulator({ port: 4350 });
 * } catch (error) {
 *   if (!(error instanceof LockflowError && error.code === "EMULATOR_PORT_IN_USE")) throw error;
 *   console.error(error.sentence, error.hint);
 * }
 * ```
 */
export abstract class LockflowError<Code extends string = string> extends Error {
  /** Stable, for programs: `CONFIG_UNKNOWN_KEY`. The wording of messages may change. */
  readonly code: Code;
  /** The problem, in one sentence. */
  readonly sentence: string;
  /** Lines that say where and how; may be empty. */
  readonly context: readonly string[];
  /** What to do next; null when nothing can be done here. */
  readonly hint: string | null;

  constructor(options: LockflowErrorOptions<Code>) {
    super(renderMessage(options), options.cause === undefined ? undefined : { cause: options.cause });
    this.name = new.target.name;
    this.code = options.code;
    this.sentence = options.sentence;
    this.context = options.context ?? [];
    this.hint = options.hint ?? null;
    // V8 formats a stack on first access. Until then an error keeps everything alive that its functions refer to, such as
    // the body of an answer.
    void this.stack;
    if (options.cause instanceof Error) void options.cause.stack;
  }
}

export type LockflowErrorOptions<Code extends string = string> = {
  readonly code: Code;
  readonly sentence: string;
  readonly context?: readonly string[] | undefined;
  readonly hint?: string | null | undefined;
  readonly cause?: unknown;
};

function renderMessage({ sentence, context = [], hint }: LockflowErrorOptions): string {
  const lines = [sentence, ...context.map((line) => `  ${line}`)];
  if (hint) lines.push(`Hint: ${hint}`);
  return lines.join("\n");
}

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

/** The configuration, or an environment variable that it names, is not usable. Thrown before any request and any write. */
export class ConfigError extends LockflowError<ConfigErrorCode> {}

export type EndpointErrorCode =
  | "ENDPOINT_UNREACHABLE"
  | "ENDPOINT_TIMEOUT"
  | "ENDPOINT_REDIRECT"
  | "ENDPOINT_UNAUTHORIZED"
  | "ENDPOINT_RATE_LIMITED"
  | "ENDPOINT_STATUS"
  | "ENDPOINT_BODY_TOO_LARGE"
  | "ENDPOINT_EMPTY_BODY"
  | "ENDPOINT_NOT_JSON"
  | "ENDPOINT_GRAPHQL_ERRORS"
  | "ENDPOINT_INTROSPECTION_DISABLED"
  | "ENDPOINT_ECHOES_KEY"
  | "ENDPOINT_UNREADABLE"
  | "ENDPOINT_WRONG_CHAIN"
  | "ENDPOINT_WRONG_PROTOCOL";

/** A request to an endpoint failed. This is a failure outside of Lockflow, and never changes a snapshot. */
export class EndpointError extends LockflowError<EndpointErrorCode> {
  /** The HTTP status, if it is what is wrong; else null. */
  readonly status: number | null;
  /** Whether the gateway knows the deployment, but no indexer serves it now. */
  readonly isDormant: boolean;
  /** The URL of a permanent redirect, without secrets; null for other failures. */
  readonly movedTo: string | null;
  constructor(
    options: LockflowErrorOptions<EndpointErrorCode> & {
      readonly status?: number | undefined;
      readonly isDormant?: boolean | undefined;
      readonly movedTo?: string | undefined;
    },
  ) {
    super(options);
    this.status = options.status ?? null;
    this.isDormant = options.isDormant ?? false;
    this.movedTo = options.movedTo ?? null;
  }
}

type SchemaErrorCode =
  | "SCHEMA_NOT_INTROSPECTION"
  | "SCHEMA_INCOMPLETE"
  | "SCHEMA_TOO_LARGE"
  | "SCHEMA_SDL_SYNTAX"
  | "SCHEMA_ENTITIES_INVALID"
  | "SCHEMA_SNAPSHOT_MISSING"
  | "SCHEMA_SNAPSHOT_INVALID";

/** A schema from a server or a file is not valid. */
export class SchemaError extends LockflowError<SchemaErrorCode> {
  /** The problems of a text or an answer; empty if the error is about neither. */
  readonly problems: readonly SchemaProblem[];
  /** The oldest release that accepts entities that an older release refuses: `envio-3.5`; null if none does. */
  readonly acceptedBy: string | null;

  constructor(
    options: LockflowErrorOptions<SchemaErrorCode> & {
      readonly problems?: readonly SchemaProblem[];
      readonly acceptedBy?: string | null;
    },
  ) {
    super(options);
    this.problems = options.problems ?? [];
    this.acceptedBy = options.acceptedBy ?? null;
  }
}

/** A problem in the text of a schema. */
export type SchemaProblem = {
  /** Why the text is refused, in the words of the parser or platform that refuses it. */
  readonly reason: string;
  /** From 1; null if the problem has no line. */
  readonly line: number | null;
  /** From 1; null if only the line is known. */
  readonly column: number | null;
};

/** A file cannot be read or written. No half-written file is left behind. */
export class FileError extends LockflowError<"FILE_UNREADABLE" | "FILE_UNWRITABLE"> {}

/** The command line is not valid. Nothing was read, sent or written. */
export class UsageError extends LockflowError {
  constructor(options: {
    readonly sentence: string;
    readonly context?: readonly string[];
    readonly hint?: string;
  }) {
    super({ code: "USAGE", ...options });
  }
}

type OperationErrorCode = "OPERATIONS_MISSING" | "OPERATIONS_INVALID" | "OPERATIONS_NOT_GENERATED";

/** The operations of a project cannot be used at all. Faults of single operations are findings. */
export class OperationError extends LockflowError<OperationErrorCode> {}

type BaselineErrorCode =
  | "BASELINE_INVALID"
  | "BASELINE_REPORT_INVALID"
  | "BASELINE_UNKNOWN_FINGERPRINT"
  | "BASELINE_NOT_ACCEPTABLE"
  | "BASELINE_UNKNOWN_SCOPE";

/** The accepted findings cannot be read, or a finding cannot be accepted. Nothing was written. */
export class BaselineError extends LockflowError<BaselineErrorCode> {}

/** A file is not a report that `--report json=<file>` wrote. Nothing was written. */
export class ReportError extends LockflowError<"REPORT_INVALID"> {}

/** The memory of earlier runs cannot be read. Nothing was sent or written. */
export class MemoryError extends LockflowError<"MEMORY_INVALID"> {}

type EmulatorErrorCode =
  | "EMULATOR_PORT_IN_USE"
  | "EMULATOR_CANNOT_LISTEN"
  | "EMULATOR_BAD_INDEXER"
  | "EMULATOR_BAD_OPTION"
  | "EMULATOR_INVALID_FAULT"
  | "EMULATOR_NO_ENGINE"
  | "EMULATOR_ROWS_INVALID"
  | "EMULATOR_UNKNOWN_DEPLOYMENT"
  | "EMULATOR_UNKNOWN_RELEASE";

/** The emulator cannot start, or an option or a fault is not valid. */
export class EmulatorError extends LockflowError<EmulatorErrorCode> {}

/** Returns null for an error about the input. */
export async function orNull<T>(read: () => Promise<T>): Promise<T | null> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof LockflowError) return null;
    throw error;
  }
}

/**
 * Creates the error for environment variables that are not set.
 *
 * @param missing the names of the deployments that need each variable.
 * @param present the variables that are set and select these deployments.
 */
export function variablesMissing(
  code: "CONFIG_KEY_MISSING" | "CONFIG_VARIABLE_MISSING",
  missing: ReadonlyMap<string, ReadonlySet<string>>,
  present: ReadonlySet<string> = new Set(),
): ConfigError {
  const variables = [...missing.keys()];
  const isOne = variables.length === 1;
  const isBare = present.size === 0;
  const unless = ", or configure only the deployments that you use";
  return new ConfigError({
    code,
    sentence: `The environment ${isOne ? "variable" : "variables"} ${variables.join(", ")} ${isOne ? "is" : "are"} not set.`,
    context: [
      ...[...missing].map(([variable, names]) => `${variable} is needed by ${listSome([...names], 3)}`),
      ...(isBare ? [] : [`set: ${[...present].join(", ")}`]),
    ],
    hint: `export ${variables[0]}=… and run again${isBare ? "" : unless}; nothing was sent.`,
  });
}
