import { type Diagnosis, ok, skipped, warning } from "../diagnosis.ts";
import type { Patient } from "../patient.ts";

/** Whether one package manager answers for what is installed. */
export function checkPackages({ names, packageManager }: Patient): Diagnosis[] {
  if (!names.includes("package.json")) return [skipped("There is no package.json here.")];
  const locks = LOCK_FILES.filter(({ name }) => names.includes(name));
  const managers = new Set(locks.map(({ manager }) => manager));
  if (managers.size > 1) {
    return [
      warning(
        `There are lock files of several package managers: ${locks.map(({ name }) => name).join(", ")}.`,
        `delete those that nobody uses, and run ${packageManager.install}`,
      ),
    ];
  }
  const name = packageManager.name === "yarn-classic" ? "yarn" : packageManager.name;
  return [ok(locks[0] ? `${name} installs what ${locks[0].name} says.` : `${name} installs the packages.`)];
}

const LOCK_FILES = [
  { name: "bun.lock", manager: "bun" },
  { name: "bun.lockb", manager: "bun" },
  { name: "npm-shrinkwrap.json", manager: "npm" },
  { name: "package-lock.json", manager: "npm" },
  { name: "pnpm-lock.yaml", manager: "pnpm" },
  { name: "yarn.lock", manager: "yarn" },
] as const;
