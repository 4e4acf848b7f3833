import { likeEscapeDangling, regexInvalid } from "./messages.ts";

/**
 * Compiles a LIKE pattern: `%` any text, `_` one character, a backslash takes the next character as it is.
 *
 * @throws QueryFault for a backslash at the end, as the database does when it meets a row.
 */
export function compileLike(pattern: string, ignoreCase: boolean): RegExp {
  let source = "";
  for (let index = 0; index < pattern.length; index++) {
    const character = pattern[index] ?? "";
    if (character === "\\") {
      index++;
      if (index === pattern.length) throw likeEscapeDangling();
      source += literal(pattern[index] ?? "");
    } else if (character === "%") source += ".*";
    else if (character === "_") source += ".";
    else source += literal(character);
  }
  return new RegExp(`^${source}$`, ignoreCase ? "siu" : "su");
}

/** Compiles a SQL regular expression: LIKE with `|`, `*`, `+`, `?`, `{m,n}`, groups and classes. */
export function compileSimilar(pattern: string): RegExp {
  const source = translate(pattern, (character) => {
    if (character === "%") return ".*";
    if (character === "_") return ".";
    return ".^$".includes(character) ? literal(character) : null;
  });
  return compile(`^(?:${source})$`, "su");
}

/** Compiles a POSIX regular expression, which matches anywhere in the text. */
export function compileRegex(pattern: string, ignoreCase: boolean): RegExp {
  const options = /^\(\?([a-z]+)\)/.exec(pattern);
  const insensitive = options?.[1]?.includes("i") ?? ignoreCase;
  const source = translate(options ? pattern.slice(options[0].length) : pattern, () => null);
  return compile(source, insensitive ? "siu" : "su");
}

/**
 * Rewrites a pattern for JavaScript, which knows neither `[[:alpha:]]` nor the escapes of words' ends.
 *
 * @param special what a character stands for, or null when it means the same in both languages.
 */
function translate(pattern: string, special: (character: string) => string | null): string {
  let source = "";
  let index = 0;
  while (index < pattern.length) {
    const character = pattern[index] ?? "";
    if (character === "\\") {
      source += escapeSequence(pattern[index + 1]);
      index += 2;
    } else if (character === "[") {
      const end = classEnd(pattern, index);
      source += characterClass(pattern.slice(index + 1, end));
      index = end + 1;
    } else {
      source += special(character) ?? character;
      index++;
    }
  }
  return source;
}

function escapeSequence(character: string | undefined): string {
  if (character === undefined) throw regexInvalid("invalid escape \\ sequence");
  return (
    ESCAPES.get(character) ?? (/[dDwWsStnrfv0-9]/.test(character) ? `\\${character}` : literal(character))
  );
}

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ["m", "\\b(?=\\w)"],
  ["M", "\\b(?<=\\w)"],
  ["y", "\\b"],
  ["Y", "\\B"],
  ["A", "^"],
  ["Z", "$"],
]);

/** The index of the bracket that closes a class; a bracket right at its start does not. */
function classEnd(pattern: string, start: number): number {
  let index = start + 1;
  if (pattern[index] === "^") index++;
  if (pattern[index] === "]") index++;
  while (index < pattern.length && pattern[index] !== "]") {
    if (pattern.startsWith("[:", index)) index = pattern.indexOf(":]", index) + 1 || pattern.length;
    index += pattern[index] === "\\" ? 2 : 1;
  }
  if (index >= pattern.length) throw regexInvalid("brackets [] not balanced");
  return index;
}

function characterClass(content: string): string {
  const negated = content.startsWith("^");
  const members = (negated ? content.slice(1) : content).replaceAll(
    /\[:(\w+):\]|\\(.)|[[\]]/gs,
    (whole, name: string | undefined, escaped: string | undefined) => {
      if (name !== undefined) {
        const named = CLASSES.get(name);
        if (named === undefined) throw regexInvalid("invalid character class");
        return named;
      }
      if (escaped === undefined) return `\\${whole}`;
      return /[dDwWsStnrfv]/.test(escaped) ? `\\${escaped}` : literal(escaped);
    },
  );
  return `[${negated ? "^" : ""}${members}]`;
}

const CLASSES: ReadonlyMap<string, string> = new Map([
  ["alnum", "\\p{L}\\p{N}"],
  ["alpha", "\\p{L}"],
  ["blank", " \\t"],
  ["cntrl", "\\p{Cc}"],
  ["digit", "0-9"],
  ["graph", "!-~"],
  ["lower", "\\p{Ll}"],
  ["print", " -~"],
  ["punct", "!-\\/:-@\\[-`\\{-~"],
  ["space", "\\s"],
  ["upper", "\\p{Lu}"],
  ["word", "\\w"],
  ["xdigit", "0-9A-Fa-f"],
]);

function literal(character: string): string {
  return /[\^$\\.*+?()[\]{}|/-]/.test(character)
    ? character === "-"
      ? "\\x2d"
      : `\\${character}`
    : character;
}

function compile(source: string, flags: string): RegExp {
  try {
    return new RegExp(source, flags);
  } catch {
    const parentheses = /^(?:[^\\()]|\\.)*[()]/s.test(source) && !balanced(source);
    throw regexInvalid(parentheses ? "parentheses () not balanced" : "quantifier operand invalid");
  }
}

function balanced(source: string): boolean {
  let depth = 0;
  for (const [token] of source.matchAll(/\\.|[()]/gs)) {
    if (token === "(") depth++;
    if (token === ")" && --depth < 0) return false;
  }
  return depth === 0;
}
