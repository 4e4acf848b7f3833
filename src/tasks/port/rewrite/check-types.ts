import { posix } from "node:path";
import { cached } from "../../../base/collections.ts";
import { loadTsMorph } from "../../../operations/code-syntax.ts";
import type { Project as LockflowProject } from "../../../project/project.ts";
import type { CodeModules } from "../code-modules.ts";

/** An error of the compiler. */
export type TypeFault = {
  /** The code and the whole message, which are equal for equal errors. */
  readonly key: string;
  /** The first and the last sentence. */
  readonly message: string;
  /** The text of the statement of the file in which the error is. */
  readonly statement: string;
};

/** The errors of a project by file. */
export type TypeErrors = ReadonlyMap<string, readonly TypeFault[]>;

/** Type-checks a project with other contents of some files, by paths from the root. */
export type TypeChecker = (contents: ReadonlyMap<string, string>) => TypeErrors;

/**
 * Creates a checker with the options of a project's own tsconfig.json; null without one. It checks the files that may be
 * edited, and those that import them, directly or not. Generated files are not checked: they do not depend on the code.
 */
export function createTypeChecker(
  { root, output }: Pick<LockflowProject, "root" | "output">,
  { edited, find }: { readonly edited: Iterable<string>; readonly find: CodeModules["find"] },
): TypeChecker | null {
  const { Project, ts: compiler } = loadTsMorph();
  const tsConfigFilePath = posix.join(root, "tsconfig.json");
  if (!compiler.sys.fileExists(tsConfigFilePath)) return null;
  const project = new Project({ tsConfigFilePath });
  let changed = new Set<string>();
  const affected = new Set(edited);
  const importers = new Map<string, string[]>();
  for (const file of project.getSourceFiles()) {
    const path = posix.relative(root, file.getFilePath());
    if (path.startsWith("..") || path.includes("node_modules/")) continue;
    for (const literal of file.getImportStringLiterals()) {
      const imported = find(path, literal.getLiteralValue());
      if (imported !== null) cached(importers, imported, (): string[] => []).push(path);
    }
  }
  // The loop also visits files that it adds.
  for (const path of affected) for (const importer of importers.get(path) ?? []) affected.add(importer);

  return (contents) => {
    for (const path of changed) if (!contents.has(path)) restore(posix.join(root, path));
    for (const [path, text] of contents) {
      const file = project.getSourceFile(posix.join(root, path));
      if (file?.getFullText() !== text)
        project.createSourceFile(posix.join(root, path), text, { overwrite: true });
    }
    changed = new Set(contents.keys());
    const program = project.getProgram().compilerObject;
    const errors = new Map<string, readonly TypeFault[]>();
    for (const file of program.getSourceFiles()) {
      const path = posix.relative(root, file.fileName);
      if (!affected.has(path) || path.startsWith(`${output}/`)) continue;
      const found = [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)];
      const faults = found.map(({ code, messageText, start = 0 }): TypeFault => {
        const whole = compiler.flattenDiagnosticMessageText(messageText, "\n");
        const lines = whole.split("\n").map((line) => line.trim());
        const message = [...new Set([lines[0], lines.at(-1)])].join(" ");
        const statement = file.statements.find(({ pos, end }) => pos <= start && start < end);
        return { key: `${code} ${whole}`, message, statement: statement?.getText(file) ?? "" };
      });
      if (faults.length > 0) errors.set(path, faults);
    }
    return errors;
  };

  function restore(path: string): void {
    const text = compiler.sys.readFile(path);
    if (text !== undefined) project.createSourceFile(path, text, { overwrite: true });
  }
}

/** Returns the errors by file that occur more often than before. */
export function findNewErrors(before: TypeErrors, after: TypeErrors): TypeErrors {
  const found = new Map<string, readonly TypeFault[]>();
  for (const [path, faults] of after) {
    const count = (all: readonly TypeFault[] = [], key: string) =>
      all.filter((one) => one.key === key).length;
    const own = faults.filter(({ key }) => count(faults, key) > count(before.get(path), key));
    if (own.length > 0) found.set(path, own);
  }
  return found;
}
