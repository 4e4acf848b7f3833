import type { Call, Reply, Tasks } from "./protocol.ts";

/** The most milliseconds of a task, and of the first tasks, which load the compiler. */
const LIMITS = { ready: 10_000, loading: 60_000 };

let worker: Worker | null = null;
let limit = LIMITS.loading;
let count = 0;
const pending = new Map<number, (reply: Omit<Reply, "id">) => void>();

/** Performs a task in the worker. A task that takes too long ends the worker, and the next one starts another. */
export function ask<K extends keyof Tasks>(protocol: string, name: K, ...args: Parameters<Tasks[K]>) {
  return new Promise<Awaited<ReturnType<Tasks[K]>>>((resolve, reject) => {
    const id = ++count;
    const late = `This took longer than ${limit / 1000} seconds and was stopped.`;
    const timer = setTimeout(stop, limit, late);
    pending.set(id, ({ result, error }) => {
      clearTimeout(timer);
      pending.delete(id);
      if (error === undefined) resolve(result as Awaited<ReturnType<Tasks[K]>>);
      else reject(new Error(error));
    });
    worker ??= start();
    worker.postMessage({ id, protocol, name, args } satisfies Call);
  });
}

function start(): Worker {
  const started = new Worker(new URL("./worker.ts", import.meta.url), { type: "module" });
  started.onerror = () => stop("The compiler could not be loaded. Reload the page.");
  started.onmessage = ({ data }: MessageEvent<Reply>) => {
    limit = LIMITS.ready;
    pending.get(data.id)?.(data);
  };
  return started;
}

function stop(error: string): void {
  worker?.terminate();
  worker = null;
  limit = LIMITS.loading;
  for (const settle of pending.values()) settle({ error });
}
