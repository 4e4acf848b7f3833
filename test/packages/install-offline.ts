import { cpSync, existsSync, linkSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { REPOSITORY } from "../support/repository.ts";

/**
 * Installs packages of this repository and their dependencies into another `node_modules`. With linked folders, their
 * imports would resolve in this repository, so files are hard-linked, or copied to another disk.
 *
 * @param names by the name in the project: the name in this repository, or a folder.
 */
export function installOffline(project: string, names: Readonly<Record<string, string>>): void {
  const done = new Set<string>();
  const left = Object.entries(names);
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const [name, source] = next;
    const folder = resolve(REPOSITORY, "node_modules", source);
    if (done.has(name) || !existsSync(folder)) continue;
    done.add(name);
    linkTree(folder, join(project, "node_modules", name));
    const { dependencies = {}, peerDependencies = {} }: Needs = JSON.parse(
      readFileSync(join(folder, "package.json"), "utf8"),
    );
    for (const needed of Object.keys({ ...dependencies, ...peerDependencies })) {
      // A peer dependency is installed only if the project has it.
      if (needed in dependencies || needed in names) left.push([needed, names[needed] ?? needed]);
    }
  }
}

type Needs = {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
};

function linkTree(from: string, to: string): void {
  const made = new Set<string>();
  for (const entry of readdirSync(from, { recursive: true, withFileTypes: true })) {
    // Source maps are not used here.
    if (!entry.isFile() || /\.map$/.test(entry.name)) continue;
    const source = join(entry.parentPath, entry.name);
    const target = join(to, source.slice(from.length + 1));
    if (!made.has(dirname(target))) mkdirSync(dirname(target), { recursive: true });
    made.add(dirname(target));
    try {
      linkSync(source, target);
    } catch {
      cpSync(source, target);
    }
  }
}
