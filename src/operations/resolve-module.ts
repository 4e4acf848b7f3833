import { posix } from "node:path";

/**
 * The path of the file that a module specifier means, among those that are read; null for a package, or for what is not
 * read. An alias as in `@/fragments` means the one file whose path ends so.
 */
export function resolveModule<T>(
  from: string,
  specifier: string,
  files: ReadonlyMap<string, T>,
): string | null {
  if (/^\.\.?(\/|$)/.test(specifier)) {
    return pathsOf(posix.join(posix.dirname(from), specifier)).find((path) => files.has(path)) ?? null;
  }
  const own = pathsOf(specifier).find((path) => files.has(path));
  if (own !== undefined) return own;
  const [, ...rest] = specifier.split("/");
  if (rest.length === 0) return null;
  const ends = pathsOf(rest.join("/"));
  const meant = [...files.keys()].filter((path) =>
    ends.some((end) => path === end || path.endsWith(`/${end}`)),
  );
  return meant.length === 1 ? (meant[0] ?? null) : null;
}

/** As compilers and bundlers look: what is written, what it is compiled from, and the index of a folder. */
function pathsOf(path: string): string[] {
  const written = path.match(/^(.*)\.([cm]?)jsx?$/);
  const sources = written ? ["ts", "tsx"].map((extension) => `${written[1]}.${written[2]}${extension}`) : [];
  return [path, ...sources, ...EXTENSIONS.map((extension) => posix.normalize(`${path}${extension}`))];
}

const ENDINGS = [".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs"];
const EXTENSIONS = [...ENDINGS, ...ENDINGS.map((ending) => `/index${ending}`)];
