import { join } from "node:path";
import { compilerArguments } from "./is-thorough.ts";
import { REPOSITORY } from "./repository.ts";
import { runNode } from "./run-process.ts";

/**
 * Type-checks a project by its `tsconfig.json`, or files alone with options of the command line.
 *
 * @returns the output of the compiler, empty if it found nothing.
 */
export async function typeErrors(
  root: string,
  { compiler = "typescript-7", args = ["-p", "."] as readonly string[] } = {},
): Promise<string> {
  const { code, out, err } = await runNode([...compilerArguments(compiler), ...args, "--pretty", "false"], {
    cwd: root,
  });
  if ((code === 0) !== (out + err === "")) throw new Error(`${compiler} ended with ${code}:\n${out}${err}`);
  return out + err;
}

/** Options for files of a project that use the strictest types, with the types of Node from here. */
export const STRICT_FILES: readonly string[] = [
  ...["--ignoreConfig", "--noEmit", "--strict", "--module", "nodenext", "--target", "es2022"],
  ...["--types", "node", "--typeRoots", join(REPOSITORY, "node_modules/@types")],
];

/** The strictest options of a project: every optional check is enabled. */
export const STRICT = {
  target: "es2022",
  lib: ["es2022"],
  module: "nodenext",
  types: [],
  noEmit: true,
  strict: true,
  declaration: true,
  isolatedDeclarations: true,
  verbatimModuleSyntax: true,
  exactOptionalPropertyTypes: true,
  erasableSyntaxOnly: true,
  noUncheckedIndexedAccess: true,
  noPropertyAccessFromIndexSignature: true,
  noImplicitReturns: true,
  noImplicitOverride: true,
  noUnusedLocals: true,
  noUnusedParameters: true,
  skipLibCheck: false,
};

/** Returns code that compiles only if each line of it is an error. */
export function rejected(lines: string): string {
  return lines.trim().replaceAll(/^/gm, "// @ts-expect-error\n");
}
