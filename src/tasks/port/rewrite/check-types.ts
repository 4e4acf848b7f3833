import { posix } from "node:path";
import { loadTsMorph } from "../../../operations/code-syntax.ts";
import type { Project as LockflowProject } from "../../../project/project.ts";

/** The errors of a project by file: how often each occurs. */
export type TypeErrors = ReadonlyMap<string, ReadonlyMap<string, number>>;

/** Type-checks a project with other contents of some files, by paths from the root. */
export type TypeChecker = (contents: ReadonlyMap<string, string>) => TypeErrors;

/**
 * Creates a checker with the options of a project's own tsconfig.json; null without one. Generated files are not checked:
 * they do not depend on the code.
 */
export function createTypeChecker({
  root,
  output,
}: Pick<LockflowProject, "root" | "output">): TypeChecker | null {
  const { Project, ts: compiler } = loadTsMorph();
  const tsConfigFilePath = posix.join(root, "tsconfig.json");
  if (!compiler.sys.fileExists(tsConfigFilePath)) return null;
  const project = new Project({ tsConfigFilePath });
  let changed = new Set<string>();

  return (contents) => {
    for (const path of changed) if (!contents.has(path)) restore(posix.join(root, path));
    for (const [path, text] of contents) {
      const file = project.getSourceFile(posix.join(root, path));
      if (file?.getFullText() !== text)
        project.createSourceFile(posix.join(root, path), text, { overwrite: true });
    }
    changed = new Set(contents.keys());
    const program = project.getProgram().compilerObject;
    const errors = new Map<string, Map<string, number>>();
    for (const file of program.getSourceFiles()) {
      const path = posix.relative(root, file.fileName);
      if (
        path.startsWith(`${output}/`) ||
        file.isDeclarationFile ||
        path.includes("node_modules/") ||
        path.startsWith("..")
      )
        continue;
      for (const { code, messageText } of [
        ...program.getSyntacticDiagnostics(file),
        ...program.getSemanticDiagnostics(file),
      ]) {
        const key = `${code} ${compiler.flattenDiagnosticMessageText(messageText, " ")}`;
        const own = errors.get(path) ?? new Map<string, number>();
        own.set(key, (own.get(key) ?? 0) + 1);
        errors.set(path, own);
      }
    }
    return errors;
  };

  function restore(path: string): void {
    const text = compiler.sys.readFile(path);
    if (text !== undefined) project.createSourceFile(path, text, { overwrite: true });
  }
}

/** Returns the files with errors that were not there before, with the first of each. */
export function findNewErrors(before: TypeErrors, after: TypeErrors): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const [path, errors] of after) {
    for (const [error, count] of errors) {
      if (count <= (before.get(path)?.get(error) ?? 0) || found.has(path)) continue;
      found.set(path, error.replace(/^\d+ /, ""));
    }
  }
  return found;
}
