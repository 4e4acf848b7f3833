import { existsSync, readdirSync, renameSync } from "node:fs";
import { join } from "node:path";
import type { Disk } from "../../src/base/write-files.ts";

/** A disk, and how often it was to be changed. */
export type StoppingDisk = Disk & { readonly steps: () => number };

/**
 * A disk that ends a run at one change: the run is killed, so that nothing is changed any more, or the change fails
 * and all others are made.
 */
export function stopAt(disk: Disk, step: number, how: "killed" | "failing"): StoppingDisk {
  let steps = 0;
  const guard =
    <Arguments extends readonly unknown[]>(change: (...values: Arguments) => void) =>
    (...values: Arguments) => {
      steps++;
      if (steps === step || (steps > step && how === "killed")) {
        throw Object.assign(new Error(how), { code: how === "killed" ? "EIO" : "ENOSPC" });
      }
      change(...values);
    };
  return {
    makeFolder: guard(disk.makeFolder),
    write: guard(disk.write),
    rename: guard(disk.rename),
    remove: guard(disk.remove),
    removeFolder: guard(disk.removeFolder),
    steps: () => steps,
  };
}

/** Makes the record of an unfinished run that of a process that is gone: in a test nobody really dies. */
export function buryOwner(root: string): void {
  const folder = join(root, ".lockflow-unfinished");
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder)) {
    const [run = "", host = "", id = ""] = name.split(".");
    renameSync(join(folder, name), join(folder, [run, host, id, "0", "json"].join(".")));
  }
}
