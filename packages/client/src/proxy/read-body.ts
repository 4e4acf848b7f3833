import { readClock } from "../requests/platform.ts";
import { LATE, wait } from "../requests/wait.ts";
import { refuseRequest } from "./parse-options.ts";
import { type MinimalRequest, web } from "./web.ts";

/** The largest body, in bytes. */
const MOST_BYTES = 65_536;

/** Reads the body of a request within a time limit. Counts its bytes, because `content-length` may be wrong. */
export async function readBody({ body, signal }: MinimalRequest, timeout: number): Promise<string> {
  const decoder = new web.TextDecoder();
  const reader = body?.getReader();
  let text = "";
  let size = 0;
  const refuse = (status: number, message: string): never => {
    // Not awaited: a sender may ignore the cancellation.
    reader?.cancel().catch(() => {});
    return refuseRequest(status, message);
  };
  const end = readClock() + timeout;
  try {
    while (reader) {
      const { value } = await wait<Awaited<ReturnType<typeof reader.read>>>(
        signal,
        end - readClock(),
        (done, fail) => {
          reader.read().then(done, fail);
          return () => {};
        },
      );
      if (!value) break;
      size += value.byteLength;
      if (size > MOST_BYTES) return refuse(413, "The body is larger than 64 KB.");
      text += decoder.decode(value, { stream: true });
    }
  } catch (error) {
    if (error !== LATE) throw error;
    return refuse(408, `The body did not arrive within ${timeout} ms.`);
  }
  return text + decoder.decode();
}
