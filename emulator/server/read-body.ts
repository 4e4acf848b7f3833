import type { IncomingMessage } from "node:http";

/** What both platforms accept, about. */
const LARGEST_BODY = 2 * 1024 * 1024;

/** Reads a request's body as UTF-8 text; null when it is larger than 2 MB. */
export function readBody(request: IncomingMessage): Promise<string | null> | string {
  const { "content-length": length, "transfer-encoding": encoding } = request.headers;
  if (encoding === undefined && (length === undefined || length === "0")) return "";
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on("data", (chunk: Buffer) => {
      size += chunk.length;
      // What is too large is read to its end all the same: a client that is still sending would miss the answer.
      if (size <= LARGEST_BODY) chunks.push(chunk);
      else chunks.length = 0;
    });
    request.on("end", () => {
      const [first] = chunks;
      const whole = first && chunks.length === 1 ? first : Buffer.concat(chunks);
      resolve(size > LARGEST_BODY ? null : whole.toString("utf8"));
    });
    request.on("error", reject);
    // Without an end, the client has gone.
    request.on("close", () => resolve(""));
  });
}
