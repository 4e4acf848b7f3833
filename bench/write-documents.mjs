// Writes the operations of the library as documents of each style, for peers without portable operations.
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { transformSync } from "esbuild";

const root = new URL("..", import.meta.url).pathname;
const PROTOCOLS = ["lockup", "flow"];
const STYLES = ["multichain", "subgraph"];

/** Writes a file for each protocol and style, with every operation and fragment that is generated there. */
export async function writeDocuments(folder) {
  for (const protocol of PROTOCOLS) {
    for (const style of STYLES) {
      const source = readFileSync(join(root, `generated/${protocol}/${style}.strings.ts`), "utf8");
      const { code } = transformSync(source, { loader: "ts" });
      const texts = Object.values(await import(`data:text/javascript,${encodeURIComponent(code)}`));
      // Each text has the fragments that it uses; a file must contain each fragment only once.
      const definitions = new Set(texts.flatMap((text) => text.split(/\n\n(?=fragment )/)));
      mkdirSync(join(folder, protocol), { recursive: true });
      writeFileSync(join(folder, protocol, `${style}.graphql`), `${[...definitions].join("\n\n")}\n`);
    }
  }
}

/** Replaces the portable operations of a tree by two files each, one per style. */
export function writeTwice(operations) {
  for (const protocol of PROTOCOLS) {
    const folder = join(operations, protocol);
    cpSync(join(folder, "portable"), join(folder, "subgraph"), { recursive: true });
    const multichain = join(folder, "multichain");
    for (const source of ["both", protocol])
      cpSync(join(root, "test/fixtures/former-library", source), multichain, { recursive: true });
    // Fragments are the same in both styles.
    cpSync(join(folder, "portable/fragments"), join(multichain, "fragments"), { recursive: true });
    rmSync(join(folder, "portable"), { recursive: true });
  }
}
