import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { onTestFinished } from "vitest";

/** A project in a folder of its own, gone when the test is over. */
export type TempProject = {
  readonly root: string;
  readonly write: (path: string, content: string) => void;
  readonly read: (path: string) => string;
  readonly remove: (path: string) => void;
  /** Every file with its content, by path. */
  readonly files: (below?: string) => Record<string, string>;
};

export function tempProject(files: Readonly<Record<string, string>> = {}): TempProject {
  const root = mkdtempSync(join(tmpdir(), "lockflow test "));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const project: TempProject = {
    root,
    write: (path, content) => {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), content);
    },
    read: (path) => readFileSync(join(root, path), "utf8"),
    remove: (path) => rmSync(join(root, path), { recursive: true }),
    files: (below = "") => {
      const found: Record<string, string> = {};
      // Folder by folder, because Node 26 follows links in a recursive listing, and some lead back.
      const folders = [join(root, below)];
      for (const folder of folders) {
        for (const entry of readdirSync(folder, { withFileTypes: true })) {
          const path = join(folder, entry.name);
          if (entry.isDirectory()) folders.push(path);
          else if (entry.isFile()) found[relative(root, path)] = readFileSync(path, "utf8");
        }
      }
      return found;
    },
  };
  for (const [path, content] of Object.entries(files)) project.write(path, content);
  return project;
}
