import { posix } from "node:path";
import {
  type DefinitionNode,
  type DocumentNode,
  Kind,
  type NameNode,
  print,
  TokenKind,
  visit,
} from "graphql";
import { UsageError } from "../../base/errors.ts";
import type { OutputFile } from "../../base/output-file.ts";
import { capitalize } from "../../base/text.ts";
import { type Protocol, STYLE_NAMES, selectedSurfaces } from "../../dialects/surface.ts";
import { parseFile } from "../../operations/parse-operations.ts";
import { applyEdits, type TextEdit } from "../../operations/rename-document.ts";
import { PORTABLE_FOLDER } from "../../workspace/operation-files.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { type JudgedGroup, type JudgedOperation, placeOf } from "./adapt-group.ts";
import type { AdaptOptions, AdaptReason } from "./adapt-types.ts";
import type { Unit } from "./read-units.ts";
import type { RewrittenUnit } from "./rewrite.ts";

/** The protocol that operations move to, and what it has already. */
type Move = {
  readonly from: Protocol;
  readonly to: Protocol;
  readonly prefix: string;
  /** The folder of all operations. */
  readonly root: string;
  readonly paths: Set<string>;
  readonly definitions: TargetDefinition[];
};

/** An operation or fragment of the target. */
type TargetDefinition = {
  readonly path: string;
  readonly folder: string;
  readonly kind: Kind;
  readonly name: string;
  readonly text: string;
};

/**
 * Opens the target of a move; null if operations stay where they are.
 *
 * @throws UsageError for an unknown target, several protocols and a prefix that is not a name.
 */
export function openMove(workspace: Workspace, { to, prefix = "" }: AdaptOptions): Move | null {
  if (to === undefined) return null;
  const { project } = workspace;
  const [from = "", ...others] = new Set(selectedSurfaces(project).map(({ protocol }) => protocol));
  if (!project.protocols.includes(to)) {
    throw new UsageError({
      sentence: `"${to}" is not a protocol of this project.`,
      hint: `add it to "protocols" in the configuration; known: ${project.protocols.join(", ")}.`,
    });
  }
  if (others.length > 0 || from === to) {
    throw new UsageError({
      sentence: `--to ${to} needs exactly one other protocol.`,
      hint: "select it with --protocol.",
    });
  }
  if (prefix !== "" && !/^[A-Z]\w*$/.test(prefix)) {
    throw new UsageError({ sentence: `--prefix must be a capitalized word such as Old; got "${prefix}".` });
  }
  const move: Move = { from, to, prefix, root: project.operations, paths: new Set(), definitions: [] };
  for (const folder of [PORTABLE_FOLDER, ...STYLE_NAMES]) {
    for (const { path, text } of workspace.operations(`${to}/${folder}`)) {
      move.paths.add(path);
      const parsed = parseFile({ path, text }, []);
      if (parsed) addDefinitions(parsed.document, { path, folder }, move);
    }
  }
  return move;
}

function addDefinitions(
  document: DocumentNode,
  place: Pick<TargetDefinition, "path" | "folder">,
  { definitions }: Move,
): void {
  for (const node of document.definitions) {
    if (!("name" in node) || !node.name) continue;
    definitions.push({ ...place, kind: node.kind, name: node.name.value, text: textOf(node) });
  }
}

/** Returns a fragment as printed, and an operation as written, with its comments: they must not be lost. */
function textOf(node: DefinitionNode): string {
  if (node.kind === Kind.FRAGMENT_DEFINITION || !node.loc) return print(node);
  const { source, startToken, end } = node.loc;
  let first = startToken;
  while (first.prev?.kind === TokenKind.COMMENT) first = first.prev;
  return source.body.slice(first.start, end);
}

/** Returns the last part of a folder: a style, or that of portable operations. */
function lastFolder({ folder }: Unit): string {
  return posix.basename(folder);
}

/** The files of moved groups. Groups that would overwrite something are refused. */
export type Moved = {
  readonly groups: readonly JudgedGroup[];
  /** New paths by old ones. */
  readonly paths: ReadonlyMap<string, string>;
  readonly files: readonly OutputFile[];
  readonly removals: readonly string[];
  readonly contents: ReadonlyMap<string, string | null>;
  /** What stays without an operation that says so. */
  readonly notes: readonly string[];
};

/** Moves accepted groups to the folder of another protocol. */
export function moveGroups(groups: readonly JudgedGroup[], move: Move): Moved {
  const paths = new Map<string, string>();
  const files: OutputFile[] = [];
  const removals: string[] = [];
  const contents = new Map<string, string | null>();
  const notes: string[] = [];
  const moved = groups.map((group): JudgedGroup => {
    if (group.operations.some(({ reasons }) => reasons.length > 0)) return group;
    const units = group.units.map((rewritten) => renameUnit(rewritten, move));
    const taken = units.flatMap((renamed) => findTaken(renamed, move));
    if (taken.length > 0) {
      for (const { unit, what } of group.operations.length === 0 ? taken : []) {
        notes.push(
          `${unit.path} stays: no operation uses its fragments, and the target has ${what} already.`,
        );
      }
      return refuseTaken(group, taken);
    }
    for (const { source, path, text, document, isKnown } of units) {
      paths.set(source.unit.path, path);
      removals.push(source.unit.path);
      contents.set(source.unit.path, source.unit.text);
      if (isKnown) continue;
      files.push({ path, content: text });
      contents.set(path, null);
      move.paths.add(path);
      addDefinitions(document, { path, folder: lastFolder(source.unit) }, move);
    }
    return { ...group, operations: group.operations.map((operation) => noteImport(operation, move)) };
  });
  return { groups: moved, paths, files, removals, contents, notes };
}

