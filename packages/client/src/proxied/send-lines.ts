import { type FetchResponse, platform } from "../requests/platform.ts";
import { exchange, readFailure, readResult, type Sent } from "./send.ts";
import type { Client } from "./types.ts";

/** A line of an answer. */
export type Line = Readonly<Record<string, unknown>>;

/**
 * Sends a call that is answered in lines.
 *
 * @param onLine called for each line as it arrives.
 * @throws IndexerError `network` if the last line is missing.
 */
export function sendLines(client: Client, sent: Sent, onLine: (line: Line) => void): Promise<void> {
  return exchange(client, sent, (response) => readLines(response, onLine));
}

/** Reads lines; all at once where a body cannot be read in parts. */
async function readLines(response: FetchResponse, onLine: (line: Line) => void): Promise<void> {
  // A refusal is not in lines.
  if (!response.headers.get("content-type")?.includes("ndjson")) await readResult(response, () => false);
  const reader = response.body?.getReader();
  let rest = "";
  let isWhole: unknown;
  const add = (text: string) => {
    rest += text;
    if (!text.includes("\n")) return;
    const lines = rest.split("\n");
    rest = lines.pop() ?? "";
    for (const text of lines) {
      const line: Line = JSON.parse(text);
      const failure = !line["chain"] && readFailure(line["error"]);
      if (failure) throw failure;
      isWhole = line["end"] ?? line["more"];
      onLine(line);
    }
  };
  if (!reader) add(await response.text());
  else {
    // React Native has none.
    const decoder = new platform.TextDecoder();
    for (;;) {
      const { value } = await reader.read();
      if (!value) break;
      add(decoder.decode(value, { stream: true }));
    }
  }
  if (!isWhole) throw new Error("The answer was cut off.");
}
