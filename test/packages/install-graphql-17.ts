import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { npm } from "./pack.ts";

/** A release that is tested in addition to the one of this repository. It warns on older versions of Node. */
const RELEASE = "graphql@17.1.0";

/**
 * Installs graphql 17 below a folder, from a registry. As a dependency of this repository it would print a warning for
 * everyone with Node 20.
 *
 * @returns the folder of the package, or null if no registry is reachable.
 */
export async function installGraphql17(below: string): Promise<string | null> {
  const folder = join(below, "graphql 17");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), "{}");
  try {
    await npm(
      ["install", RELEASE, "--no-engine-strict", "--no-audit", "--no-fund", "--fetch-retries=1"],
      folder,
    );
    return join(folder, "node_modules/graphql");
  } catch (error) {
    if (/E404|ETARGET|EBADENGINE/.test(String(error))) throw error;
    return null;
  }
}
