import { join } from "node:path";
import { REPOSITORY } from "./repository.ts";

/** Whether this is `npm run check:packages`, and so CI on every push, which has the time to try everything there is. */
export const IS_THOROUGH = process.env["npm_lifecycle_event"] === "check:packages";

/** The compilers that generated code is tried with. */
export const COMPILERS: readonly string[] = IS_THOROUGH
  ? ["typescript", "typescript-6", "typescript-7"]
  : ["typescript-7"];

/** How a compiler is started with Node. Checkers that share the work do some of it twice. */
export function compilerArguments(compiler: string): string[] {
  const program = join(REPOSITORY, "node_modules", compiler, "bin/tsc");
  return compiler === "typescript-7" ? [program, "--singleThreaded"] : [program];
}
