import { UsageError } from "../base/errors.ts";
import { nearestName } from "../base/text.ts";
import { AUTHORED_STYLE } from "../dialects/portable-style.ts";
import { isOf, type Protocol, STYLE_NAMES, type StyleName } from "../dialects/surface.ts";
import type { Operation } from "../operations/operation-set.ts";
import { parseOperations } from "../operations/parse-operations.ts";
import {
  compileMeant,
  type MeantOperation,
  refuseOperationName,
} from "../operations/portable/compile-named.ts";
import { type CompiledText, describeMeant } from "../operations/portable/compiled-text.ts";
import { openProject, type ProjectOptions } from "../project/load-project.ts";
import type { Project } from "../project/project.ts";
import { findProtocolOfFile, PORTABLE_FOLDER, readGivenFile } from "../workspace/operation-files.ts";
import { requirePortableContext } from "../workspace/operations.ts";
import { openWorkspace, type Workspace } from "../workspace/workspace.ts";

export type { CompiledText, Refusal } from "../operations/portable/compiled-text.ts";

/** Compiles portable operations. See `compile` in `src/index.ts`. */
export async function compile(options: CompileOptions): Promise<readonly CompiledText[]> {
  const { operation, protocol } = options;
  const workspace = openWorkspace(await openProject(options));
  const candidates = chooseProtocols(workspace.project, protocol);
  return /[./\\]/.test(operation)
    ? compileFile(workspace, options, candidates)
    : compileNamed(workspace, operation, candidates);
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

/** @throws UsageError for an unknown protocol. */
function chooseProtocols({ protocols }: Project, named: Protocol | undefined): readonly Protocol[] {
  if (named === undefined) return protocols;
  if (protocols.includes(named)) return [named];
  const nearest = nearestName(named, protocols);
  throw new UsageError({
    sentence: `This project has no protocol "${named}".`,
    hint: nearest === null ? `its protocols: ${protocols.join(", ")}.` : `did you mean "${nearest}"?`,
  });
}

function compileNamed(workspace: Workspace, name: string, candidates: readonly Protocol[]): CompiledText[] {
  const matches: MeantOperation[] = [];
  for (const protocol of candidates) {
    const sources = workspace.operations(`${protocol}/${PORTABLE_FOLDER}`);
    const context = () => requirePortableContext(workspace, protocol);
    matches.push(...compileMeant({ protocol, sources, context }, (operation) => operation === name));
  }
  const [first, ...others] = matches;
  if (first !== undefined && others.length === 0)
    return [describeMeant(first, stylesOf(workspace, first.protocol))];
  if (first !== undefined) {
    throw new UsageError({
      sentence: `There is an operation "${name}" in ${matches.map(({ protocol }) => protocol).join(" and ")}.`,
      hint: "choose one with --protocol.",
    });
  }
  const ofStyles = parseFolders(workspace, candidates, STYLE_NAMES).filter(
    (operation) => operation.name === name,
  );
  if (ofStyles.length > 0) {
    const files = ofStyles.map(({ file }) => file.path).join(" and ");
    throw new UsageError({
      sentence: `The operation "${name}" is not portable: it is in ${files}.`,
      hint: "to compile operations of the subgraph style, pass the path of their file.",
    });
  }
  const portable = parseFolders(workspace, candidates, [PORTABLE_FOLDER]);
  return refuseOperationName({
    sentence: `Unknown portable operation "${name}".`,
    name,
    names: portable.map((operation) => operation.name),
    none: "there are none in operations/<protocol>/portable/.",
  });
}

/** Parses the operations in some folders of protocols. */
function parseFolders(
  workspace: Workspace,
  candidates: readonly Protocol[],
  folders: readonly string[],
): Operation[] {
  const operations: Operation[] = [];
  for (const protocol of candidates) {
    for (const folder of folders) {
      const sources = workspace.operations(`${protocol}/${folder}`);
      operations.push(...parseOperations(sources, { protocol, style: AUTHORED_STYLE }).set.operations);
    }
  }
  return operations;
}

async function compileFile(
  workspace: Workspace,
  { operation: argument, cwd }: CompileOptions,
  candidates: readonly Protocol[],
): Promise<CompiledText[]> {
  const { project } = workspace;
  const { path, text } = await readGivenFile(project, argument, cwd);
  const protocol = findProtocolOfFile(project, { argument, path }, candidates);
  // The file comes first, because of two operations with one name the first counts.
  const others = [PORTABLE_FOLDER, AUTHORED_STYLE]
    .flatMap((folder) => workspace.operations(`${protocol}/${folder}`))
    .filter((source) => source.path !== path);
  const sources = [{ path, text }, ...others];
  const context = () => requirePortableContext(workspace, protocol);
  const compiled = compileMeant({ protocol, sources, context }, (_, file) => file === path);
  if (compiled.length > 0)
    return compiled.map((operation) => describeMeant(operation, stylesOf(workspace, protocol)));
  throw new UsageError({
    sentence: `"${argument}" has no operation.`,
    hint: "it contains only fragments; add an operation.",
  });
}

function stylesOf({ project }: Workspace, protocol: Protocol): readonly StyleName[] {
  return STYLE_NAMES.filter((style) => project.surfaces.some(isOf({ protocol, style })));
}
