import { type FetchResponse, platform } from "./platform.ts";

/** More than any answer has. */
const MOST_BYTES = 67_108_864;

/** Reads a body; nothing of one that is too large to be an answer, or no text. */
export async function readText(response: FetchResponse): Promise<string> {
  const reader = response.body?.getReader();
  if (!reader) return response.text();
  const decoder = new platform.TextDecoder("utf-8", { fatal: true });
  let text = "";
  let bytes = 0;
  for (;;) {
    const { done, value } = await reader.read();
    bytes += value?.length ?? 0;
    try {
      if (bytes > MOST_BYTES) throw bytes;
      text += done ? decoder.decode() : decoder.decode(value, { stream: true });
    } catch {
      await reader.cancel();
      return "";
    }
    if (done) return text;
  }
}
