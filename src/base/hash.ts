import { createHash } from "node:crypto";

/** The SHA-256 of text or bytes as 64 lower-case hex digits. */
export function hash(content: string | Uint8Array): string {
  return createHash("sha256").update(content).digest("hex");
}

/** How many digits of a hash people are shown, and variant files are named by. */
export const SHORT_HASH_LENGTH = 8;

/** The part of a hash that people are shown. */
export function shortHash(digest: string): string {
  return digest.slice(0, SHORT_HASH_LENGTH);
}
