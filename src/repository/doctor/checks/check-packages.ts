import { LOCK_FILES } from "../../init/detect-package-manager.ts";
import type { CheckContext } from "../check-context.ts";
import { type CheckResult, ok, skipped, warning } from "../check-result.ts";

/** Whether one package manager answers for what is installed. */
export function checkPackages({ names, packageManager }: CheckContext): CheckResult[] {
  if (!names.includes("package.json")) return [skipped("There is no package.json here.")];
  const locks = LOCK_FILES.filter(([name]) => names.includes(name)).sort();
  const managers = new Set(locks.map(([, manager]) => manager));
  if (managers.size > 1) {
    return [
      warning(
        `There are lock files of several package managers: ${locks.map(([name]) => name).join(", ")}.`,
        `delete those that nobody uses, and run ${packageManager.install}`,
      ),
    ];
  }
  const name = packageManager.name === "yarn-classic" ? "yarn" : packageManager.name;
  return [ok(locks[0] ? `${name} installs what ${locks[0][0]} says.` : `${name} installs the packages.`)];
}
