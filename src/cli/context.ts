import type { ExitCode as RunExitCode } from "../report/outcome.ts";

/** How a command ended: as the outcome of its run says, or by the user before it was finished. */
export type ExitCode = RunExitCode | typeof INTERRUPTED;

/** What shells say of a program that Ctrl-C ended. */
export const INTERRUPTED = 130;

/** All a command may know of the process. */
export type CommandContext = {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** What the command line has beside options. */
  readonly positionals: readonly string[];
  /** Results. */
  readonly out: (text: string) => void;
  /** Progress and errors. */
  readonly err: (text: string) => void;
  /** Both to the byte. `out` and `err` take apart whatever a CI system would take for a command in a log. */
  readonly asIs: { readonly out: (text: string) => void; readonly err: (text: string) => void };
  /** Writes a result to the byte once the reader has taken the one before; false when there is no reader any more. */
  readonly deliver?: ((text: string) => Promise<boolean>) | undefined;
  /** How many letters a line has on the terminal that `out` goes to; absent where it goes elsewhere. */
  readonly width?: number | undefined;
  /** The version of Node that runs this, e.g. `20.20.2`; absent where nobody needs to know. */
  readonly node?: string | undefined;
  /** Whether `err` goes to a terminal, on which a line can be drawn again. */
  readonly isTerminal: boolean;
  /** Which of the streams show colours; absent where none does. */
  readonly colors?: { readonly out: boolean; readonly err: boolean } | undefined;
  /** Asks the user; null when there is no answer. Absent where nobody can be asked. */
  readonly ask?: ((question: string) => Promise<string | null>) | undefined;
  /** Settles when the user asks to stop, which ends whoever does not ask for it. */
  readonly untilStopped: () => Promise<void>;
};
