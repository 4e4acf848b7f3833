import { createMemo } from "../base/create-memo.ts";
import type { CompiledOperation } from "../portable/compiled-operation.ts";
import type { PortableContext } from "../portable/read-entities.ts";
import type { Project } from "../project/project.ts";
import type { Protocol } from "../project/vocabulary.ts";
import type { Finding } from "../report/finding.ts";
import { isBreaking } from "../report/is-breaking.ts";
import { buildContext, compileSet } from "./compile-set.ts";
import type { Operation } from "./operation-set.ts";
import type { OperationSource } from "./operation-source.ts";
import { parseOperations } from "./parse-operations.ts";
import { AUTHORED_STYLE, requirePortableSnapshots } from "./read-portable.ts";
import { createSchemaCache } from "./schema-cache.ts";

/** An operation that somebody means, compiled where it is portable. */
export type MeantOperation = {
  /** Its name; empty where its file cannot be read as operations. */
  readonly name: string;
  readonly protocol: Protocol;
  /** The file it is in: a path from the project's root. */
  readonly file: string;
  /** As it is written; null where its file cannot be read. */
  readonly authored: Operation | null;
  /** Null where it is refused. */
  readonly compiled: CompiledOperation | null;
  /** What it is compiled with. */
  readonly context: PortableContext;
  /** What is said of it; of one that is refused some are breaking. */
  readonly findings: readonly Finding[];
};

/**
 * Compiles some of the portable operations of a protocol.
 *
 * @param sources they and all that they use.
 * @throws SchemaError for a snapshot that is missing.
 */
export async function compileMeant(
  project: Project,
  protocol: Protocol,
  sources: readonly OperationSource[],
  isMeant: (operation: string, file: string) => boolean,
): Promise<MeantOperation[]> {
  const definition = project.definitions.find(({ key }) => key === protocol);
  if (definition === undefined) throw new TypeError(`There is no definition of ${protocol}.`);
  const { set, findings: mistakes } = parseOperations(sources, protocol, AUTHORED_STYLE);
  const meant = set.operations.filter(({ name, file }) => isMeant(name, file.path));
  const faulty = mistakes.filter(
    ({ place, code }) => code !== "operation/unused-fragment" && place !== null && isMeant("", place.file),
  );
  const [fault] = faulty;
  if (meant.length === 0 && fault === undefined) return [];
  const snapshots = await requirePortableSnapshots(project, protocol);
  const context = buildContext(definition, snapshots, createSchemaCache(createMemo()));
  if (meant.length === 0) {
    const file = fault?.place?.file ?? "";
    return [{ name: "", protocol, file, authored: null, compiled: null, context, findings: faulty }];
  }
  const { operations, findings } = compileSet(set, context);
  return meant.map((authored) => {
    const { name, file, fragments } = authored;
    const names = new Set([name, ...fragments.map((fragment) => fragment.name.value)]);
    const own = [...faulty, ...findings.filter(({ subject }) => names.has(subject))];
    const isRefused = own.some(isBreaking);
    const compiled = (!isRefused && operations.find((one) => one.name === name)) || null;
    return {
      ...{ name, protocol, file: file.path, authored, compiled, context },
      // What keeps it back is told in any case, also where nobody knows whose it is.
      findings: compiled || isRefused ? own : findings,
    };
  });
}
