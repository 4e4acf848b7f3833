import type { CheckContext } from "../check-context.ts";
import { type CheckResult, ok, problem } from "../check-result.ts";
import { findPackage } from "../find-package.ts";

/** Whether a configuration of the stock generator has what it needs. */
export async function checkCodegen({ root, names, packageManager }: CheckContext): Promise<CheckResult[]> {
  const config = names.find((name) => /^codegen\.([cm]?[jt]s|json|ya?ml)$/.test(name));
  if (config === undefined || names.includes(".pnp.cjs")) return [];
  const missing: string[] = [];
  for (const name of ["@graphql-codegen/cli", "graphql"]) {
    if ((await findPackage(name, root)) === null) missing.push(name);
  }
  if (missing.length === 0) return [ok(`${config} has the generator it is for.`)];
  return [
    problem(
      `${config} is for GraphQL Code Generator, and ${missing.join(" and ")} is not installed.`,
      `${packageManager.add} ${missing.join(" ")}`,
    ),
  ];
}
