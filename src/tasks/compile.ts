import type { ProjectOptions } from "../project/load-project.ts";
import type { CompiledText } from "./compile/compile-portable.ts";

/** Compiles portable operations. See `compile` in `src/index.ts`. */
export async function compile(options: CompileOptions): Promise<readonly CompiledText[]> {
  const { openProject } = await import("../project/load-project.ts");
  const { compilePortable } = await import("./compile/compile-portable.ts");
  const { cwd, operation, protocol = null } = options;
  return compilePortable(await openProject(options), { cwd, operation, protocol });
}

/** The options of `compile`. */
export type CompileOptions = Pick<ProjectOptions, "cwd" | "config"> & {
  /**
   * The name of a portable operation, or the path of a file from `cwd`. The file contains operations in the subgraph
   * style. They may use the fragments in the protocol's folders `portable` and `subgraph`.
   */
  readonly operation: string;
  /** The protocol of the operation. @default the only possible one */
  readonly protocol?: string | undefined;
};
