import type { IncomingMessage } from "node:http";

/** What both platforms accept, about. */
const LARGEST_BODY = 2 * 1024 * 1024;

/** Reads a request's body as UTF-8 text; null when it is larger than 2 MB, and then the rest is left unread. */
export async function readBody(request: IncomingMessage): Promise<string | null> {
  if (Number(request.headers["content-length"]) > LARGEST_BODY) return null;
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += (chunk as Buffer).length;
    if (size > LARGEST_BODY) return null;
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks).toString("utf8");
}
