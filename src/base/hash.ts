import { sha256 } from "./sha256.ts";

/** Returns the SHA-256 of text or bytes as 64 lower-case hex digits. */
export const hash = sha256;

/** The number of digits of a hash in messages and in names of variant files. */
export const SHORT_HASH_LENGTH = 8;

/** Returns the part of a hash that messages show. */
export function shortHash(digest: string): string {
  return digest.slice(0, SHORT_HASH_LENGTH);
}
