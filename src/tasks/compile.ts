import type { ProjectOptions } from "../project/load-project.ts";
import type { CompiledText } from "./compile/compile-portable.ts";

/** Compiles portable operations: see `compile` of `src/index.ts`. */
export async function compile(options: CompileOptions): Promise<readonly CompiledText[]> {
  const { openProject } = await import("../project/load-project.ts");
  const { compilePortable } = await import("./compile/compile-portable.ts");
  const { cwd, operation, protocol = null } = options;
  return compilePortable(await openProject(options), { cwd, operation, protocol });
}

/** The options of `compile`. */
export type CompileOptions = Pick<ProjectOptions, "cwd" | "config"> & {
  /**
   * The name of a portable operation; or the path of a file of operations in the subgraph style, from `cwd`, wherever it
   * is: it may use the fragments of the protocol's portable folder and of that of the subgraph style.
   */
  readonly operation: string;
  /** The protocol it is of. @default the only one it can be of */
  readonly protocol?: string | undefined;
};
