import { compareCodeUnits } from "../../base/collections.ts";
import { UsageError } from "../../base/errors.ts";
import { nearestName } from "../../base/text.ts";
import { AUTHORED_STYLE } from "../../dialects/portable-style.ts";
import { isOf, type Protocol, STYLE_NAMES, type StyleName } from "../../dialects/surface.ts";
import type { Operation } from "../../operations/operation-set.ts";
import { parseOperations } from "../../operations/parse-operations.ts";
import {
  compileMeant,
  type DescribedVariable,
  describeVariables,
  type MeantOperation,
  refuseOperationName,
} from "../../operations/portable/compile-named.ts";
import { hasText, RULES } from "../../operations/portable/compiled-operation.ts";
import { printDocument } from "../../operations/print-document.ts";
import type { Project } from "../../project/project.ts";
import { type Finding, isBreaking } from "../../report/finding.ts";
import { findProtocolOfFile, PORTABLE_FOLDER, readGivenFile } from "../../workspace/operation-files.ts";
import { requirePortableContext } from "../../workspace/operations.ts";
import { openWorkspace, type Workspace } from "../../workspace/workspace.ts";

/** The compiled documents of an operation, or the reasons why it is not portable. */
export type CompiledText = {
  /** Its name. */
  readonly operation: string;
  /** The key of its protocol. */
  readonly protocol: Protocol;
  /** Its file: a path from the project's root. */
  readonly file: string;
  /** Empty if the operation is refused. */
  readonly variables: readonly DescribedVariable[];
  /** Sorted by location. */
  readonly rules: readonly DescribedRule[];
  /** Why it is not portable; empty if it is. */
  readonly refusals: readonly Refusal[];
  /** Remarks that do not refuse it. */
  readonly notes: readonly Refusal[];
  /** The step that makes rows of several chains mergeable: `select timestamp`. Null if they are, and without a list. */
  readonly unmerged: string | null;
} & {
  /** The document of each style. Its text is null if the operation is refused, or the style cannot answer it. */
  readonly [S in StyleName]: { readonly text: string | null };
};

/** An applied rule of the translation, and its location. */
export type DescribedRule = {
  /** Its name. */
  readonly rule: string;
  /** Its text. */
  readonly means: string;
  /** The file of the operation, or of a fragment that it uses. */
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /** From 1. */
  readonly column: number;
};

/** A part of an operation that the styles would answer differently. */
export type Refusal = {
  /** The code of the finding, which `lockflow explain <code>` explains. */
  readonly code: string;
  /** The refusal, in a sentence. */
  readonly message: string;
  /** Its file: a path from the project's root. */
  readonly file: string | null;
  /** From 1. */
  readonly line: number | null;
  /** From 1. */
  readonly column: number | null;
  /** How to fix it; null if the message already says it. */
  readonly hint: string | null;
};

/** The operations to compile. */
export type CompileRequest = {
  /** The name of a portable operation, or a file of operations in the subgraph style. */
  readonly operation: string;
  readonly cwd: string;
  readonly protocol: Protocol | null;
};

/**
 * Compiles an operation of the portable folders, or all operations of a file. Writes nothing.
 *
 * @throws UsageError for an unknown or ambiguous operation; FileError and SchemaError for missing files.
 */
export async function compilePortable(project: Project, request: CompileRequest): Promise<CompiledText[]> {
  const candidates = chooseProtocols(project, request.protocol);
  const workspace = openWorkspace(project);
  return /[./\\]/.test(request.operation)
    ? compileFile(workspace, request, candidates)
    : compileNamed(workspace, request.operation, candidates);
}

/** @throws UsageError for an unknown protocol. */
function chooseProtocols({ protocols }: Project, named: Protocol | null): readonly Protocol[] {
  const chosen = named === null ? protocols : protocols.filter((protocol) => protocol === named);
  if (chosen.length > 0) return chosen;
  const nearest = named === null ? null : nearestName(named, protocols);
  throw new UsageError({
    sentence: `There is no protocol "${named}" in this project.`,
    hint: nearest === null ? `its protocols: ${protocols.join(", ")}.` : `did you mean "${nearest}"?`,
  });
}

