import { type IdKind, type IdPiece, readPieces } from "../../packages/client/src/create-id-codec.ts";
import { type IdForms, type IdRule, writeId } from "../../packages/client/src/variables/map-ids.ts";
import { type IdTemplates, idTemplate } from "./protocol.ts";

export type { IdForms };

/** Returns the kind of a field in ids of an entity. */
export type IdKindOf = (field: string) => IdKind;

/** Returns the kind of a field in an id by its type: a number, bytes, or text for every other type. */
export function kindOfPart(type: string): IdKind {
  if (type === "Bytes") return "bytes";
  return WHOLE_NUMBERS.has(type) ? "number" : "text";
}

/** The names in both platforms. `numeric` also means decimals, but ids never contain decimals. */
const WHOLE_NUMBERS: ReadonlySet<string> = new Set(["BigInt", "Int", "Int8", "numeric", "bigint"]);

/** Splits a template into texts, and fields with their kinds. */
export function piecesOf(template: string, kindOf: IdKindOf): IdPiece[] {
  // Texts have even indexes, names of fields odd ones.
  return template.split(/[{}]/).flatMap((piece, at): IdPiece[] => {
    if (at % 2 === 1) return [[piece, kindOf(piece)]];
    return piece === "" ? [] : [piece];
  });
}

/** Returns the forms of the ids of an entity in each style; null if they are the same or unknown. */
export function readIdForms(ids: IdTemplates, entity: string, kindOf: IdKindOf): IdForms | null {
  const subgraph = idTemplate(ids, entity, "subgraph");
  const multichain = idTemplate(ids, entity, "multichain");
  if (subgraph === null || multichain === null || subgraph === multichain) return null;
  const around = findAround(subgraph, multichain, kindOf);
  if (around !== null) {
    const { before, after } = around;
    return {
      entity,
      template: subgraph,
      multichain: [ANY, `${replacementOf(before, () => CHAIN)}$1${replacementOf(after, () => CHAIN)}`],
      subgraph: writeRule([...before, WHOLE, ...after], [WHOLE]),
    };
  }
  const [from, to] = [piecesOf(subgraph, kindOf), piecesOf(multichain, kindOf)];
  return { entity, template: subgraph, multichain: writeRule(from, to), subgraph: writeRule(to, from) };
}

/** The forms of bytes in each style if multichain indexers store them as bytes: `0x00ff` and `\x00ff`. */
export const BYTES_FORMS: IdForms = {
  entity: "Bytes",
  template: "0x and two digits a byte",
  multichain: ["0x([^]*)", "\\x$1"],
  subgraph: ["\\\\x([^]*)", "0x$1"],
};

/** Returns whether the forms are those of bytes, not of ids. */
export function isOfBytes({ entity }: Pick<IdForms, "entity">): boolean {
  return entity === BYTES_FORMS.entity;
}

/** Returns whether ids sort in the same order in both styles, including ids without a row. */
export function isOrdered({ multichain: [pattern] }: IdForms): boolean {
  return pattern.endsWith(ANY);
}

/** Returns whether writing an id needs a chain. */
export function needsChain([, replacement]: IdRule): boolean {
  return replacement.includes(CHAIN);
}

/** Converts an id by the rule of a style; null if it has another form. */
export function convertId(rule: IdRule, id: string, chainId: number | null): string | null {
  return writeId(rule, id, chainId) ?? null;
}

/** A pattern that matches any text. */
const ANY = "([^]*)";
const CHAIN = "{chain}";
/** The whole id, as a field. */
const WHOLE: Field = ["id", "text"];

type Field = Exclude<IdPiece, string>;

/**
 * Finds the prefix and suffix that multichain ids add to subgraph ids. Null if they contain anything but text and the
 * chain, or change the order of ids.
 */
function findAround(
  subgraph: string,
  multichain: string,
  kindOf: IdKindOf,
): { readonly before: readonly IdPiece[]; readonly after: readonly IdPiece[] } | null {
  const at = multichain.indexOf(subgraph);
  if (at < 0) return null;
  const before = piecesOf(multichain.slice(0, at), kindOf);
  const after = piecesOf(multichain.slice(at + subgraph.length), kindOf);
  if ([...before, ...after].some((piece) => isField(piece) && piece[1] !== "chain")) return null;
  const [next] = after;
  const last = piecesOf(subgraph, kindOf).at(-1) ?? "";
  // An id sorts before every longer id that starts with it. To keep that order, a suffix must sort before all digits.
  const isBelow = typeof next === "string" && next < "0" && !(isField(last) && last[1] === "text");
  return next === undefined || isBelow ? { before, after } : null;
}

function isField(piece: IdPiece): piece is Field {
  return typeof piece !== "string";
}

/** Builds the rule that rewrites ids from some pieces to others. A chain that `from` lacks is the requested chain. */
function writeRule(from: readonly IdPiece[], to: readonly IdPiece[]): IdRule {
  const { pattern, fields } = readPieces(from);
  const replacement = replacementOf(to, ([name, kind]) => {
    const at = fields.findIndex(
      ([field, fieldKind]) => field === name || (kind === "chain" && fieldKind === "chain"),
    );
    return at < 0 ? CHAIN : `$${at + 1}`;
  });
  return [pattern, replacement];
}

function replacementOf(pieces: readonly IdPiece[], write: (field: Field) => string): string {
  return pieces.map((piece) => (isField(piece) ? write(piece) : piece.replaceAll("$", "$$$$"))).join("");
}
