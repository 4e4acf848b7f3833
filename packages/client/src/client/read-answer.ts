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

/** What a text holds; undefined where it is no JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
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
