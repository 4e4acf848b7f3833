import type { ExitCode } from "../report/outcome.ts";

export type { ExitCode } from "../report/outcome.ts";

/** A command as data: its flags, its help and its task. The task is imported when it is run, not before. */
export type Command = {
  readonly name: string;
  /** One line, for the list of commands. */
  readonly summary: string;
  /** More, for the command's own help. */
  readonly description?: string;
  readonly positional?: Positional;
  readonly options: Readonly<Record<string, Option>>;
  readonly run: (context: CommandContext) => Promise<ExitCode>;
};

/** What a command takes beside its options. */
export type Positional = {
  /** As the help calls it. */
  readonly name: string;
  readonly description: string;
  /** What it is, for the message when it is missing: `a code` (default: `a file`). */
  readonly noun?: string;
  /** How many of them: at least (default: 1) and at most (default: 1). */
  readonly least?: number;
  readonly most?: number;
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
  /** All of them, for a command that takes several. */
  readonly positionals: readonly string[];
  /** Results. */
  readonly out: (text: string) => void;
  /** Progress and errors. */
  readonly err: (text: string) => void;
  /** Both to the byte. `out` and `err` take apart whatever a CI system would take for a command in a log. */
  readonly asIs: { readonly out: (text: string) => void; readonly err: (text: string) => void };
  /** The version of Node that runs this, e.g. `20.20.2`; absent where nobody needs to know. */
  readonly node?: string | undefined;
  /** Whether `err` goes to a terminal. */
  readonly isTerminal: boolean;
  /** Asks the user; null when there is no answer. Absent where nobody can be asked. */
  readonly ask?: ((question: string) => Promise<string | null>) | undefined;
  /** Settles when the user asks to stop, which ends whoever does not ask for it. */
  readonly untilStopped: () => Promise<void>;
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

/** The flag of those that can ask the emulator instead. */
export const EMULATOR_OPTION = {
  emulator: { description: "ask the emulator on this machine, whatever is configured" },
} as const satisfies Record<string, Option>;

/** The flags of every command that judges. */
export const JUDGING_OPTIONS = {
  report: {
    value: "form[=file],…",
    description: "text, json, github, markdown, sarif, junit (default: text)",
  },
  json: { description: "the same as --report json" },
  "fail-on": {
    value: "breaking|risky|any",
    description: "severity that fails by itself (default: only what hits operations)",
  },
  "exhaustive-enums": { description: "take a new enum member for breaking" },
  verbose: { description: "show everything, also what needs more than a screen" },
} as const satisfies Record<string, Option>;

export const RELEASE_OPTION: Option = {
  value: "name",
  description: "release of the platform (default: graph-node-0.40.2; envio-2.27)",
};
