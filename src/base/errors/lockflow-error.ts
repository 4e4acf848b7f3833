/**
 * The base of every error that is a user's mistake or the world's fault. Anything else that is thrown is a
 * bug of Lockflow and is shown with its stack.
 *
 * The message has fixed layers: one sentence, context lines, one hint that says what to do next. It never holds a
 * key; URLs go through `redactUrl` first. `name` and `code` tell which error it is.
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
  /** Stable, for programs: `CONFIG_UNKNOWN_KEY`. The wording of messages is not stable. */
  readonly code: Code;
  /** What is wrong, in one sentence. */
  readonly sentence: string;
  /** Lines that say where and how; may be none. */
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
    formatStack(this);
    formatStack(options.cause);
  }
}

export type LockflowErrorOptions<Code extends string = string> = {
  readonly code: Code;
  readonly sentence: string;
  readonly context?: readonly string[] | undefined;
  readonly hint?: string | null | undefined;
  readonly cause?: unknown;
};

/** Until a stack is first read, V8 holds all that its functions refer to: an error would hold the body it is about. */
function formatStack(error: unknown): string | undefined {
  return error instanceof Error ? error.stack : undefined;
}

function renderMessage({ sentence, context = [], hint }: LockflowErrorOptions): string {
  const lines = [sentence, ...context.map((line) => `  ${line}`)];
  if (hint) lines.push(`Hint: ${hint}`);
  return lines.join("\n");
}
