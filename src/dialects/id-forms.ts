import { type IdForms, type IdRule, writeId } from "../../packages/client/src/client/map-ids.ts";
import { type IdKind, type IdPiece, readPieces } from "../../packages/client/src/create-id-codec.ts";
import { type IdTemplates, idTemplate } from "./protocol.ts";

export type { IdForms };

/** What the fields hold that ids of an entity are made of. */
export type IdKindOf = (field: string) => IdKind;

/** What a field of a type holds within an id: a number, bytes, or text where nothing says more. */
export function kindOfPart(type: string): IdKind {
  if (type === "Bytes") return "bytes";
  return WHOLE_NUMBERS.has(type) ? "number" : "text";
}

/** What both platforms call them: `numeric` are big integers, and decimals, of which no id is made. */
const WHOLE_NUMBERS: ReadonlySet<string> = new Set(["BigInt", "Int", "Int8", "numeric", "bigint"]);

/** Takes a template apart: texts, and fields with what they hold. */
export function piecesOf(template: string, kindOf: IdKindOf): IdPiece[] {
  // Texts stand at even places, names of fields at odd ones.
  return template.split(/[{}]/).flatMap((piece, at): IdPiece[] => {
    if (at % 2 === 1) return [[piece, kindOf(piece)]];
    return piece === "" ? [] : [piece];
  });
}

/** How the ids of an entity are written in each style; null where they are the same, or nothing is said of them. */
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

/** How bytes are written in each style, where multichain indexers store them as bytes: `0x00ff` and `\x00ff`. */
export const BYTES_FORMS: IdForms = {
  entity: "Bytes",
  template: "0x and two digits a byte",
  multichain: ["0x([^]*)", "\\x$1"],
  subgraph: ["\\\\x([^]*)", "0x$1"],
};

/** Whether the forms are those of bytes, and not of ids. */
export function isOfBytes({ entity }: Pick<IdForms, "entity">): boolean {
  return entity === BYTES_FORMS.entity;
}

/** Whether rows have one order by their ids in both styles, also by ids that are no row's. */
export function isOrdered({ multichain: [pattern] }: IdForms): boolean {
  return pattern.endsWith(ANY);
}

/** Whether ids can be written for one chain only, which has to be known. */
export function needsChain([, replacement]: IdRule): boolean {
  return replacement.includes(CHAIN);
}

/** Writes an id as the rule of a style does; null for one of another form. */
export function convertId(rule: IdRule, id: string, chainId: number | null): string | null {
  return writeId(rule, id, chainId) ?? null;
}

/** The pattern of a rule that takes any text. */
const ANY = "([^]*)";
const CHAIN = "{chain}";
/** Stands for all of an id. */
const WHOLE: Field = ["id", "text"];

type Field = Exclude<IdPiece, string>;

/**
 * Finds what stands before and after the ids of subgraphs in those of the multichain indexers, where that is the chain and
 * text alone, and ids have one order with it and without it.
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
  // A longer id comes after a shorter one that it begins with: what follows that one has to come before all digits.
  const isBelow = typeof next === "string" && next < "0" && !(isField(last) && last[1] === "text");
  return next === undefined || isBelow ? { before, after } : null;
}

function isField(piece: IdPiece): piece is Field {
  return typeof piece !== "string";
}

/** Writes ids made of some pieces as ids made of others; a chain that is not among the first is the one that is asked. */
function writeRule(from: readonly IdPiece[], to: readonly IdPiece[]): IdRule {
  const { pattern, fields } = readPieces(from);
  const replacement = replacementOf(to, ([name, kind]) => {
    const at = fields.findIndex(([other, own]) => other === name || (kind === "chain" && own === "chain"));
    return at < 0 ? CHAIN : `$${at + 1}`;
  });
  return [pattern, replacement];
}

function replacementOf(pieces: readonly IdPiece[], write: (field: Field) => string): string {
  return pieces.map((piece) => (isField(piece) ? write(piece) : piece.replaceAll("$", "$$$$"))).join("");
}
