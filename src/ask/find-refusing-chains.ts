import { join } from "node:path";
import { createMemo } from "../base/create-memo.ts";
import type { AnyPortableOperation } from "../generate/build-portable-operation.ts";
import { findMissingChains } from "../generate/find-missing-chains.ts";
import type { Operation } from "../generate/operation-set.ts";
import { createSchemaCache } from "../generate/schema-cache.ts";
import type { Project } from "../project/project.ts";
import { type Protocol, STYLE_NAMES, type StyleName } from "../project/vocabulary.ts";
import { readFleetRecord, readSnapshots } from "../snapshots/read-snapshots.ts";

/**
 * Finds the chains whose indexers do not take an operation, as they were last introspected: by style, as what is generated
 * lists them.
 *
 * @param forms the operation as each style is asked it.
 */
export async function findRefusingChains(
  { root, output }: Pick<Project, "root" | "output">,
  protocol: Protocol,
  forms: { readonly [S in StyleName]?: Operation },
): Promise<NonNullable<AnyPortableOperation["not"]>> {
  const outputRoot = join(root, output);
  const surfaces = STYLE_NAMES.flatMap((style) => (forms[style] ? [{ protocol, style }] : []));
  const rows = await readFleetRecord(outputRoot);
  const schemas = createSchemaCache(createMemo());
  const found = (await readSnapshots(outputRoot, surfaces)).flatMap((snapshot) => {
    const { style } = snapshot;
    const operation = forms[style];
    if (!operation) return [];
    const { name, file, fragments } = operation;
    const set = {
      ...{ protocol, style, files: [file], operations: [operation] },
      fragments: new Map(
        fragments.map((node) => [node.name.value, { name: node.name.value, file, node }] as const),
      ),
    };
    const chains = findMissingChains([set], snapshot, rows, schemas).get(name) ?? [];
    return chains.length === 0 ? [] : [[style, chains] as const];
  });
  return Object.fromEntries(found);
}
