import type { ProjectOptions } from "../project/load-project.ts";
import type { CompiledText } from "./compile/compile-portable.ts";

/**
 * Compiles operations that are written once to the documents of both styles, as `lockflow compile <operation>` does: it shows what is
 * made of them and why, and writes nothing.
 *
 * @param options the project, and which operations.
 * @returns both texts of each, its variables, the rules that were applied, and what is not portable in it.
 * @throws UsageError where it is not clear which operation or protocol is meant, FileError for a file that is missing.
 * @throws SchemaError for a snapshot that is missing or cannot be read, and ConfigError.
 * @example
 * ```ts
 * import { compile } from "lockflow";
 *
 * const [compiled] = await compile({ cwd: ".", operation: "StreamsBySender", protocol: "lockup" });
 * for (const { message, hint } of compiled?.refusals ?? []) console.log(message, hint);
 * console.log(compiled?.multichain.text);
 * ```
 */
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
