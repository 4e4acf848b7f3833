import { type FragmentDefinitionNode, type OperationDefinitionNode, print } from "graphql";
import { cached } from "../base/collections.ts";
import { capitalize } from "../base/text.ts";
import { AUTHORED_STYLE } from "../dialects/portable-style.ts";
import { type Protocol, STYLE_NAMES, type StyleName } from "../dialects/surface.ts";
import { spreadsOf } from "../operations/operation-set.ts";
import { parseOperations } from "../operations/parse-operations.ts";
import { PORTABLE_FOLDER } from "../workspace/operation-files.ts";
import type { Workspace } from "../workspace/workspace.ts";
import type { Emit } from "./attempt.ts";
import type { FoundOperation } from "./find-operations.ts";
import { kebabCase } from "./source-document.ts";

/** The folder of an operation: portable, or a style. */
export type Folder = StyleName | typeof PORTABLE_FOLDER;

type ToPlace = Pick<FoundOperation, "name" | "fragments"> & {
  readonly protocol: Protocol;
  readonly folder: Folder;
  readonly emit: Emit;
};

export type Placed = {
  readonly name: string;
  /** A path from the project's root. */
  readonly path: string;
  readonly text: string;
  /** Whether the project has the operation already. */
  readonly isThere: boolean;
};

type Existing = { readonly text: string; readonly path: string; readonly folder: Folder };

/**
 * Creates a function that chooses names and files for operations, beside those that the project has. Portable operations must be
 * placed first: operations of a style cannot have their names.
 */
export function createPlacer(
  workspace: Workspace,
  protocols: readonly Protocol[],
): (operation: ToPlace) => Placed {
  const operations = new Map<string, Existing[]>();
  const fragments = new Map<string, Existing[]>();
  const files = new Set<string>();
  for (const protocol of protocols)
    for (const folder of [PORTABLE_FOLDER, ...STYLE_NAMES] as const) readFolder(protocol, folder);

  return (operation) => {
    const { protocol, folder, name, fragments: used, emit } = operation;
    const renamed = nameFragments(operation);
    for (const candidate of candidatesOf(name, folder)) {
      const text = emit({ name: candidate, fragments: renamed });
      const taken = findTaken(operations, operation, nameKey(candidate));
      const parsed = definitionsOf(text, protocol);
      const same = taken.find((definition) => definition.folder === folder && definition.text === parsed);
      if (same !== undefined && taken.length === 1) {
        return { name: candidate, path: same.path, text, isThere: true };
      }
      if (taken.length > 0) continue;
      const path = freePath(`${workspace.project.operations}/${protocol}/${folder}/${kebabCase(candidate)}`);
      add(operations, `${protocol} ${nameKey(candidate)}`, { text: parsed, path, folder });
      for (const fragment of used) {
        const newName = renamed.get(fragment.name.value) ?? fragment.name.value;
        add(fragments, `${protocol} ${newName}`, { text: fragmentText(fragment), path, folder });
      }
      files.add(path.toLowerCase());
      return { name: candidate, path, text, isThere: false };
    }
    throw new TypeError(`There is no name for ${name}.`);
  };

  /** A file of this name may hold other operations. Some disks do not distinguish capitals. */
  function freePath(stem: string): string {
    let path = `${stem}.graphql`;
    for (let count = 2; files.has(path.toLowerCase()); count++) path = `${stem}-${count}.graphql`;
    return path;
  }

  function readFolder(protocol: Protocol, folder: Folder): void {
    const sources = workspace.operations(`${protocol}/${folder}`);
    for (const { path } of sources) files.add(path.toLowerCase());
    const { set } = parseOperations(sources, {
      protocol,
      style: folder === PORTABLE_FOLDER ? AUTHORED_STYLE : folder,
    });
    for (const { name, node, file, fragments: used } of set.operations) {
      add(operations, `${protocol} ${nameKey(name)}`, { text: textOf(node, used), path: file.path, folder });
    }
    for (const { name, node, file } of set.fragments.values()) {
      add(fragments, `${protocol} ${name}`, { text: fragmentText(node), path: file.path, folder });
    }
  }

  /** Returns new names for fragments whose names other texts already use, by their old names. */
  function nameFragments(operation: ToPlace): ReadonlyMap<string, string> {
    const names = new Map<string, string>();
    // A fragment that spreads a renamed one has another text too.
    for (let count = -1; count < names.size; ) {
      count = names.size;
      for (const fragment of operation.fragments) if (!names.has(fragment.name.value)) rename(fragment);
    }
    return names;

    function rename(fragment: FragmentDefinitionNode): void {
      const { value: name } = fragment.name;
      const text = fragmentText(fragment);
      const isChanged = spreadsOf(fragment.selectionSet).some((spread) => names.has(spread));
      const isFree = (candidate: string) =>
        findTaken(fragments, operation, candidate).every(
          (definition) => definition.folder === operation.folder && definition.text === text,
        );
      if (!isChanged && isFree(name)) return;
      const base = `${capitalize(operation.name)}${capitalize(name)}`;
      let candidate = base;
      for (let count = 2; !isFree(candidate); count++) candidate = `${base}${count}`;
      names.set(name, candidate);
    }
  }
}

function add(byName: Map<string, Existing[]>, key: string, definition: Existing): void {
  cached(byName, key, () => []).push(definition);
}

/** Returns the operations and fragments whose name would clash: portable names count in both styles. */
function findTaken(
  byName: ReadonlyMap<string, readonly Existing[]>,
  { protocol, folder }: Pick<ToPlace, "protocol" | "folder">,
  key: string,
): readonly Existing[] {
  const all = byName.get(`${protocol} ${key}`) ?? [];
  return all.filter(
    (definition) =>
      definition.folder === folder || definition.folder === PORTABLE_FOLDER || folder === PORTABLE_FOLDER,
  );
}

/** Names whose generated constants would be equal have one key. */
function nameKey(name: string): string {
  return name.replaceAll(/[^\dA-Za-z]/g, "").toLowerCase();
}

function* candidatesOf(name: string, folder: Folder): Generator<string> {
  yield name;
  if (folder !== PORTABLE_FOLDER) yield `${name}${capitalize(folder)}`;
  for (let count = 2; ; count++) yield `${name}${count}`;
}

/** The text of a fragment without its name, and with the fragments it uses by name. */
function fragmentText(fragment: FragmentDefinitionNode): string {
  return print(fragment).replace(/^fragment \S+/, "fragment");
}

function textOf(node: OperationDefinitionNode, fragments: readonly FragmentDefinitionNode[]): string {
  return [node, ...[...fragments].sort((a, b) => (a.name.value < b.name.value ? -1 : 1))]
    .map((definition) => print(definition))
    .join("\n");
}

function definitionsOf(text: string, protocol: Protocol): string {
  const { set } = parseOperations([{ path: "", text }], { protocol, style: AUTHORED_STYLE });
  const [operation] = set.operations;
  return operation === undefined ? text : textOf(operation.node, operation.fragments);
}
