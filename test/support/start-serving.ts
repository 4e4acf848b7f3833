import { onTestFinished } from "vitest";
import { type RunResult, run } from "./run.ts";

/** Starts a command in this process that serves until it is stopped, and returns what it printed first. */
export async function startServing(
  cwd: string,
  args: readonly string[],
): Promise<{ readonly first: string; readonly stop: () => Promise<RunResult> }> {
  let end: () => void = () => {};
  const stopped = new Promise<void>((resolve) => {
    end = resolve;
  });
  let print: (text: string) => void = () => {};
  const printed = new Promise<string>((resolve) => {
    print = resolve;
  });
  const ended = run(cwd, args, { stopped, onOut: (text) => print(text) });
  const failed = ended.then(({ err }) => {
    throw new Error(err);
  });
  const stop = () => {
    end();
    return ended;
  };
  onTestFinished(async () => void (await stop()));
  return { first: await Promise.race([printed, failed]), stop };
}
