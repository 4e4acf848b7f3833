import type { Random } from "../emulator/agreement/random.ts";

/** Breaks a text at one place. */
export function breakText(text: string, { below, pick }: Random): string {
  const tokens: readonly string[] = text.match(/\.\.\.|[\w$]+|"(?:[^"\\]|\\.)*"|\s+|[^\s\w]/g) ?? [];
  if (tokens.length === 0) return pick(BREAKERS);
  const at = below(tokens.length);
  const token = tokens[at] ?? "";
  switch (below(6)) {
    case 0:
      return tokens.toSpliced(at, 1).join("");
    case 1:
      return tokens.toSpliced(at, 0, token).join("");
    case 2:
      return tokens.toSpliced(at, 1, pick(BREAKERS)).join("");
    case 3:
      return tokens.toSpliced(at, 0, pick(BREAKERS)).join("");
    case 4:
      return tokens.slice(0, at).join("");
    default: {
      const other = below(tokens.length);
      return tokens
        .with(at, tokens[other] ?? "")
        .with(other, token)
        .join("");
    }
  }
}

const BREAKERS: readonly string[] = [
  ...`{ } ( ) [ ] : ! $ @ ... | & = , # " ' - . \\ 5 1. é "\\u00" \u0000`.split(" "),
  ...["\n", "\r", "query", "mutation", "subscription", "fragment", "on", "true", "null"],
  ...["__typename", "__schema"],
];
