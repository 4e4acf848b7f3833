import { type FetchResponse, platform } from "./platform.ts";

/** More than any answer has. */
const MOST_BYTES = 67_108_864;

/** Reads a body; nothing of one that is too large to be an answer. */
export async function readText(response: FetchResponse): Promise<string> {
  const reader = response.body?.getReader();
  if (!reader) return response.text();
  const decoder = new platform.TextDecoder();
  let text = "";
  let bytes = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    bytes += value?.length ?? 0;
    if (bytes > MOST_BYTES) {
      await reader.cancel();
      return "";
    }
    text += decoder.decode(value, { stream: true });
  }
}
