import { compareCodeUnits, groupBy } from "../../base/collections.ts";
import type { OutputFile } from "../../base/output-file.ts";
import { surfaceId } from "../../dialects/surface.ts";
import { applyEdits, type TextEdit } from "../../operations/rename-document.ts";
import type { JudgedGroup, JudgedNote } from "./adapt-group.ts";
import type { AdaptConfiguration, AdaptedOperation, AdaptRename } from "./adapt-types.ts";
import { renderConfiguration } from "./describe-configuration.ts";
import type { ReadUnits, Unit } from "./read-units.ts";
import { isRefused } from "./refuse-groups.ts";
import type { Rewriting } from "./rewrite.ts";

/**
 * Describes the operations of a group for the result.
 *
 * @param pathOf the new path of a unit.
 * @param oldOf the old snapshot of a unit whose text stays.
 */
export function describeGroup(
  { operations }: JudgedGroup,
  pathOf: (unit: Unit) => string,
  oldOf: (unit: Unit) => string,
): AdaptedOperation[] {
  return operations.map((operation): AdaptedOperation => {
    const { name, unit, isChanged, from, reasons, notes } = operation;
    const result = reasons.length > 0 ? "refused" : isChanged ? "adapted" : "valid";
    const shown = notes.filter(
      (note, index) =>
        result !== "refused" &&
        notes.findIndex((other) => JSON.stringify(other) === JSON.stringify(note)) === index,
    );
    return {
      name,
      surface: unit.folder,
      file: unit.path,
      to: result === "adapted" ? pathOf(unit) : null,
      from: result === "valid" ? null : (from ?? (result === "adapted" ? oldOf(unit) : null)),
      result,
      reasons,
      notes: shown.map(({ configuration: _, ...note }) => note),
    };
  });
}

/** Keeps the note on the configuration at the first adapted operation of each folder. */
export function noteConfigurationOnce(groups: readonly JudgedGroup[]): JudgedGroup[] {
  const noted = new Set<string>();
  return groups.map((group) => ({
    ...group,
    operations: group.operations.map((operation) => {
      const { folder } = operation.unit;
      if (isRefused(operation) || !operation.notes.some(isConfiguration)) return operation;
      if (!noted.has(folder)) {
        noted.add(folder);
        return operation;
      }
      return { ...operation, notes: operation.notes.filter((note) => !isConfiguration(note)) };
    }),
  }));
}

function isConfiguration({ code }: JudgedNote): boolean {
  return code === "adapt/configuration";
}

/** Lists what to write in the configuration because of adapted operations, each text once. */
export function listConfiguration(groups: readonly JudgedGroup[]): AdaptConfiguration[] {
  const notes = groups
    .flatMap(({ operations }) => operations)
    .flatMap((operation) => (isRefused(operation) ? [] : operation.notes));
  const texts = notes.flatMap(({ file, configuration = [] }) =>
    configuration.map((members) => ({
      file,
      key: members.key,
      code: renderConfiguration(members, file),
    })),
  );
  return [...new Map(texts.map((text) => [JSON.stringify(text), text])).values()];
}

/** Describes a file that does not parse, or a document in code that cannot be read. */
export function describeUnread({ path, folder, finding }: ReadUnits["unread"][number]): AdaptedOperation {
  const { line, column } = { line: finding.place?.line ?? 1, column: finding.place?.column ?? 1 };
  const code = finding.code === "operation/unreadable" ? "adapt/in-code" : "adapt/never-valid";
  const reason = { code, message: finding.message, file: path, line, column } as const;
  const name = path.slice(path.lastIndexOf("/") + 1).replace(/\.\w+$/, "");
  return {
    name,
    surface: folder,
    file: path,
    to: null,
    from: null,
    result: "refused",
    reasons: [reason],
    notes: [],
  };
}

/** Lists the renames of all surfaces, each once. */
export function listRenames(rewritings: readonly Rewriting[]): AdaptRename[] {
  const rows = new Map<string, AdaptRename>();
  for (const { surface, renames } of rewritings) {
    for (const rename of renames) {
      const row = { surface: surfaceId(surface), ...rename };
      const key = [row.surface, row.kind, row.owner, row.from, row.to].join(" ");
      if (!rows.get(key)?.certain) rows.set(key, row);
    }
  }
  return [...rows].sort(([a], [b]) => compareCodeUnits(a, b)).map(([, row]) => row);
}

/** Applies the edits of accepted groups to their files. */
export function editFiles(
  groups: readonly JudgedGroup[],
  { contents }: ReadUnits,
): { readonly files: readonly OutputFile[]; readonly contents: ReadonlyMap<string, string> } {
  const edits = groups
    .flatMap(({ units }) => units)
    .flatMap(({ unit, edits }) => edits.map((edit) => ({ path: unit.path, edit: inFile(unit, edit) })));
  const files = [...groupBy(edits, ({ path }) => path)].map(([path, ofFile]) => {
    const content = applyEdits(contents.get(path) ?? "", uniqueEdits(ofFile.map(({ edit }) => edit)));
    return { path, content };
  });
  return { files, contents: new Map(files.map(({ path }) => [path, contents.get(path) ?? ""])) };
}

function inFile({ inFile: offset }: Unit, edit: TextEdit): TextEdit {
  if (!offset) return edit;
  return { start: offset(edit.start) ?? 0, end: offset(edit.end) ?? 0, text: edit.text };
}

/** A document in code may be of several surfaces, which rename it alike. */
function uniqueEdits(edits: readonly TextEdit[]): TextEdit[] {
  return [...new Map(edits.map((edit) => [`${edit.start} ${edit.end}`, edit])).values()];
}
