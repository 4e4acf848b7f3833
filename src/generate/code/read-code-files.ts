import { join } from "node:path";
import { DISK, type TextSource } from "../../base/disk/read-tree.ts";
import type { Project } from "../../project/project.ts";
import type { DocumentsEntry } from "../../project/resolve-documents.ts";
import { buildFileFinding } from "../../report/build-file-finding.ts";
import type { Finding } from "../../report/finding.ts";
import type { OperationSource } from "../operation-source.ts";
import { createCodeTree } from "./code-tree.ts";

/** A file of code that may hold documents, or hand on what another holds. */
export type CodeFile = OperationSource &
  Pick<DocumentsEntry, "names" | "surfaces"> & {
    /** Whether it uses one of the names as what holds a document is used. */
    readonly mayHold: boolean;
  };

/** The code of a project that matters to its documents. */
export type CodeFiles = {
  /** In code-unit order of path; none where none may hold a document. */
  readonly files: readonly CodeFile[];
  readonly findings: readonly Finding[];
};

/** Reads the code that `documents` of the configuration names, and keeps what may hold a document. Nothing is parsed. */
export async function readCodeFiles(project: Project, source: TextSource = DISK): Promise<CodeFiles> {
  const tree = createCodeTree(project);
  const paths = await source.readSourceTree(tree);
  const files: CodeFile[] = [];
  let isAny = false;
  for (const path of paths) {
    const { names, surfaces } = tree.entryOf(path) ?? {};
    if (names === undefined || surfaces === undefined || surfaces.length === 0) continue;
    const text = (await source.readText(join(project.root, path))) ?? "";
    const mayHold = patternOfUse(names).test(text);
    isAny ||= mayHold;
    if (mayHold || HANDS_ON.test(text)) files.push({ path, text, names, surfaces, mayHold });
  }
  const findings = tree
    .unmatched(paths)
    .map((pattern) => buildFileFinding("operation/no-code", [pattern], { subject: pattern, place: null }));
  return { files: isAny ? files : [], findings };
}

/** Exports of what another file has. */
const HANDS_ON = /\bexport\s*(?:type\s*)?(?:[*{]|default\b)/;

/** A call, a template, or an import under another name. */
function patternOfUse(names: readonly string[]): RegExp {
  const any = names.map((name) => name.replaceAll("$", "\\$&")).join("|");
  return new RegExp(`(?<![\\w$])(?:${any})\\s*(?:[(\`</!]|as\\s|\\?\\.)`);
}