function compileNamed(workspace: Workspace, name: string, candidates: readonly Protocol[]): CompiledText[] {
  const found: MeantOperation[] = [];
  for (const protocol of candidates) {
    const sources = workspace.operations(`${protocol}/${PORTABLE_FOLDER}`);
    const context = () => requirePortableContext(workspace, protocol);
    found.push(...compileMeant({ protocol, sources, context }, (operation) => operation === name));
  }
  const [first, ...others] = found;
  if (first !== undefined && others.length === 0)
    return [describeMeant(first, stylesOf(workspace, first.protocol))];
  if (first !== undefined) {
    throw new UsageError({
      sentence: `There is an operation "${name}" in ${found.map(({ protocol }) => protocol).join(" and ")}.`,
      hint: "choose one with --protocol.",
    });
  }
  const ofStyles = parseFolders(workspace, candidates, STYLE_NAMES).filter((one) => one.name === name);
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
    names: portable.map((one) => one.name),
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
  { operation: given, cwd }: CompileRequest,
  candidates: readonly Protocol[],
): Promise<CompiledText[]> {
  const { project } = workspace;
  const { path, text } = await readGivenFile(project, given, cwd);
  const protocol = findProtocolOfFile(project, { given, path }, candidates);
  // The file comes first, because of two operations with one name the first counts.
  const others = [PORTABLE_FOLDER, AUTHORED_STYLE]
    .flatMap((folder) => workspace.operations(`${protocol}/${folder}`))
    .filter((source) => source.path !== path);
  const sources = [{ path, text }, ...others];
  const context = () => requirePortableContext(workspace, protocol);
  const compiled = compileMeant({ protocol, sources, context }, (_, file) => file === path);
  if (compiled.length > 0) return compiled.map((one) => describeMeant(one, stylesOf(workspace, protocol)));
  throw new UsageError({
    sentence: `There is no operation in "${given}".`,
    hint: "it contains only fragments; add an operation.",
  });
}

function stylesOf({ project }: Workspace, protocol: Protocol): readonly StyleName[] {
  return STYLE_NAMES.filter((style) => project.surfaces.some(isOf({ protocol, style })));
}

/** Describes the result of compiling an operation for some styles. */
function describeMeant(
  { name, protocol, file, compiled, findings }: MeantOperation,
  styles: readonly StyleName[],
): CompiledText {
  const refused: CompiledText = {
    ...{ operation: name, protocol, file },
    ...{ subgraph: { text: null }, multichain: { text: null }, variables: [], rules: [] },
    refusals: findings.filter(isBreaking).map(toRefusal),
    notes: findings.filter((finding) => !isBreaking(finding)).map(toRefusal),
    unmerged: null,
  };
  if (compiled === null) return refused;
  const print = (style: StyleName) => {
    if (!styles.includes(style) || !hasText(compiled, style)) return { text: null };
    const { node, fragments: used } = compiled.documents[style];
    return { text: printDocument(node, used) };
  };
  return {
    ...refused,
    subgraph: print("subgraph"),
    multichain: print("multichain"),
    variables: describeVariables(compiled),
    unmerged: compiled.facts.unmerged,
    rules: compiled.rules
      .map(({ rule, ...place }) => ({ rule, means: RULES[rule], ...place }))
      .sort(
        (a, b) =>
          compareCodeUnits(a.file, b.file) ||
          a.line - b.line ||
          a.column - b.column ||
          compareCodeUnits(a.rule, b.rule),
      ),
  };
}

function toRefusal({ code, message, place, fix }: Finding): Refusal {
  const { file = null, line = null, column = null } = place ?? {};
  return { code, message, file, line, column, hint: fix };
}
