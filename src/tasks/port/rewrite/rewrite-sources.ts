import { compareCodeUnits } from "../../../base/collections.ts";
import type { FileTree, TextFile } from "../../../base/file-tree.ts";
import type { OutputFile } from "../../../base/output-file.ts";
import { endSentence } from "../../../base/text.ts";
import { generateFiles } from "../../../generate/generate-files.ts";
import type { Project } from "../../../project/project.ts";
import { isBreaking } from "../../../report/finding.ts";
import { readGenerationInputs } from "../../../workspace/generation-inputs.ts";
import { openWorkspace, type Workspace } from "../../../workspace/workspace.ts";
import type { CodeModules } from "../code-modules.ts";
import type { PlannedOperation } from "../plan-port.ts";
import type { ReadDocuments } from "../read-documents.ts";
import { applyEdits } from "./apply-edits.ts";
import { createTypeChecker, findNewErrors, type TypeErrors } from "./check-types.ts";
import { editDocument } from "./edit-document.ts";
import { createReferenceFinder, type FoundDocument } from "./find-references.ts";
import { type DocumentEdits, findTargets, LEVELS, type Target } from "./target.ts";

/** The files of a project with calls of the client in place of documents. */
export type Rewritten = {
  /** The new contents of source files by path. */
  readonly contents: ReadonlyMap<string, string>;
  /** The files that `generate` writes, by path from the output folder. */
  readonly generated: readonly OutputFile[];
  /** Sentences about documents that are not changed. */
  readonly notes: readonly string[];
};

/** The operations and documents of a rewrite. */
export type RewriteRequest = {
  readonly workspace: Workspace;
  /** The written operations. */
  readonly planned: readonly PlannedOperation[];
  readonly documents: ReadDocuments;
  /** The new operation files by path. */
  readonly operations: ReadonlyMap<string, string>;
};

/**
 * Rewrites documents in code: calls of known clients become `run`, and other documents become the typed document of their
 * style. If the project's types have new errors, a document is rewritten less, or not at all.
 */
export async function rewriteSources(request: RewriteRequest): Promise<Rewritten> {
  const { workspace, documents, operations } = request;
  const { project } = workspace;
  const { generated, failed } = await generateWith(workspace, operations);
  if (failed !== null)
    return { contents: new Map(), generated: [], notes: [`Nothing was rewritten: ${failed}`] };
  const find = createReferenceFinder(documents);
  const targets = findTargets(request.planned, project).flatMap((target): Rewriting[] => {
    const found = find(target.attempt.found);
    return found === null ? [] : [{ target, found, edits: null, level: -1, error: "" }];
  });
  const lower = (one: Rewriting, error: string) => {
    one.error = error;
    do {
      one.level++;
      const level = LEVELS[one.level];
      one.edits = level === undefined ? null : editDocument(one.target, one.found, level);
      const refusal = (one.edits?.edits ?? []).map(({ path }) => refuseFile(path, documents))[0] ?? null;
      if (refusal !== null) Object.assign(one, { edits: null, error: refusal });
    } while (one.edits === null && one.level < LEVELS.length - 1);
  };
  for (const one of targets) lower(one, "");
  const overlay = new Map(generated.map(({ path, content }) => [`${project.output}/${path}`, content]));
  const edited = targets.flatMap(({ found: { holder, references } }) =>
    [...(holder === null ? [] : [holder]), ...references].map(({ module }) => module.path),
  );
  const check =
    targets.length === 0 ? null : createTypeChecker(project, { edited, find: documents.modules.find });
  const before = check?.(overlay) ?? null;
  let contents = apply();
  // Each round takes a level from at least one document.
  for (let round = 0; check !== null && before !== null && round < MOST_ROUNDS; round++) {
    const errors = findNewErrors(before, check(new Map([...overlay, ...contents])));
    if (errors.size === 0) break;
    const active = targets.filter(({ edits }) => edits !== null);
    const blamed = findBlamed(active, errors, documents.modules);
    if (round < MOST_ROUNDS - 1) for (const [one, error] of blamed) lower(one, error);
    // Files without a change have no new errors.
    else for (const one of active) Object.assign(one, { edits: null, error: blamed.get(one) ?? "" });
    contents = apply();
  }
  return {
    contents,
    generated,
    notes: [
      ...targets
        .filter(({ edits }) => edits === null)
        .map(({ target: { attempt }, error }) => {
          const place = `${attempt.found.file}:${attempt.found.line}`;
          const why =
            error === "" ? "its calls are not known, and the generated document has other names" : error;
          return `${place} keeps its document: ${endSentence(why)}`;
        }),
      ...[...contents]
        .filter(([, text]) => text.trim() === "")
        .map(([path]) => `${path} has no code left: delete it.`),
    ],
  };

  function apply(): ReadonlyMap<string, string> {
    const edits = targets.flatMap((one) => one.edits ?? []);
    return applyEdits(edits, documents.read, project);
  }
}

