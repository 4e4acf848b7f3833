import { refuseRequest } from "./refuse-request.ts";
import { type Asked, web } from "./web.ts";

/** The most that a question may hold, in bytes. */
const MOST_BYTES = 65_536;

/** The text of a request's body. It is counted as it comes, because what length it claims may be a lie. */
export async function readBody({ body }: Asked): Promise<string> {
  const decoder = new web.TextDecoder();
  const reader = body?.getReader();
  let text = "";
  let size = 0;
  while (reader) {
    const { value } = await reader.read();
    if (!value) break;
    size += value.byteLength;
    if (size > MOST_BYTES) {
      // Whoever sends may never end, and never hear that nobody listens.
      reader.cancel().catch(() => {});
      refuseRequest(413, "The body holds more than 64 KB.");
    }
    text += decoder.decode(value, { stream: true });
  }
  return text + decoder.decode();
}
