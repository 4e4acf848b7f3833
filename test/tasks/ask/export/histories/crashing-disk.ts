import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { DISK } from "../../../../../src/base/write-files.ts";

/** A failure of the disk. */
export type Accident = {
  /** After `killed`, nothing changes any more; after `full`, no more bytes can be written. */
  readonly kind: "killed" | "full";
  /** The number of changes that succeed before it. */
  readonly after: number;
};

/** The error that ends a killed process. */
export class Killed extends Error {}

const CHANGES = [
  ...["writeSync", "writeFileSync", "appendFileSync", "renameSync", "rmSync", "fsyncSync", "ftruncateSync"],
  ...["mkdirSync", "linkSync", "rmdirSync"],
] as const;

/** The functions that need free space. A failed write may have written a part. */
const WRITES: Readonly<Record<string, (write: (...args: unknown[]) => unknown, args: unknown[]) => void>> = {
  writeSync: (write, [file, bytes, at, length, ...more]) =>
    void write(file, bytes, at, Math.floor(Number(length) / 2), ...more),
  writeFileSync: (write, [path, content, ...more]) => void write(path, half(content), ...more),
  appendFileSync: (write, [path, content, ...more]) => void write(path, half(content), ...more),
  mkdirSync: () => {},
};

function half(content: unknown): unknown {
  const bytes = Buffer.from(content as string);
  return bytes.subarray(0, bytes.length >> 1);
}

/** Runs an action with a failure of the disk in a folder. */
export async function withAccident<T>(
  folder: string,
  accident: Accident | null,
  action: () => Promise<T>,
): Promise<T> {
  if (accident === null) return action();
  const { kind, after } = accident;
  const functions = fs as unknown as Record<string, (...args: unknown[]) => unknown>;
  const original = Object.fromEntries(CHANGES.map((name) => [name, functions[name]]));
  const { rename } = DISK;
  let changes = 0;
  const guarded =
    (name: string, change: (...args: unknown[]) => unknown) =>
    (...args: unknown[]) => {
      const [place] = args;
      // Other code of this process writes files, too.
      if (typeof place === "string" ? !place.startsWith(folder) : Number(place) < 3) return change(...args);
      const write = WRITES[name];
      const isHit = changes >= after && (kind === "killed" || write !== undefined);
      if (!isHit) {
        changes++;
        return change(...args);
      }
      if (changes++ === after) write?.(change, args);
      if (kind === "killed") throw new Killed();
      throw Object.assign(new Error("ENOSPC: no space left on device"), { code: "ENOSPC", syscall: "write" });
    };
  for (const name of CHANGES) functions[name] = guarded(name, original[name] as () => unknown);
  Object.assign(DISK, { rename: guarded("renameSync", rename as (...args: unknown[]) => unknown) });
  syncBuiltinESMExports();
  try {
    return await action();
  } finally {
    Object.assign(fs, original);
    Object.assign(DISK, { rename });
    syncBuiltinESMExports();
  }
}
