import type { CheckContext } from "../check-context.ts";
import { type CheckResult, ok, warning } from "../check-result.ts";
import { findPackage } from "../find-package.ts";

/** The oldest TypeScript whose syntax generated files keep to. */
const OLDEST = 5;

/** Whether TypeScript, where there is one, understands what is generated. */
export async function checkTypescript({ root, packageManager }: CheckContext): Promise<CheckResult[]> {
  const found = await findPackage("typescript", root);
  if (found === null) return [];
  if (Number(found.version.split(".")[0]) >= OLDEST) return [ok(`TypeScript ${found.version} is installed.`)];
  return [
    warning(
      `TypeScript ${found.version} is older than what generated files are tested with.`,
      `${packageManager.add} typescript@latest`,
    ),
  ];
}
