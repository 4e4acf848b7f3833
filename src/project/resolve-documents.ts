import { ConfigError } from "../base/errors/config-error.ts";
import type { Config } from "./config.ts";
import { suggest } from "./config-shapes.ts";
import type { Surface } from "./surface.ts";

/** Files of code that hold documents. */
export type DocumentsEntry = {
  /** Patterns from the project's root. */
  readonly files: readonly string[];
  /** Patterns of those among them that are left out. */
  readonly except: readonly string[];
  /** The functions and tags that are given documents. */
  readonly names: readonly string[];
  /** What their documents may be of; none where all of it is left out by `only`. */
  readonly surfaces: readonly Surface[];
};

/**
 * Resolves where documents are in code.
 *
 * @param surfaces those that the project reads.
 * @param known those that may be named, which `only` may leave out.
 * @throws ConfigError for a protocol or style that there is none of.
 */
export function resolveDocuments(
  documents: NonNullable<Config["documents"]>,
  surfaces: readonly Surface[],
  known: readonly Surface[],
): DocumentsEntry[] {
  const entries = documents.map((entry) => (typeof entry === "string" ? { files: entry } : entry));
  // A pattern that stands alone and leaves out does so for all.
  const out = documents.flatMap((entry) => (typeof entry === "string" && isExcept(entry) ? [entry] : []));
  return entries.flatMap(({ files, protocol, style, names = DOCUMENT_NAMES }, index) => {
    const patterns = typeof files === "string" ? [files] : files;
    if (patterns.every(isExcept)) return [];
    const isMeant = (surface: Surface) =>
      (protocol ?? surface.protocol) === surface.protocol && (style ?? surface.style) === surface.style;
    if (!known.some(isMeant)) throw unknown(index, protocol, style, known);
    return [
      {
        files: patterns.filter((pattern) => !isExcept(pattern)).map(normalize),
        except: [...patterns.filter(isExcept), ...out].map((pattern) => normalize(pattern.slice(1))),
        names,
        surfaces: surfaces.filter(isMeant),
      },
    ];
  });
}

/** What the stock client preset and clients call it. */
const DOCUMENT_NAMES = ["graphql", "gql"];

function isExcept(pattern: string): boolean {
  return pattern.startsWith("!");
}

function normalize(pattern: string): string {
  return pattern.replace(/^(\.\/+)+/, "");
}

function unknown(
  index: number,
  protocol: string | undefined,
  style: string | undefined,
  known: readonly Surface[],
): ConfigError {
  const protocols = [...new Set(known.map((surface) => surface.protocol))];
  const isKnown = protocol === undefined || protocols.includes(protocol);
  return new ConfigError({
    code: "CONFIG_UNKNOWN_KEY",
    sentence: isKnown
      ? `The configuration's "documents.${index}" names ${protocol ?? "no protocol"} in ${style} style, which there is not.`
      : `The configuration's "documents.${index}.protocol", "${protocol}", is no protocol.`,
    hint: isKnown ? "see `protocols` for its styles." : suggest(protocol, protocols),
  });
}
