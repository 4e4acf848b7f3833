import type { ExitCode as RunExitCode } from "../report/outcome.ts";
import type { Work } from "./tune-v8.ts";

/** The exit code of a command: the outcome of its run, or 130 if the user interrupted it. */
export type ExitCode = RunExitCode | typeof INTERRUPTED;

/** The exit code of a program that Ctrl-C ended. */
export const INTERRUPTED = 130;

/** The parts of the process that a command may use. */
export type CommandContext = {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The arguments that are not options. */
  readonly positionals: readonly string[];
  /** Writes results to standard output. */
  readonly out: (text: string) => void;
  /** Writes progress and errors to standard error. */
  readonly err: (text: string) => void;
  /** Both without changes. `out` and `err` break up texts that a CI system would run as commands of its log. */
  readonly asIs: { readonly out: (text: string) => void; readonly err: (text: string) => void };
  /** Writes a result without changes and waits until it is flushed; false if the reader has closed the pipe. */
  readonly deliver?: ((text: string) => Promise<boolean>) | undefined;
  /** The columns of the terminal that `out` writes to; absent if it is not a terminal. */
  readonly width?: number | undefined;
  /** The version of Node, e.g. `20.20.2`; only `doctor` needs it. */
  readonly node?: string | undefined;
  /** Whether `err` writes to a terminal, where a line can be redrawn. */
  readonly isTerminal: boolean;
  /** Whether each stream shows colours. @default neither */
  readonly colors?: { readonly out: boolean; readonly err: boolean } | undefined;
  /** Prepares the process for work that takes time or memory. @default nothing */
  readonly tune?: ((work: Work) => Promise<void>) | undefined;
  /** Asks the user a question; null if the terminal was closed. Absent without a terminal. */
  readonly ask?: ((question: string) => Promise<string | null>) | undefined;
  /** Resolves on SIGINT or SIGTERM. Commands that never call it are ended by the signal. */
  readonly untilStopped: () => Promise<void>;
};
