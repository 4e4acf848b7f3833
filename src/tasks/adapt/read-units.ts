import { join } from "node:path";
import { type DocumentNode, Kind, visit } from "graphql";
import { compareCodeUnits } from "../../base/collections.ts";
import { readUnchanged } from "../../base/read-files.ts";
import { AUTHORED_STYLE } from "../../dialects/portable-style.ts";
import { isOf, type OfSurface, selectedSurfaces } from "../../dialects/surface.ts";
import { offsetOf } from "../../operations/code-document.ts";
import { parseFile } from "../../operations/parse-operations.ts";
import type { Finding } from "../../report/finding.ts";
import { PORTABLE_FOLDER } from "../../workspace/operation-files.ts";
import { readCodeOperations } from "../../workspace/operations.ts";
import { createCodeTree } from "../../workspace/read-code.ts";
import type { Workspace } from "../../workspace/workspace.ts";

/** An operation file, or a document in code. */
export type Unit = {
  /** From the project's root. */
  readonly path: string;
  /** With the bytes of the file; of a document in code, its text at run time. */
  readonly text: string;
  readonly document: DocumentNode;
  /** The surface whose schema it is written for. */
  readonly surface: OfSurface;
  /** `lockup/subgraph`, or `lockup/portable`. */
  readonly folder: string;
  /** Returns the offset in the file; null for a literal with escapes or expressions. Absent for an operation file. */
  readonly inFile?: (offset: number) => number | null;
  /** The surfaces that a document in code may be of, if its schema does not accept it. */
  readonly candidates?: readonly OfSurface[];
};

/** Whether a unit is a file of portable operations. */
export function isPortableUnit({ folder }: Pick<Unit, "folder">): boolean {
  return folder.endsWith(`/${PORTABLE_FOLDER}`);
}

/** A file that does not parse, or a document in code that cannot be read. */
type UnreadUnit = Pick<Unit, "path" | "folder"> & { readonly finding: Finding };

/** Units that are connected by fragments. They are adapted together, or not at all. */
export type Group = { readonly units: readonly Unit[] };

export type ReadUnits = {
  readonly groups: readonly Group[];
  readonly unread: readonly UnreadUnit[];
  /** The content of each file, to notice changes. */
  readonly contents: ReadonlyMap<string, string>;
};

/** Reads the operations of the selected surfaces in groups, in order of path. */
export async function readUnits(workspace: Workspace): Promise<ReadUnits> {
  const { project } = workspace;
  const surfaces = selectedSurfaces(project);
  const protocols = [...new Set(surfaces.map(({ protocol }) => protocol))];
  const folders = [
    ...protocols.map((protocol) => ({
      folder: `${protocol}/${PORTABLE_FOLDER}`,
      surface: { protocol, style: AUTHORED_STYLE },
    })),
    ...surfaces.map((surface) => ({ folder: surface.id, surface })),
  ];
  const contents = new Map<string, string>();
  const content = async (path: string) => {
    const text = contents.get(path) ?? (await readUnchanged(join(project.root, path)));
    contents.set(path, text);
    return text;
  };
  const units: Unit[] = [];
  const unread: UnreadUnit[] = [];
  for (const { folder, surface } of folders) {
    for (const { path } of workspace.operations(folder)) {
      const findings: Finding[] = [];
      const text = await content(path);
      const parsed = parseFile({ path, text }, findings);
      if (parsed) units.push({ path, text, document: parsed.document, surface, folder });
      for (const finding of findings) unread.push({ path, folder, finding });
    }
  }
  const code = await readCodeUnits(workspace, content);
  units.push(...code.units);
  unread.push(...code.unread);
  return { groups: groupUnits(units), unread, contents };
}

async function readCodeUnits(
  workspace: Workspace,
  content: (path: string) => Promise<string>,
): Promise<{ readonly units: readonly Unit[]; readonly unread: readonly UnreadUnit[] }> {
  const { project } = workspace;
  if (project.documents.length === 0) return { units: [], unread: [] };
  // Documents in code are written in the dialect of their surface, so nothing has to be compiled to assign them.
  const { bySurface, findings } = await readCodeOperations(workspace, new Map());
  const selected = selectedSurfaces(project).filter(({ id }) => bySurface.has(id));
  const { entryOf } = createCodeTree(project);
  const units: Unit[] = [];
  for (const surface of selected) {
    for (const { path, text, document, hint } of bySurface.get(surface.id) ?? []) {
      const inFile = findOffsets(text, document, await content(path));
      const candidates =
        hint === undefined
          ? []
          : selected.filter((candidate) => entryOf(path)?.surfaces.some(isOf(candidate)));
      units.push({ path, text, document, surface, folder: surface.id, inFile, candidates });
    }
  }
  // A document that cannot be read has no surface.
  const [first] = selected;
  const broken = findings.filter(({ severity }) => severity === "breaking");
  const unread = first
    ? broken.map((finding) => ({ path: finding.place?.file ?? finding.subject, folder: first.id, finding }))
    : [];
  return { units, unread };
}

/** Returns a function from offsets in a document to those in its file, if the file has the text as it is. */
function findOffsets(text: string, { loc }: DocumentNode, file: string): (offset: number) => number | null {
  const lines = file.replaceAll("\r\n", "\n");
  const { line = 1, column = 1 } = loc?.startToken ?? {};
  const start = offsetOf(lines, line, column);
  if (!lines.startsWith(text, start)) return () => null;
  const returns = [...file.matchAll(/\r\n/g)].map(({ index }, count) => index - count);
  return (offset) => start + offset + returns.filter((at) => at < start + offset).length;
}

function groupUnits(units: readonly Unit[]): Group[] {
  const definers = new Map<string, Unit[]>();
  for (const unit of units) {
    for (const node of unit.document.definitions) {
      if (node.kind !== Kind.FRAGMENT_DEFINITION) continue;
      const key = `${unit.folder} ${node.name.value}`;
      definers.set(key, [...(definers.get(key) ?? []), unit]);
    }
  }
  const groups = new Map<Unit, Set<Unit>>(units.map((unit) => [unit, new Set([unit])]));
  const join = (a: Unit, b: Unit) => {
    const [to, from] = [groups.get(a), groups.get(b)];
    if (!to || !from || to === from) return;
    for (const unit of from) {
      to.add(unit);
      groups.set(unit, to);
    }
  };
  for (const unit of units) {
    const portable = `${unit.surface.protocol}/${PORTABLE_FOLDER}`;
    for (const name of fragmentNames(unit.document)) {
      for (const folder of [unit.folder, portable]) {
        for (const other of definers.get(`${folder} ${name}`) ?? []) join(unit, other);
      }
    }
  }
  return [...new Set(groups.values())]
    .map((group) => ({ units: [...group].sort((a, b) => compareCodeUnits(a.path, b.path)) }))
    .sort((a, b) => compareCodeUnits(a.units[0]?.path ?? "", b.units[0]?.path ?? ""));
}

/** Returns the names of the fragments that a document defines or spreads. */
function fragmentNames(document: DocumentNode): Set<string> {
  const names = new Set<string>();
  visit(document, {
    FragmentDefinition: ({ name }) => void names.add(name.value),
    FragmentSpread: ({ name }) => void names.add(name.value),
  });
  return names;
}
