import { relative } from "node:path";
import type { CheckContext } from "../check-context.ts";
import { type CheckResult, ok, problem, skipped, warning } from "../check-result.ts";
import { findDependencies, findPackage, type InstalledPackage } from "../find-package.ts";

/** Whether the project has one copy of graphql, and one that works. */
export async function checkGraphql({ root, names, packageManager }: CheckContext): Promise<CheckResult[]> {
  if (names.includes(".pnp.cjs") || names.includes(".pnp.js")) {
    const sentence = "Packages are in archives here (Plug'n'Play), so copies of graphql were not looked for.";
    return [skipped(sentence)];
  }
  const own = await findPackage("graphql", root);
  if (own === null) return [ok("The project has no graphql of its own; the program brings one.")];
  const install = `${packageManager.add} graphql@16`;
  if (!isSupported(own.version)) {
    const sentence = `graphql ${own.version} is installed, and what Lockflow exports needs 16.11 or newer, or 17.`;
    return [problem(sentence, install)];
  }
  const others = await findOtherCopies(root, own);
  if (others.length === 0) return [ok(`graphql ${own.version} is installed, in one copy.`)];
  return [
    warning(
      `There are several copies of graphql: the project has ${own.version}, ${others.join(", ")}. Schemas and types of one are strangers to the other.`,
      `bring all to one version: ${packageManager.add} graphql@${own.version}, and overrides for those that stay`,
    ),
  ];
}

function isSupported(version: string): boolean {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  return (major === 16 && minor >= 11) || major === 17;
}

/** Who uses which other copy, of what the project depends on; each copy once. */
async function findOtherCopies(root: string, own: InstalledPackage): Promise<string[]> {
  const others = new Map<string, string>();
  for (const { name, folder, needs } of await findDependencies(root)) {
    const copy = needs.has("graphql") ? await findPackage("graphql", folder) : null;
    if (copy === null || copy.folder === own.folder || others.has(copy.folder)) continue;
    others.set(copy.folder, `${name} uses ${copy.version} in ${relative(root, copy.folder)}`);
  }
  return [...others.values()];
}
