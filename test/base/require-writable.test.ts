import { chmodSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { requireWritable } from "../../src/base/write-files.ts";
import { catchError } from "../support/catch-error.ts";
import { tempProject } from "../support/temp-project.ts";

const project = () => tempProject({ "folder/file.csv": "a" });

describe("requireWritable", () => {
  it.each(["folder/file.csv", "folder/new.csv", "a/b/c/new.csv", "new.csv"])("accepts %s", (path) => {
    const { root } = project();
    expect(() => requireWritable(join(root, path), path)).not.toThrow();
  });

  it.each<[path: string, want: RegExp]>([
    ["folder", /^folder is a folder\.\nHint: name a file in it\.$/],
    ["folder/file.csv/new.csv", /file\.csv cannot be written \(ENOTDIR\)\.\nHint: name another file\.$/],
    ["folder/file.csv/a/new.csv", /file\.csv cannot be written \(ENOTDIR\)\./],
    ["link", /^link is a folder\./],
    ["round", /round cannot be written \(ELOOP\)\./],
    ["l…ng.csv", /cannot be written \(ENAMETOOLONG\)\./],
    // Writing would replace it.
    ["device", /^device is a device or a pipe, not a file\./],
  ])("throws for %s", (path, want) => {
    const { root } = project();
    symlinkSync("folder", join(root, "link"));
    symlinkSync("round", join(root, "round"));
    symlinkSync("/dev/null", join(root, "device"));
    expect(
      catchError(() => requireWritable(join(root, path.replace("…", "o".repeat(320))), path))?.message,
    ).toMatch(want);
  });

  it.runIf(process.platform !== "win32" && process.getuid?.() !== 0)(
    "error: throws for a read-only folder",
    () => {
      const { root } = project();
      chmodSync(join(root, "folder/file.csv"), 0o444);
      chmodSync(join(root, "folder"), 0o555);
      for (const name of ["file.csv", "new.csv", "deep/new.csv"]) {
        const error = catchError(() => requireWritable(join(root, "folder", name), name));
        expect(error?.message).toMatch(/cannot be written \(EACCES\)/);
      }
      chmodSync(join(root, "folder"), 0o755);
    },
  );
});
