/** What the comment of a declaration says. */
export type Tsdoc = {
  /** Its sentences, in Markdown. */
  readonly text: string;
  readonly defaultValue: string | null;
  readonly returns: string | null;
  readonly throws: readonly string[];
  readonly examples: readonly string[];
  /** By the parameter's name. */
  readonly parameters: ReadonlyMap<string, string>;
};

/** Parses the text of a comment, without its stars. */
export function parseTsdoc(comment: string): Tsdoc {
  const [text = "", ...tags] = comment.split(/(?<=^|\s)@(?=(?:default|example|param|returns|throws)\b)/);
  const all = (name: string) =>
    tags.filter((tag) => tag.startsWith(name)).map((tag) => tag.slice(name.length).trim());
  return {
    text: text.trim(),
    defaultValue: all("default")[0] ?? null,
    returns: all("returns")[0] ?? null,
    throws: all("throws"),
    examples: all("example"),
    parameters: new Map(
      all("param").map((tag) => {
        const [, name = "", meaning = ""] = /^(\S+)\s+(?:-\s+)?([\s\S]*)$/.exec(tag) ?? [];
        return [name, meaning];
      }),
    ),
  };
}
