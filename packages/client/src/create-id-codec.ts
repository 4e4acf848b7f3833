/** Parses and formats the ids of an entity. */
export type IdCodec<Id extends string, Parts, Numbers extends keyof Parts> = {
  /**
   * Parses an id into its parts, with bytes in lower case.
   *
   * @throws TypeError if the text is not an id of the entity.
   */
  readonly parse: (id: string) => Parts;
  /**
   * Formats an id, with bytes in lower case, as indexers write them.
   *
   * @throws TypeError for invalid parts.
   */
  readonly format: (
    parts: {
      readonly [Name in keyof Parts]: Name extends Numbers ? number | string | bigint : Parts[Name];
    },
  ) => Id;
};

/** A piece of an id: literal text, or a field with its name and kind. */
export type IdPiece = string | readonly [field: string, kind: IdKind];

/** The kind of a field. */
export type IdKind = "bytes" | "chain" | "number" | "text";

/** Creates the codec of ids with these pieces. */
export function createIdCodec<Id extends string, Parts, Numbers extends keyof Parts>(
  entity: string,
  pieces: readonly IdPiece[],
): IdCodec<Id, Parts, Numbers> {
  const whole = pieces.map((piece) => (typeof piece === "string" ? piece : `{${piece[0]}}`)).join("");
  const { pattern, fields } = readPieces(pieces);
  const expression = new RegExp(`^${pattern}$`);
  const read = (id: string) => expression.exec(id)?.slice(1).map(lowerBytes);
  const refuse = (given: unknown, problem: string): never => {
    const shown = typeof given === "string" ? JSON.stringify(given.slice(0, 80)) : typeof given;
    throw new TypeError(`${shown} ${problem}. Ids of ${entity} have the form ${whole}.`);
  };
  return {
    parse: (id) => {
      const values = (typeof id === "string" && read(id)) || refuse(id, `is not an id of ${entity}`);
      const parts = fields.map(([name, kind], at) => [
        name,
        kind === "chain" ? Number(values[at]) : values[at],
      ]);
      return Object.fromEntries(parts) as Parts;
    },
    format: (parts) => {
      const texts = fields.map(([name, kind]) => {
        const given: unknown = (parts as Readonly<Record<string, unknown>> | null)?.[name];
        // An unsafe integer has lost digits, and would give another id.
        const text = typeof given === "bigint" || Number.isSafeInteger(given) ? String(given) : given;
        const isFit = typeof text === "string" && new RegExp(`^(${formOf(kind)})$`).test(text);
        return isFit ? lowerBytes(text) : refuse(text, `is not a valid ${name} of an id`);
      });
      const id = pieces
        .map((piece) =>
          typeof piece === "string" ? piece : texts[fields.findIndex(([name]) => name === piece[0])],
        )
        .join("");
      // A text that contains the separator could give the same id as other parts.
      const others = read(id);
      return texts.every((text, at) => others?.[at] === text)
        ? (id as Id)
        : refuse(id, "is ambiguous: it can be split into other parts");
    },
  };
}

/** Returns the pattern of ids with a group for each field, and the fields in order. */
export function readPieces(pieces: readonly IdPiece[]): {
  readonly pattern: string;
  readonly fields: readonly Exclude<IdPiece, string>[];
} {
  const fields: Exclude<IdPiece, string>[] = [];
  const pattern = pieces.map((piece, at) => {
    if (typeof piece === "string") return escapeText(piece);
    const [name, kind] = piece;
    const before = fields.findIndex(([other]) => other === name);
    if (before >= 0) return `\\${before + 1}`;
    fields.push(piece);
    const [last, next] = [pieces[at - 1], pieces[at + 1]];
    const hasTextAfter = pieces
      .slice(at + 1)
      .some((other) => typeof other !== "string" && other[1] === "text");
    // Of several texts, only the last may contain the separator.
    if (kind === "text" && hasTextAfter && typeof next === "string")
      return `([^${escapeText(next.slice(0, 1))}]+)`;
    // A dash after a dash is not a sign.
    const isAfterDash = typeof last === "string" && last.endsWith("-");
    return `(${isAfterDash ? formOf(kind).replace("-?", "") : formOf(kind)})`;
  });
  return { pattern: pattern.join(""), fields };
}

/** The pattern of a part. Numbers have no leading zeros and no plus sign, because ids are compared as text. */
function formOf(kind: IdKind): string {
  const forms = {
    bytes: "0[xX](?:[\\da-fA-F]{2})+",
    chain: "[1-9]\\d{0,14}",
    number: "0|-?[1-9]\\d*",
    text: "[^]+",
  };
  return forms[kind];
}

/** Converts bytes to lower case, as indexers store them. */
function lowerBytes(text: string): string {
  return /^0x[\da-f]+$/i.test(text) ? text.toLowerCase() : text;
}

function escapeText(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
}
