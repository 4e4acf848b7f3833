import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { dirname } from "node:path";
import { DISK } from "../../../../src/base/write-files.ts";

/** A failure of the disk. */
export type Accident = {
  /**
   * After `killed`, nothing changes any more; after `lost`, what was not synchronized is forgotten, too; after `reordered`, all
   * of it but the last change of names; after `full`, no more bytes can be written.
   */
  readonly kind: "killed" | "lost" | "reordered" | "full";
  /** The number of changes that succeed before it. */
  readonly after: number;
};

/** The error that ends a killed process. */
export class Killed extends Error {
  constructor() {
    super("Killed");
  }
}

type AnyFunction = (...args: unknown[]) => unknown;

const CHANGES = [
  ...["openSync", "writeSync", "writeFileSync", "appendFileSync", "renameSync", "rmSync", "fsyncSync"],
  ...["mkdirSync", "linkSync", "rmdirSync"],
] as const;

/** The functions that need free space. A failed write may have written a part. */
const WRITES: Readonly<Record<string, (write: AnyFunction, args: unknown[]) => void>> = {
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

/** A change that is not on the disk before its file is synchronized, or its folder for a change of a name. */
type Pending = {
  path: string;
  readonly isName: boolean;
  readonly from?: string;
  readonly revert: (path: string) => void;
};

/** Runs an action with a failure of the disk in a folder. */
export async function withAccident<T>(
  folder: string,
  accident: Accident | null,
  action: () => Promise<T>,
): Promise<T> {
  if (accident === null) return action();
  const { kind, after } = accident;
  const functions = fs as unknown as Record<string, AnyFunction>;
  const original: Record<string, AnyFunction> = Object.fromEntries(
    CHANGES.map((name) => [name, functions[name] as AnyFunction]),
  );
  const { rename } = DISK;
  let changes = 0;
  const opened = new Map<number, string>();
  let pending: Pending[] = [];
  const read = (path: string) => (fs.existsSync(path) ? fs.readFileSync(path) : null);
  const restore = (content: Buffer | null) => (path: string) =>
    content === null
      ? original["rmSync"]?.(path, { force: true })
      : original["writeFileSync"]?.(path, content);
  const note = (name: string, path: string, second: unknown) => {
    // Folders have no content.
    const old = /^(fsync|mkdir|rmdir)Sync$/.test(name) ? null : read(path);
    if (name === "fsyncSync") {
      pending = pending.filter((one) => (one.isName ? dirname(one.path) : one.path) !== path);
    } else if (name === "renameSync") {
      const to = String(second);
      const replaced = read(to);
      for (const one of pending) if (!one.isName && one.path === path) one.path = to;
      const revert = () => {
        restore(replaced)(to);
        restore(old)(path);
      };
      pending.push({ path: to, from: path, isName: true, revert });
    } else if (name === "rmSync") {
      if (old !== null) pending.push({ path, isName: true, revert: restore(old) });
    } else if (
      /^(writeFile|appendFile|write)Sync$/.test(name) ||
      (name === "openSync" && /^w/.test(String(second)))
    ) {
      if (old === null) pending.push({ path, isName: true, revert: restore(null) });
      pending.push({ path, isName: false, revert: restore(old ?? Buffer.alloc(0)) });
    }
  };
  let isOver = false;
  const guarded =
    (name: string, change: AnyFunction): AnyFunction =>
    (...args) => {
      const [place] = args;
      const path = typeof place === "number" ? (opened.get(place) ?? "") : String(place);
      // Other code of this process uses files, too.
      if (!path.startsWith(folder)) return change(...args);
      const isReading = name === "openSync" && !/^[wa]/.test(String(args[1]));
      const write = WRITES[name];
      const isHit = !isReading && changes >= after && (kind !== "full" || write !== undefined);
      if (!isHit && !(isOver && kind !== "full")) {
        if (!isReading) {
          changes++;
          note(name, path, args[1]);
        }
        const result = change(...args);
        if (name === "openSync") opened.set(Number(result), path);
        return result;
      }
      if (!isOver) {
        isOver = true;
        if (write) {
          note(name, path, args[1]);
          write(change, args);
        }
      }
      if (kind !== "full") throw new Killed();
      throw Object.assign(new Error("ENOSPC: no space left on device"), { code: "ENOSPC", syscall: "write" });
    };
  for (const name of CHANGES) functions[name] = guarded(name, original[name] as AnyFunction);
  Object.assign(DISK, { rename: guarded("renameSync", rename as AnyFunction) });
  syncBuiltinESMExports();
  try {
    return await action();
  } finally {
    Object.assign(fs, original);
    Object.assign(DISK, { rename });
    syncBuiltinESMExports();
    if (isOver && (kind === "lost" || kind === "reordered")) {
      // A disk may write the names of files in any order, but the names of one file one after the other.
      const kept = kind === "reordered" ? pending.findLast(({ from }) => from !== undefined) : undefined;
      const isOfKept = ({ path, from }: Pending) =>
        [kept?.path, kept?.from].some((one) => one === path || one === from);
      for (const one of pending.reverse()) if (!kept || !isOfKept(one)) one.revert(one.path);
    }
  }
}
