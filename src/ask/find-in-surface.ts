import { join } from "node:path";
import { createMemo } from "../base/create-memo.ts";
import { UsageError } from "../base/errors/usage-error.ts";
import { findNamed } from "../base/find-named.ts";
import type { PortableReader } from "../generate/create-portable-reader.ts";
import type { Operation, OperationFile } from "../generate/operation-set.ts";
import { type OperationSource, readOperationSources } from "../generate/operation-source.ts";
import { parseOperations } from "../generate/parse-operations.ts";
import { printDocument } from "../generate/print-document.ts";
import { createSchemaCache } from "../generate/schema-cache.ts";
import { validateOperations } from "../generate/validate-operations.ts";
import { pinRoot } from "../portable/pin-root.ts";
import { readStylePage } from "../portable/read-style-page.ts";
import type { Project } from "../project/project.ts";
import type { Surface, SurfaceId } from "../project/surface.ts";
import { requireSnapshot } from "../snapshots/read-snapshots.ts";
import { styles } from "../styles/index.ts";
import { buildStyleOperation } from "./build-style-operation.ts";
import { findRefusingChains } from "./find-refusing-chains.ts";
import type { FoundOperation } from "./found-operation.ts";
import { refuseOperation } from "./refuse-operation.ts";

/** Where the operations of one style are read from. */
export type StyleSources = {
  readonly project: Project;
  readonly readCompiled: PortableReader;
  /** The documents in code, by the surfaces that they are of. */
  readonly inCode: ReadonlyMap<SurfaceId, readonly OperationFile[]>;
  /** What comes before the files of the operations folder. */
  readonly first: readonly OperationSource[];
};

/** Reads the operations of a surface that are written for its style alone, in files or in code. */
export async function readStyleOperations(
  surface: Surface,
  { project, readCompiled, inCode, first }: StyleSources,
) {
  const { protocol, style } = surface;
  const read = await readOperationSources(project, surface.id);
  const sources = [...first, ...read.filter(({ path }) => first.every((one) => one.path !== path))];
  const shared = (await readCompiled(protocol))?.sets[style] ?? null;
  const own = inCode.get(surface.id) ?? [];
  const { set, code, findings } = parseOperations(sources, protocol, style, own, shared);
  const isShared = ({ name }: Operation) => shared !== null && findNamed(shared.operations, name);
  const operations = [...set.operations.filter((one) => !isShared(one)), ...code.operations];
  return { set, code, findings, operations };
}

/**
 * The one operation of a surface that is meant, as it is written.
 *
 * @throws OperationError for one that is not valid, UsageError where there is none, or there are several.
 */
export async function findInSurface(
  surface: Surface,
  given: StyleSources,
  isMeant: (operation: Operation) => boolean,
): Promise<FoundOperation> {
  const { protocol, style } = surface;
  const { project, first } = given;
  const { set, code, operations, findings } = await readStyleOperations(surface, given);
  const meant = operations.filter(isMeant);
  const [only, ...others] = meant;
  const [file] = first;
  const faults = findings.filter(({ place }) => file !== undefined && place?.file === file.path);
  if (!only && faults.length > 0) return refuseOperation("", faults);
  if (!only) throw nothingInFile();
  if (others.length > 0) throw severalInFile(meant);
  const snapshot = await requireSnapshot(join(project.root, project.output), surface);
  const schema = createSchemaCache(createMemo()).graphql(snapshot.base);
  const { name, node, fragments } = only;
  const own = new Map(
    [...set.fragments, ...code.fragments].filter(([, fragment]) => fragments.includes(fragment.node)),
  );
  const invalid = validateOperations({ ...set, operations: [only], fragments: own }, schema);
  if (invalid.length > 0) return refuseOperation(name, [...faults, ...invalid]);
  const not = await findRefusingChains(project, protocol, { [style]: only });
  const definition = project.definitions.find(({ key }) => key === protocol);
  const page = definition ? readStylePage({ node, fragments, schema }, style, definition) : null;
  // Pages are of one block where that is known.
  const asked = page === null ? node : pinRoot(node, styles[style].portable);
  const text = printDocument(asked, fragments);
  return {
    ...{ name, protocol, style, node, fragments, schema, scalars: styles[style].scalars },
    build: (variables) => buildStyleOperation({ name, protocol, style, text, not, page }, variables),
  };
}

/** Refuses a file that asks nothing. */
export function nothingInFile(): UsageError {
  return new UsageError({
    sentence: "There is no operation in the file.",
    hint: "fragments alone ask nothing.",
  });
}

/** Refuses a file that asks several things. */
export function severalInFile(found: readonly { readonly name: string }[]): UsageError {
  return new UsageError({
    sentence: `There are ${found.length} operations in the file: ${found.map(({ name }) => name).join(", ")}.`,
    hint: "one is asked at a time: give each a file of its own.",
  });
}
