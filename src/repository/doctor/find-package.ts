import { dirname, join } from "node:path";
import { readText } from "../../base/disk/read-tree.ts";
import { realPath } from "../../base/disk/survey-folder.ts";
import { isObject } from "../../base/is-object.ts";
import { parseJson } from "../../base/parse-json.ts";

/** An installed package: where it really is, and the names of what it depends on and of its peers. */
export type InstalledPackage = {
  readonly name: string;
  readonly folder: string;
  readonly version: string;
  readonly needs: ReadonlySet<string>;
};

/** Finds the package that a module in a folder would import, as Node looks for it; null when there is none. */
export async function findPackage(name: string, from: string): Promise<InstalledPackage | null> {
  for (let folder = from; ; folder = dirname(folder)) {
    const found = await readPackage(name, join(folder, "node_modules", name));
    if (found !== null) return found;
    if (folder === dirname(folder)) return null;
  }
}

/** The direct dependencies of the package in a folder that are installed, in the order of its package.json. */
export async function findDependencies(root: string): Promise<InstalledPackage[]> {
  const own = await readJson(join(root, "package.json"));
  const kinds = ["dependencies", "devDependencies", "peerDependencies", "optionalDependencies"];
  const found = await Promise.all([...namesIn(own, kinds)].map((name) => findPackage(name, root)));
  return found.filter((one) => one !== null);
}

async function readPackage(name: string, path: string): Promise<InstalledPackage | null> {
  const content = await readJson(join(path, "package.json"));
  if (content === null) return null;
  const version = content["version"];
  return {
    name,
    folder: (await realPath(path)) ?? path,
    version: typeof version === "string" && /^[\w.+-]{1,100}$/.test(version) ? version : "unknown",
    needs: namesIn(content, ["dependencies", "peerDependencies"]),
  };
}

function namesIn(content: Readonly<Record<string, unknown>> | null, keys: readonly string[]): Set<string> {
  return new Set(
    keys.flatMap((key) => {
      const value = content?.[key];
      return typeof value === "object" && value !== null ? Object.keys(value) : [];
    }),
  );
}

/** A file that is missing or broken holds nothing, as far as looking for packages goes. */
async function readJson(path: string): Promise<Readonly<Record<string, unknown>> | null> {
  const value = parseJson((await readText(path).catch(() => null)) ?? "");
  return isObject(value) ? value : null;
}
