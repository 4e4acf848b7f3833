import { type FetchResponse, platform } from "./platform.ts";

/** Larger bodies are not answers. */
const MOST_BYTES = 16_777_216;

/** Reads a body, which is decoded once; returns "" if it is too large or not UTF-8. */
export async function readText(response: FetchResponse): Promise<string> {
  const reader = response.body?.getReader();
  if (!reader) {
    const text = await response.text();
    return text.length > MOST_BYTES ? "" : text;
  }
  const chunks: ArrayLike<number>[] = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done || !value) break;
    size += value.length;
    if (size > MOST_BYTES) {
      await reader.cancel();
      return "";
    }
    chunks.push(value);
  }
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  try {
    return new platform.TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return "";
  }
}
