import { createHash } from "node:crypto";

/** Returns the SHA-256 of text or bytes as 64 lower-case hex digits. A page has `sha256.page.ts` in its place. */
export function sha256(content: string | Uint8Array): string {
  return createHash("sha256").update(content).digest("hex");
}
