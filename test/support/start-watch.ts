import { setTimeout as pause } from "node:timers/promises";
import { onTestFinished } from "vitest";
import { runCommandLine } from "../../src/cli/run-command-line.ts";

/** A `generate --watch` that runs in this process until the test is over. */
export type RunningWatch = {
  /** What it said of its first run. */
  readonly first: string;
  /** What it has said since it was last asked. */
  readonly output: () => string;
  /** What it says of the next run. */
  readonly next: () => Promise<string>;
  /** Lets it do what it may want to do unasked. */
  readonly quiet: () => Promise<void>;
  /** Interrupts it, and gives its exit code. */
  readonly stop: () => Promise<number>;
};

/** Starts a watch, and waits for its first run. */
export async function startWatch(cwd: string, { isTerminal = false } = {}): Promise<RunningWatch> {
  let said = "";
  const say = (text: string) => {
    said += text;
  };
  let interrupt: () => void = () => {};
  const stopped = new Promise<void>((resolve) => {
    interrupt = resolve;
  });
  const ended = runCommandLine(["generate", "--watch"], {
    cwd,
    env: {},
    node: process.versions.node,
    out: say,
    err: say,
    isTerminal,
    untilStopped: () => stopped,
  });
  const stop = () => {
    interrupt();
    return ended;
  };
  onTestFinished(async () => void (await stop()));
  const take = (): string => {
    const text = said;
    said = "";
    return text;
  };
  const next = async (): Promise<string> => {
    for (let waited = 0; said === "" && waited < 20_000; waited += 10) await pause(10);
    // What one run says comes in one go.
    await pause(20);
    return take();
  };
  let first = await next();
  // The first line says what is watched, and comes before everything is generated.
  if (!first.startsWith("lockflow:") && !/\n./.test(first)) first += await next();
  return { first, output: take, next, quiet: () => pause(400), stop };
}
