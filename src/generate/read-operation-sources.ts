import { join } from "node:path";
import { DISK, type TextSource } from "../base/disk/text-source.ts";
import type { Protocol, StyleName } from "../project/vocabulary.ts";

/** The text of an operation file, before it is parsed. */
export type OperationSource = { readonly path: string; readonly text: string };

/**
 * Reads the operation files of a protocol and style.
 *
 * @param root absolute path of the project.
 * @param folder the operations folder from the root, with `/`.
 */
export async function readOperationSources(
  root: string,
  folder: string,
  protocol: Protocol,
  style: StyleName,
  { readTree, readText }: TextSource = DISK,
): Promise<OperationSource[]> {
  const base = `${folder}/${protocol}/${style}`;
  const paths = await readTree(join(root, base), [".graphql", ".gql"]);
  return Promise.all(
    paths.map(async (path) => ({
      path: `${base}/${path}`,
      text: (await readText(join(root, base, path))) ?? "",
    })),
  );
}
