import { type Diagnosis, ok, warning } from "../diagnosis.ts";
import { findPackage } from "../find-package.ts";
import type { Patient } from "../patient.ts";

/** The oldest TypeScript whose syntax generated files keep to. */
const OLDEST = 5;

/** Whether TypeScript, where there is one, understands what is generated. */
export async function checkTypescript({ root, packageManager }: Patient): Promise<Diagnosis[]> {
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
