import { platform } from "../client/platform.ts";
import { MOST_MILLISECONDS, wait } from "../client/wait.ts";
import { refuseRequest } from "./refuse-request.ts";
import { type Asked, web } from "./web.ts";

/** The most that a question may hold, in bytes. */
const MOST_BYTES = 65_536;

/** Reads the body of a request, which has to arrive within some milliseconds. Its length is counted: headers may lie. */
export async function readBody({ body, signal }: Asked, timeout: number): Promise<string> {
  const decoder = new web.TextDecoder();
  const reader = body?.getReader();
  let text = "";
  let size = 0;
  let timer: unknown;
  const late = new Promise<null>((resolve) => {
    timer = platform.setTimeout(() => resolve(null), Math.min(timeout, MOST_MILLISECONDS));
  });
  const refuse = (status: number, message: string): never => {
    // A sender may never end, and never notice that the body is not read.
    reader?.cancel().catch(() => {});
    return refuseRequest(status, message);
  };
  try {
    while (reader) {
      const read = await wait<Awaited<ReturnType<typeof reader.read>> | null>(signal, (done, fail) => {
        Promise.race([reader.read(), late]).then(done, fail);
        return () => {};
      });
      if (!read) return refuse(408, `The body did not arrive within ${timeout} ms.`);
      if (!read.value) break;
      size += read.value.byteLength;
      if (size > MOST_BYTES) return refuse(413, "The body holds more than 64 KB.");
      text += decoder.decode(read.value, { stream: true });
    }
  } finally {
    platform.clearTimeout(timer);
  }
  return text + decoder.decode();
}