type RenamedUnit = {
  readonly source: RewrittenUnit;
  readonly path: string;
  readonly text: string;
  readonly document: DocumentNode;
  /** Whether the target has all of its definitions already, as after a run that was killed before it removed the old files. */
  readonly isKnown: boolean;
};

function renameUnit(source: RewrittenUnit, move: Move): RenamedUnit {
  const { prefix, root, from, to, definitions } = move;
  const edits: TextEdit[] = [];
  const rename = ({ name }: { readonly name?: NameNode | undefined }) => {
    if (prefix === "" || !name?.loc) return;
    edits.push({ start: name.loc.start, end: name.loc.end, text: prefix + capitalize(name.value) });
  };
  visit(source.document, { OperationDefinition: rename, FragmentDefinition: rename, FragmentSpread: rename });
  const text = applyEdits(source.text, edits);
  const path = `${root}/${to}/${source.unit.path.slice(`${root}/${from}/`.length)}`;
  const renamed = posix.join(posix.dirname(path), prefixFile(posix.basename(path), prefix));
  const document = parseFile({ path, text }, [])?.document ?? source.document;
  const folder = lastFolder(source.unit);
  const matches = document.definitions.map((node) =>
    definitions.find(
      (definition) =>
        definition.text === textOf(node) &&
        // Each style sees portable fragments.
        (definition.folder === folder ||
          (definition.kind === Kind.FRAGMENT_DEFINITION && definition.folder === PORTABLE_FOLDER)),
    ),
  );
  const isKnown = matches.every((definition) => definition !== undefined);
  // The target may have them in another file.
  return { source, path: (isKnown && matches[0]?.path) || renamed, text, document, isKnown };
}

/** Adds a word to the name of a file, in the notation of that name. */
function prefixFile(name: string, prefix: string): string {
  if (prefix === "") return name;
  if (/^[A-Z]/.test(name)) return prefix + name;
  const words = prefix.replace(/(?<=[a-z0-9])(?=[A-Z])/g, "-").toLowerCase();
  return `${words}-${name}`;
}

type Taken = { readonly unit: RewrittenUnit["unit"]; readonly what: string };

function findTaken({ source: { unit }, path, document, isKnown }: RenamedUnit, move: Move): Taken[] {
  if (isKnown) return [];
  const folder = lastFolder(unit);
  // Portable operations and fragments are those of each style too.
  const visible = move.definitions.filter(
    (definition) => definition.folder === folder || [definition.folder, folder].includes(PORTABLE_FOLDER),
  );
  const taken = document.definitions.flatMap((node): Taken[] => {
    const named = visible.filter(
      (definition) => "name" in node && definition.kind === node.kind && definition.name === node.name?.value,
    );
    if (node.kind === Kind.OPERATION_DEFINITION) {
      return named.length > 0 ? [{ unit, what: `the operation ${node.name?.value}` }] : [];
    }
    if (node.kind !== Kind.FRAGMENT_DEFINITION) return [];
    const isTaken = named.some(({ text }) => text !== print(node));
    return isTaken ? [{ unit, what: `another fragment ${node.name.value}` }] : [];
  });
  return taken.length === 0 && move.paths.has(path) ? [{ unit, what: path }] : taken;
}

function refuseTaken(group: JudgedGroup, taken: readonly Taken[]): JudgedGroup {
  const operations = group.operations.map((operation): JudgedOperation => {
    const first = taken.find(
      ({ unit }) =>
        unit === operation.unit ||
        operation.fragments.some((node) => unit.document.definitions.includes(node)),
    );
    if (first === undefined) return operation;
    const message = `The target has ${first.what} already: add --prefix.`;
    const reason: AdaptReason = { code: "adapt/name-taken", message, ...placeOf(operation) };
    return { ...operation, reasons: [reason] };
  });
  return { ...group, operations };
}

function noteImport(operation: JudgedOperation, { from, to, prefix }: Move): JudgedOperation {
  const { name, unit } = operation;
  const style = lastFolder(unit);
  const newName = prefix === "" ? "" : `, as ${prefix}${capitalize(name)}`;
  const message = `Import ${name} from ${to}/${style} in place of ${from}/${style}${newName}.`;
  return {
    ...operation,
    notes: [...operation.notes, { code: "adapt/import", message, ...placeOf(operation) }],
  };
}
