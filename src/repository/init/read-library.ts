import { join, posix } from "node:path";
import type { OutputFile } from "../../base/disk/output-file.ts";
import { ownPath, readOwnFile } from "../../base/disk/read-own-file.ts";
import { readTree } from "../../base/disk/read-tree.ts";
import { UsageError } from "../../base/errors/usage-error.ts";
import { AUTHORED_STYLE, PORTABLE_FOLDER } from "../../generate/read-portable.ts";
import { BUILT_IN_PROTOCOLS } from "../../project/protocols/built-in.ts";
import type { Surface } from "../../project/surface.ts";
import { type Protocol, STYLE_NAMES } from "../../project/vocabulary.ts";

/** The operations that ship, as files of a project. Paths are from the operations folder. */
export type Library = {
  /** The protocols it has operations of, of those that are wanted. */
  readonly protocols: ReadonlySet<Protocol>;
  readonly files: readonly OutputFile[];
  /** What is not written, and why. */
  readonly leftAlone: readonly { readonly path: string; readonly why: string }[];
};

/**
 * Reads the operations that ship with the toolkit, for the protocols and styles that are set up. What is written once for
 * both styles is written for subgraphs alone where a project has no other style.
 *
 * @param folder of the operations, absolute.
 * @throws UsageError where no protocol of the project ships.
 */
export async function readLibrary(wanted: readonly Surface[], folder: string): Promise<Library> {
  const protocols = BUILT_IN_PROTOCOLS.filter((key) => wanted.some(({ protocol }) => protocol === key));
  if (protocols.length === 0) {
    throw new UsageError({
      sentence: `--library writes operations of ${BUILT_IN_PROTOCOLS.join(" and ")}, and none of them is set up here.`,
      hint: "leave it out: a first operation is written of a protocol of your own.",
    });
  }
  const files: OutputFile[] = [];
  const leftAlone: { path: string; why: string }[] = [];
  for (const protocol of protocols) {
    const styles = wanted.filter((surface) => surface.protocol === protocol).map(({ style }) => style);
    const isBoth = STYLE_NAMES.every((style) => styles.includes(style));
    const targets = new Map<string, string>(styles.map((style) => [style, style]));
    if (isBoth) targets.set(PORTABLE_FOLDER, PORTABLE_FOLDER);
    else if (styles.includes(AUTHORED_STYLE)) targets.set(PORTABLE_FOLDER, AUTHORED_STYLE);
    else leftAlone.push({ path: `${protocol}/${PORTABLE_FOLDER}/`, why: "is for projects with both styles" });
    const present = await readTree(join(folder, protocol), [".graphql", ".gql"]);
    for (const path of await readTree(ownPath(`operations/${protocol}`), [".graphql"])) {
      const [own = "", ...below] = path.split("/");
      const target = targets.get(own);
      if (target === undefined) continue;
      const name = below.join("/");
      const written = posix.join(protocol, target, name);
      const others = target === PORTABLE_FOLDER ? STYLE_NAMES : [PORTABLE_FOLDER];
      const twin = others.find((other) => present.includes(`${other}/${name}`));
      // One name twice would fail every generation.
      if (twin !== undefined) leftAlone.push({ path: written, why: `is in ${twin}/ already` });
      else files.push({ path: written, content: readOwnFile(`operations/${protocol}/${path}`) });
    }
  }
  return { protocols: new Set(protocols), files, leftAlone };
}
