import type { IncomingMessage } from "node:http";

/** What both platforms accept, about. */
const LARGEST_BODY = 2 * 1024 * 1024;

/** Reads a request's body as UTF-8 text; null when it is larger than 2 MB. */
export async function readBody(request: IncomingMessage): Promise<string | null> {
  const chunks: Buffer[] = [];
  let size = 0;
  // What is too large is read to its end all the same: a client that is still sending would miss the answer.
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size <= LARGEST_BODY) chunks.push(chunk);
    else chunks.length = 0;
  }
  return size > LARGEST_BODY ? null : Buffer.concat(chunks).toString("utf8");
}
