import { describeOldNode, OLDEST_NODE } from "../../../base/describe-old-node.ts";
import { LOCK_FILES } from "../../init/detect-package-manager.ts";
import type { CheckContext } from "../check-context.ts";
import { type CheckResult, ok, problem, skipped, warning } from "../check-result.ts";
import { findPackage } from "../find-package.ts";

/** Whether Node is new enough. */
export function checkNode({ node }: Pick<CheckContext, "node">): CheckResult[] {
  if (node === undefined) return [skipped("The version of Node is not known.")];
  if (describeOldNode(node) === null) return [ok(`Node ${node} runs this.`)];
  return [
    problem(`Node ${node} is too old: Lockflow needs ${OLDEST_NODE.join(".")} or newer.`, "nvm install 22"),
  ];
}

/** Whether one package manager answers for what is installed. */
export function checkPackages({ names, packageManager }: CheckContext): CheckResult[] {
  if (!names.includes("package.json")) return [skipped("There is no package.json here.")];
  const locks = LOCK_FILES.filter(([name]) => names.includes(name)).sort();
  const managers = new Set(locks.map(([, manager]) => manager));
  if (managers.size > 1) {
    return [
      warning(
        `There are lock files of several package managers: ${locks.map(([name]) => name).join(", ")}.`,
        `delete those that nobody uses, and run ${packageManager.command} install`,
      ),
    ];
  }
  return [
    ok(`${packageManager.command} installs ${locks[0] ? `what ${locks[0][0]} says` : "the packages"}.`),
  ];
}

/** Whether a configuration of the stock generator has what it needs. */
export async function checkCodegen({ root, names, packageManager }: CheckContext): Promise<CheckResult[]> {
  const config = names.find((name) => /^codegen\.([cm]?[jt]s|json|ya?ml)$/.test(name));
  if (config === undefined || names.includes(".pnp.cjs")) return [];
  const missing: string[] = [];
  for (const name of ["@graphql-codegen/cli", "graphql"]) {
    if ((await findPackage(name, root)) === null) missing.push(name);
  }
  if (missing.length === 0) return [ok(`${config} has the generator it is for.`)];
  const sentence = `${config} is for GraphQL Code Generator, and ${missing.join(" and ")} is not installed.`;
  return [problem(sentence, `${packageManager.add} ${missing.join(" ")}`)];
}

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