/** Returns why a file cannot be changed; null if it can. */
function refuseFile(path: string, { modules }: ReadDocuments): string | null {
  if (path.startsWith("../")) return "the file is outside of the project";
  const { text = "", imports, exports } = modules.load(path) ?? {};
  const isModule = /\.[cm]?ts$|\.tsx$|\.mjs$/.test(path) || (imports?.size ?? 0) + (exports?.size ?? 0) > 0;
  const isCommonJs = !isModule && /\brequire\s*\(|\bmodule\.exports\b|\bexports\.\w/.test(text);
  return isCommonJs ? "a CommonJS module cannot import the generated code" : null;
}

/** A document that is rewritten, at a level that may become lower. */
type Rewriting = {
  readonly target: Target;
  readonly found: FoundDocument;
  edits: DocumentEdits | null;
  level: number;
  error: string;
};

/**
 * Finds the documents that new errors come from: those whose operation the statement of an error names, else those of its file,
 * else those that its imports use, else those of the imported files, else all.
 */
function findBlamed(
  active: readonly Rewriting[],
  errors: TypeErrors,
  modules: CodeModules,
): ReadonlyMap<Rewriting, string> {
  const blamed = new Map<Rewriting, string>();
  for (const [path, faults] of errors) {
    const inFile = active.filter((one) => pathsOf(one).includes(path));
    const imports = [...(modules.load(path)?.imports.values() ?? [])].map(({ module, name }) => {
      const declaration = new RegExp(`\\b(?:class|const|function) ${name.replaceAll("$", "\\$&")}\\b`);
      return { from: modules.find(path, module), declaration };
    });
    const near = active.filter((one) => imports.some(({ from }) => pathsOf(one).some((own) => own === from)));
    const used = near.filter(({ found: { references } }) =>
      references.some(({ module: { path: own, file }, node }) => {
        const statement = file.statements.find(({ pos, end }) => pos <= node.pos && node.end <= end);
        const text = statement?.getText(file) ?? "";
        return imports.some(({ from, declaration }) => from === own && declaration.test(text));
      }),
    );
    for (const { statement, message } of faults) {
      const named = inFile.filter(({ target: { local, localDocument } }) =>
        new RegExp(`(?:${local}|${localDocument})\\b`, "i").test(statement),
      );
      const [owners = active] = [named, inFile, used, near].filter(({ length }) => length > 0);
      for (const one of owners) if (!blamed.has(one)) blamed.set(one, message);
    }
  }
  return blamed;
}

function pathsOf({ found: { holder }, edits }: Rewriting): string[] {
  return [...(holder === null ? [] : [holder.module.path]), ...(edits?.edits ?? []).map(({ path }) => path)];
}

/** Every level of one document, and as many again for others in its file. */
const MOST_ROUNDS = 6;

/** Generates with new operation files, in memory. */
async function generateWith(
  { project, tree }: { readonly project: Project; readonly tree: FileTree },
  operations: ReadonlyMap<string, string>,
): Promise<{ readonly generated: readonly OutputFile[]; readonly failed: string | null }> {
  const files = new Map(
    [...operations].map(([path, content]): [string, TextFile] => [path, { path, content, text: content }]),
  );
  const overlay: FileTree = {
    ...tree,
    list: (folder, extensions, isSkipped) => {
      const own = [...files.keys()].flatMap((path) =>
        path.startsWith(`${folder}/`) && extensions.some((one) => path.endsWith(one))
          ? [path.slice(folder.length + 1)]
          : [],
      );
      return [...new Set([...tree.list(folder, extensions, isSkipped), ...own])].sort(compareCodeUnits);
    },
    read: (path) => files.get(path) ?? tree.read(path),
  };
  const inputs = await readGenerationInputs(openWorkspace(project, overlay));
  const { files: generated, findings } = await generateFiles(project, inputs);
  const failed = findings.filter(isBreaking)[0];
  return { generated, failed: failed === undefined ? null : failed.message };
}
