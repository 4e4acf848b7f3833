import { runCommandLine } from "../../src/cli/run-command-line.ts";

export type RunResult = { readonly code: number; readonly out: string; readonly err: string };

/** Runs a command line as the program does, but in this process. */
export async function run(
  cwd: string,
  args: readonly string[],
  options: {
    readonly env?: Record<string, string>;
    readonly stopped?: Promise<void>;
    readonly isTerminal?: boolean;
    readonly node?: string;
    /** The width of the terminal that results go to. @default none is there */
    readonly width?: number;
    readonly deliver?: (text: string) => Promise<boolean>;
    /** Called with each part of standard output at once. */
    readonly onOut?: (text: string) => void;
    /** Called with each part of standard error at once. */
    readonly onErr?: (text: string) => void;
    readonly ask?: (question: string) => Promise<string | null>;
  } = {},
): Promise<RunResult> {
  let out = "";
  let err = "";
  const code = await runCommandLine(args, {
    cwd,
    env: options.env ?? {},
    node: options.node ?? process.versions.node,
    out: (text) => {
      out += text;
      options.onOut?.(text);
    },
    err: (text) => {
      err += text;
      options.onErr?.(text);
    },
    width: options.width,
    deliver: options.deliver,
    isTerminal: options.isTerminal ?? false,
    ask: options.ask,
    untilStopped: () => options.stopped ?? Promise.resolve(),
  });
  return { code, out, err };
}
