import type { ExitCode } from "../model/outcome.ts";

export type { ExitCode } from "../model/outcome.ts";

/** A command as data: its flags, its help and its task. The task is imported when it is run, not before. */
export type Command = {
  readonly name: string;
  /** One line, for the list of commands. */
  readonly summary: string;
  /** More, for the command's own help. */
  readonly description?: string;
  readonly positional?: { readonly name: string; readonly description: string };
  readonly options: Readonly<Record<string, Option>>;
  readonly run: (context: CommandContext) => Promise<ExitCode>;
};

export type Option = {
  /** What the value is called in the help; absent for a flag. */
  readonly value?: string;
  /** Whether it may be given more than once, for several values. */
  readonly multiple?: boolean;
  readonly description: string;
};

/** The options that were given: a text, true for a flag, a list for one that may be given more than once. */
export type OptionValues = Readonly<Record<string, string | boolean | readonly string[] | undefined>>;

/** All a command may know of the process. */
export type CommandContext = {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly options: OptionValues;
  readonly positional: string | undefined;
  /** Results. */
  readonly out: (text: string) => void;
  /** Progress and errors. */
  readonly err: (text: string) => void;
  /** Whether `err` goes to a terminal. */
  readonly isTerminal: boolean;
  /** Settles when the user asks to stop. */
  readonly stopped: Promise<void>;
};

export const CONFIG_OPTION: Option = {
  value: "file",
  description: "configuration file (default: lockflow.config.{ts,js,mjs,json})",
};

export const ASKING_OPTIONS = {
  config: CONFIG_OPTION,
  environment: {
    value: "production|testing",
    description: "which endpoints to ask (default: testing where there is one)",
  },
  concurrency: { value: "n", description: "deployments asked at the same time (default: 8)" },
  timeout: { value: "seconds", description: "time a request may take (default: 15)" },
} as const satisfies Record<string, Option>;

export const RELEASE_OPTION: Option = {
  value: "name",
  description: "release of the platform (default: graph-node-0.40.2; envio-2.27)",
};
