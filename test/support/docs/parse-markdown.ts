/** A fenced block of a Markdown file. */
export type Block = {
  readonly path: string;
  /** Of its first line of code, from 1. */
  readonly line: number;
  readonly language: string;
  /** What follows the language: `lockup/subgraph` in "```graphql lockup/subgraph". */
  readonly info: string;
  readonly code: string;
  /** What its first line is preceded by and a reader does not see. */
  readonly before?: string;
};

/** Something in a Markdown file outside its blocks. */
export type Piece = { readonly path: string; readonly line: number; readonly text: string };

export type Markdown = {
  readonly path: string;
  readonly blocks: readonly Block[];
  /** The targets of links and images. */
  readonly links: readonly Piece[];
  /** Code between backticks. */
  readonly codeSpans: readonly Piece[];
  /** What a link to a heading ends in, after `#`. */
  readonly anchors: readonly string[];
  /** The lines where a block begins that never ends. */
  readonly unclosed: readonly number[];
};

/** Reads of a Markdown file what can be checked. */
export function parseMarkdown(path: string, text: string): Markdown {
  const blocks: Block[] = [];
  const prose: Piece[] = [];
  const unclosed: number[] = [];
  const lines = text.split("\n");
  for (let index = 0; index < lines.length; index += 1) {
    const line = lines[index] ?? "";
    const fence = /^(\s*)(`{3,}|~{3,})\s*([^\s`]*)\s*([^`]*?)\s*$/.exec(line);
    if (!fence) {
      prose.push({ path, line: index + 1, text: line });
      continue;
    }
    const [, indent = "", marks = "", language = "", info = ""] = fence;
    const end = lines.findIndex((other, at) => at > index && closes(other, marks));
    if (end === -1) {
      unclosed.push(index + 1);
      break;
    }
    const code = lines
      .slice(index + 1, end)
      .map((row) => (row.startsWith(indent) ? row.slice(indent.length) : row));
    blocks.push({ path, line: index + 2, language, info, code: code.join("\n") });
    index = end;
  }
  return {
    path,
    blocks,
    links: prose.flatMap((piece) => found(withoutCode(piece), LINK)),
    codeSpans: prose.flatMap((piece) => found(piece, CODE_SPAN)),
    anchors: anchorsOf(prose),
    unclosed,
  };
}

const LINK = /\]\(\s*<?([^)\s>]+)>?(?:\s+"[^"]*")?\s*\)|^\s*\[[^\]^]+\]:\s+<?(\S+?)>?\s*$/g;
const CODE_SPAN = /`([^`]+)`/g;

function closes(line: string, marks: string): boolean {
  const text = line.trim();
  return text.startsWith(marks) && text === (marks[0] ?? "").repeat(text.length);
}

function withoutCode(piece: Piece): Piece {
  return { ...piece, text: piece.text.replace(CODE_SPAN, "") };
}

function found({ path, line, text }: Piece, pattern: RegExp): Piece[] {
  return [...text.matchAll(pattern)].map(([, one, other]) => ({ path, line, text: one ?? other ?? "" }));
}

/** As the well-known forges make them of a heading. */
function anchorsOf(prose: readonly Piece[]): string[] {
  const seen = new Map<string, number>();
  return prose.flatMap(({ text }) => {
    const heading = /^#{1,6}\s+(.*?)\s*#*$/.exec(text)?.[1];
    if (heading === undefined) return [];
    const plain = heading.replace(/\[([^\]]*)\]\([^)]*\)/g, "$1").toLowerCase();
    const slug = plain.replace(/[^\p{L}\p{N}\s_-]/gu, "").replaceAll(/\s/g, "-");
    const count = seen.get(slug) ?? 0;
    seen.set(slug, count + 1);
    return [count === 0 ? slug : `${slug}-${count}`];
  });
}
