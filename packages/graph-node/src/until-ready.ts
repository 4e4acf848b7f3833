import type { ChildProcess } from "node:child_process";

/** The start of a program. */
export type Signal = {
  /** Gets a line of the program's output. */
  readonly heard: (line: string) => void;
  /** The program is ready once it has printed this. */
  readonly watch: (child: ChildProcess, name: string, ready: RegExp) => void;
};

/** The most attempts: another program may have taken the free port. */
const TRIES = 3;

/** The time limit of a start, for a busy machine. */
const PATIENCE = 90_000;

/** Starts a program and waits until it is ready. */
export async function untilReady<T>(start: (signal: Signal) => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await tryOnce(start);
    } catch (error) {
      const isTaken = error instanceof Error && /address already in use|could not bind/i.test(error.message);
      if (!isTaken || tries === TRIES) throw error;
    }
  }
}

async function tryOnce<T>(start: (signal: Signal) => Promise<T>): Promise<T> {
  const said: string[] = [];
  let hear = (_line: string) => {};
  let ready: Promise<void> | null = null;
  const value = await start({
    heard: (line) => {
      said.push(line);
      if (said.length > 200) said.shift();
      hear(line);
    },
    watch: (child, name, pattern) => {
      ready = new Promise((resolve, reject) => {
        const fail = (what: string) => reject(new Error(`${name} ${what}. It said:\n${said.join("\n")}`));
        const timer = setTimeout(() => fail("did not start in time"), PATIENCE);
        hear = (line) => {
          if (!pattern.test(line)) return;
          clearTimeout(timer);
          hear = () => {};
          resolve();
        };
        child.once("error", (error) => {
          clearTimeout(timer);
          fail(`could not be started (${error.message})`);
        });
        child.once("exit", (code, signal) => {
          clearTimeout(timer);
          fail(`ended with ${signal ?? code}`);
        });
      });
    },
  });
  await ready;
  return value;
}
