import { setTimeout as pause } from "node:timers/promises";
import { onTestFinished } from "vitest";
import { watchGenerate } from "../../src/tasks/generate/watch-generate.ts";

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

/** Milliseconds between two looks: fifty times as often as for people. */
const LOOK_EVERY = 2;

/** Starts a watch, and waits for its first run. */
export async function startWatch(cwd: string, { isTerminal = false } = {}): Promise<RunningWatch> {
  let said = "";
  let looks = 0;
  let hasEnded = false;
  const say = (text: string) => {
    said += text;
  };
  let interrupt: () => void = () => {};
  const stopped = new Promise<void>((resolve) => {
    interrupt = resolve;
  });
  const context = {
    cwd,
    env: {},
    positionals: [],
    out: say,
    err: say,
    asIs: { out: say, err: say },
    isTerminal,
    untilStopped: () => stopped,
  };
  const ended = watchGenerate(context, undefined, () => {
    looks++;
    return pause(LOOK_EVERY);
  }).finally(() => {
    hasEnded = true;
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
  const until = async (isSo: () => boolean): Promise<void> => {
    for (const end = performance.now() + 20_000; !isSo() && !hasEnded && performance.now() < end; ) {
      await pause(1);
    }
  };
  /** No look begins before a run has ended. */
  const nextLook = (count = 1): Promise<void> => {
    const want = looks + count;
    return until(() => looks >= want);
  };
  await nextLook();
  return {
    first: take(),
    output: take,
    next: async () => {
      await until(() => said !== "");
      await nextLook();
      return take();
    },
    quiet: () => nextLook(5),
    stop,
  };
}
