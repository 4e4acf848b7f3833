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
import { RULES } from "../../operations/portable/compiled-operation.ts";
import { printDocument } from "../../operations/print-document.ts";
import type { Project } from "../../project/project.ts";
import { type Finding, isBreaking } from "../../report/finding.ts";
import { findProtocolOfFile, PORTABLE_FOLDER, readGivenFile } from "../../workspace/operation-files.ts";
import { requirePortableContext } from "../../workspace/operations.ts";
import { openWorkspace, type Workspace } from "../../workspace/workspace.ts";

/** What an operation is compiled to, and why where it is not. */
export type CompiledText = {
  /** Its name. */
  readonly operation: string;
  /** The key of its protocol. */
  readonly protocol: Protocol;
  /** The file it is in: a path from the project's root. */
  readonly file: string;
  /** Empty where it is refused. */
  readonly variables: readonly DescribedVariable[];
  /** In order of place. */
  readonly rules: readonly DescribedRule[];
  /** Why it is not portable; empty where it is. */
  readonly refusals: readonly Refusal[];
  /** What is worth knowing of it, and refuses nothing. */
  readonly notes: readonly Refusal[];
  /** What to do so that rows of several chains can be merged: `select timestamp`. Null if they can be, and without a list. */
  readonly unmerged: string | null;
} & {
  /** The document of each style; its text is null where the operation is refused, or its protocol lacks the style. */
  readonly [S in StyleName]: { readonly text: string | null };
};

/** A rule of the translation where it was applied. */
export type DescribedRule = {
  /** Its name. */
  readonly rule: string;
  /** What it says. */
  readonly means: string;
  /** Of the operation, or of a fragment it uses. */
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /** From 1. */
  readonly column: number;
};

/** Something an operation says that the styles would not answer alike. */
export type Refusal = {
  /** The code of the finding, which `lockflow explain <code>` explains. */
  readonly code: string;
  /** What is refused, for people. */
  readonly message: string;
  /** The file it is in: a path from the project's root. */
  readonly file: string | null;
  /** From 1. */
  readonly line: number | null;
  /** From 1. */
  readonly column: number | null;
  /** What to do about it; null where the message says it. */
  readonly hint: string | null;
};

/** Which operations are meant. */
export type CompileRequest = {
  /** The name of a portable operation, or a file of operations in the subgraph style. */
  readonly operation: string;
  readonly cwd: string;
  readonly protocol: Protocol | null;
};

/**
 * Compiles an operation of the portable folders, or those of a file wherever it is, and writes nothing.
 *
 * @throws UsageError where it is not clear which is meant, FileError and SchemaError for files that are missing.
 */
export async function compilePortable(project: Project, request: CompileRequest): Promise<CompiledText[]> {
  const candidates = protocolsOf(project, request.protocol);
  const workspace = openWorkspace(project);
  return isPath(request.operation)
    ? compileFile(workspace, request, candidates)
    : compileNamed(workspace, request.operation, candidates);
}

function isPath(operation: string): boolean {
  return /[./\\]/.test(operation);
}

/** @throws UsageError for an unknown protocol. */
function protocolsOf({ protocols }: Project, named: Protocol | null): readonly Protocol[] {
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
      hint: "say which is meant, with --protocol.",
    });
  }
  const ofStyles = parseFolders(workspace, candidates, STYLE_NAMES).filter((one) => one.name === name);
  if (ofStyles.length > 0) {
    const files = ofStyles.map(({ file }) => file.path).join(" and ");
    throw new UsageError({
      sentence: `The operation "${name}" is not a portable one: it stands in ${files}.`,
      hint: "name a file of the subgraph style by its path to see what it would become.",
    });
  }
  const portable = parseFolders(workspace, candidates, [PORTABLE_FOLDER]);
  return refuseOperationName(
    `There is no portable operation "${name}".`,
    name,
    portable.map((one) => one.name),
    "there are none in operations/<protocol>/portable/.",
  );
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
      operations.push(...parseOperations(sources, protocol, AUTHORED_STYLE).set.operations);
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
  const protocol = findProtocolOfFile(project, given, path, candidates);
  // The file comes first: of two things with one name its own counts.
  const others = [PORTABLE_FOLDER, AUTHORED_STYLE]
    .flatMap((folder) => workspace.operations(`${protocol}/${folder}`))
    .filter((source) => source.path !== path);
  const sources = [{ path, text }, ...others];
  const context = () => requirePortableContext(workspace, protocol);
  const compiled = compileMeant({ protocol, sources, context }, (_, file) => file === path);
  if (compiled.length > 0) return compiled.map((one) => describeMeant(one, stylesOf(workspace, protocol)));
  throw new UsageError({
    sentence: `There is no operation in "${given}".`,
    hint: "fragments alone ask nothing.",
  });
}

function stylesOf({ project }: Workspace, protocol: Protocol): readonly StyleName[] {
  return STYLE_NAMES.filter((style) => project.surfaces.some(isOf({ protocol, style })));
}

/** Describes what became of an operation in some styles. */
function describeMeant(
  { name, protocol, file, compiled, findings }: MeantOperation,
  styles: readonly StyleName[],
): CompiledText {
  const described = textOf(name, protocol, file, findings);
  if (compiled === null) return described;
  const print = (style: StyleName) => {
    if (!styles.includes(style)) return { text: null };
    const { node, fragments: used } = compiled.documents[style];
    return { text: printDocument(node, used) };
  };
  return {
    ...described,
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

function textOf(
  operation: string,
  protocol: Protocol,
  file: string,
  findings: readonly Finding[],
): CompiledText {
  return {
    ...{ operation, protocol, file },
    ...{ subgraph: { text: null }, multichain: { text: null }, variables: [], rules: [] },
    refusals: findings.filter(isBreaking).map(toRefusal),
    notes: findings.filter((finding) => !isBreaking(finding)).map(toRefusal),
    unmerged: null,
  };
}

function toRefusal({ code, message, place, fix }: Finding): Refusal {
  const { file = null, line = null, column = null } = place ?? {};
  return { code, message, file, line, column, hint: fix };
}
