import { classifyErrors } from "./classify.ts";
import type { ErrorCode } from "./indexer-error.ts";
import { isObject } from "./is-object.ts";

/** The members of an answer's `data`. */
export type Data = Record<string, unknown>;

/** What an answer says. */
export type Answer = {
  readonly data: unknown;
  /** Why it is none; null where it is one. */
  readonly code: ErrorCode | null;
  readonly messages: readonly string[];
};

/** Reads an answer: whatever is not data alone is an error. */
export function readAnswer(value: unknown, secrets: readonly string[]): Answer {
  const { data, errors, message }: Data = isObject(value) ? value : {};
  const said = errors ? [errors].flat().map((error) => readError(error, secrets)) : [];
  return {
    data,
    code:
      said.length > 0
        ? classifyErrors(said.map(({ words }) => words))
        : message === "Not found"
          ? "not-served"
          : isObject(data)
            ? null
            : "unavailable",
    messages: said.map((error) => error.message),
  };
}

/** Parses a text; undefined if it is not JSON, or more than 64 levels deep. */
export function parseJson(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return isDeeper(value, 64) ? undefined : value;
  } catch {
    return undefined;
  }
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (levels === 0) return true;
  for (const key in value) if (isDeeper((value as Data)[key], levels - 1)) return true;
  return false;
}

/** What an error says, and the words that tell what it means: some platforms have a code in its extensions. */
function readError(
  error: unknown,
  secrets: readonly string[],
): { readonly message: string; readonly words: string } {
  const { message, extensions }: Data = isObject(error) ? error : {};
  const text = typeof message === "string" ? message.trim() : "";
  const code = isObject(extensions) && typeof extensions["code"] === "string" ? extensions["code"] : "";
  const shown = secrets.reduce((rest, secret) => rest.replaceAll(secret, "…"), text);
  // What is as long as a key may be one.
  return { words: `${text} ${code}`, message: shown.replace(/[\da-f]{32,}/gi, "…").slice(0, 300) };
}
