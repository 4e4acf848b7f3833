import { utf8 } from "./bytes.ts";
import { cached } from "./collections.ts";

/**
 * Returns the text with every secret replaced, in either case: as sent, percent-encoded, escaped in JSON, and within base64.
 * Overlapping secrets are replaced as a whole. Short words and numbers are not treated as secrets.
 */
export function hideSecrets(text: string, secrets: readonly string[]): string {
  let shown = "";
  let end = 0;
  for (const { from, to, isBase64 } of findSecrets(text, secrets).sort((a, b) => a.from - b.from)) {
    if (to <= end) continue;
    let start = Math.max(from, end);
    let stop = to;
    if (isBase64) {
      // The characters beside it may encode a part of the secret.
      while (start > end && BASE64.test(text.charAt(start - 1))) start--;
      while (BASE64.test(text.charAt(stop))) stop++;
    }
    const isAdjacent = start === end && end > 0;
    shown += isAdjacent ? "" : `${text.slice(end, start)}<redacted>`;
    end = stop;
  }
  return shown + text.slice(end);
}

/** Returns whether the text has a secret in one of the forms that `hideSecrets` replaces. */
export function containsSecret(text: string, secrets: readonly string[]): boolean {
  return findForms(text, secrets).length > 0;
}

const BASE64 = /[A-Za-z0-9+/=_%-]/;

type Span = { readonly from: number; readonly to: number; readonly isBase64: boolean };

function findSecrets(text: string, secrets: readonly string[]): Span[] {
  const forms = findForms(text, secrets);
  if (forms.length === 0) return [];
  return [NO_ESCAPE, ESCAPE].flatMap((pattern) => {
    const { decoded, starts } = locate(text, pattern);
    return forms.flatMap((form) =>
      [...placesOf(form, decoded)].map((at) => ({
        from: starts[at] ?? 0,
        to: starts[at + form.text.length] ?? 0,
        isBase64: form.isBase64,
      })),
    );
  });
}

/** Returns the forms that the text has: none for nearly every text, so that the rest need not be fast. */
function findForms(text: string, secrets: readonly string[]): Form[] {
  if (secrets.length === 0 || text === "") return [];
  const readings = [text.toLowerCase(), decode(text)];
  return cached(formsOfSecrets, secrets, () => secrets.flatMap(formsOf)).filter((form) =>
    readings.some((reading) => !placesOf(form, reading).next().done),
  );
}

function* placesOf({ text, isWord }: Form, reading: string): Generator<number> {
  const isJoined = (at: number) => /[a-z0-9]{2}/.test(reading.slice(Math.max(at - 1, 0), at + 1));
  for (let at = reading.indexOf(text); at >= 0; at = reading.indexOf(text, at + 1)) {
    if (!isWord || !(isJoined(at) || isJoined(at + text.length))) yield at;
  }
}

/** A secret as decoded text may contain it, in lower case. */
type Form = {
  readonly text: string;
  readonly isBase64: boolean;
  /** Whether it counts only as a whole word. */
  readonly isWord: boolean;
};

const formsOfSecrets = new WeakMap<readonly string[], readonly Form[]>();

/** Words and numbers that answers and URLs contain anyway, such as `base`, `8453` and `1`. */
const ORDINARY = /^(?:.{0,2}|[a-z]{1,5}|[0-9]{1,10})$/is;

/** Shorter secrets occur in words by chance, and shorter base64 anywhere. */
const SHORTEST_SECRET = 4;
const SHORTEST_BASE64 = 5;

function formsOf(secret: string): Form[] {
  const texts = [secret, decode(secret), decode(encodeURIComponent(secret.toWellFormed()))];
  if (texts.some((text) => ORDINARY.test(text))) return [];
  const isWord = texts.some(({ length }) => length < SHORTEST_SECRET);
  // Three bytes are four characters of base64, so the encoding depends on the number of bytes before the secret.
  const codes = [0, 1, 2].flatMap((before) => {
    const bytes = utf8("\0".repeat(before) + secret);
    const [from, to] = [Math.ceil((before * 8) / 6), Math.floor((bytes.length * 8) / 6)];
    const code = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join("")).slice(from, to);
    return [code, code.replaceAll("+", "-").replaceAll("/", "_")];
  });
  const long = isWord ? [] : codes.filter(({ length }) => length >= SHORTEST_BASE64);
  const toForms = (list: readonly string[], isBase64: boolean) =>
    [...new Set(list.map((text) => text.toLowerCase()))].map((text) => ({ text, isBase64, isWord }));
  return [...toForms(texts, false), ...toForms(long, true)];
}

/** Percent-encoding and the escapes of JSON, once or more often. A backslash may precede any character. */
const ESCAPE = /%(?:25)*([0-9a-f]{2})|\\+u([0-9a-f]{4})|\\+([bfnrt]?)/gi;

/** Matches nothing, so that `locate` decodes nothing. */
const NO_ESCAPE = /(?!)/g;

/** Decodes a text to lower case, without backslashes. */
function decode(text: string): string {
  return text.replaceAll(ESCAPE, decodeEscape).toLowerCase();
}

function decodeEscape(_: string, byte?: string, unit?: string, space?: string): string {
  const hex = byte ?? unit;
  if (!hex) return space ? " " : "";
  const character = String.fromCharCode(Number.parseInt(hex, 16));
  return character === "\\" ? "" : character;
}

/** Decodes a text, and returns where each character starts in it. What decodes to nothing belongs to the next character. */
function locate(text: string, pattern: RegExp): { readonly decoded: string; readonly starts: Uint32Array } {
  const starts = new Uint32Array(text.length + 1);
  let decoded = "";
  let start = 0;
  let at = 0;
  const add = (characters: string, length: number) => {
    for (let index = 0; index < characters.length; index++) {
      starts[decoded.length + index] = start;
      start = at + index + 1;
    }
    at += length;
    if (characters !== "") start = at;
    // Not `toLowerCase`, which makes two of a few characters.
    decoded += characters.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase());
  };
  for (const match of text.matchAll(pattern)) {
    add(text.slice(at, match.index), match.index - at);
    add(decodeEscape(match[0], match[1], match[2], match[3]), match[0].length);
  }
  add(text.slice(at), text.length - at);
  starts[decoded.length] = start;
  return { decoded, starts };
}

/** Returns a URL or other text for messages: without credentials, query, fragment, and parts of the path that may be keys. */
export function redactUrl(text: string): string {
  const withoutQuery = text.replace(/[?#].*$/s, "");
  const withoutCredentials = withoutQuery.replace(/^([a-z][a-z0-9+.-]*:\/\/)[^/@]*@/i, "$1<redacted>@");
  return withoutCredentials.replaceAll(/[0-9a-f]{32,}|(?<=\/)[A-Za-z0-9_-]{40,}(?=\/|$)/gi, "<redacted>");
}

/** Redacts every URL in free text, and every run of 32 or more hex digits. */
export function redactText(text: string): string {
  return text
    .replaceAll(/[a-z][a-z0-9+.-]*:\/\/[^\s"'<>]+/gi, redactUrl)
    .replaceAll(/(?<!0x[0-9a-f]*)\b[0-9a-f]{32,}\b/gi, "<redacted>");
}
