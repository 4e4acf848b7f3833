import type { ProxyRequest } from "../client/client-types.ts";
import { IndexerError } from "../client/indexer-error.ts";
import { isObject } from "../client/values.ts";
import { readClock } from "../requests/platform.ts";
import { parseJson } from "../requests/read-answer.ts";
import { LATE, wait } from "../requests/wait.ts";
import { type MinimalRequest, web } from "./web.ts";

/** Parses a request. Refuses unknown fields, such as `query`. */
export function parseRequest(text: string): ProxyRequest {
  const body = parseJson(text);
  if (!isObject(body)) return refuseRequest(400, "The body must be a JSON object of at most 64 levels.");
  const { protocol, operation, style, chains, variables = {}, block, heads = true, ...others } = body;
  for (const stray of Object.keys(others))
    refuseRequest(400, `Unknown field "${stray.slice(0, 40)}" in the request.`);
  if (!isText(protocol) || !isText(operation) || !isText(style)) {
    return refuseRequest(400, '"protocol", "operation" and "style" must be strings.');
  }
  if (!Array.isArray(chains) || chains.length < 1 || chains.length > MOST_CHAINS || !chains.every(isChain)) {
    return refuseRequest(400, `"chains" must be a list of 1 to ${MOST_CHAINS} keys or ids.`);
  }
  if (!isObject(variables)) return refuseRequest(400, '"variables" must be an object.');
  if (!isBlock(block)) return refuseRequest(400, '"block" must be an object with a number or a hash.');
  if (typeof heads !== "boolean") return refuseRequest(400, '"heads" must be true or false.');
  return { protocol, operation, style, chains, variables, block, heads } as ProxyRequest;
}

/** A limit far above the number of chains. */
const MOST_CHAINS = 1000;

function isText(value: unknown): value is string {
  return typeof value === "string";
}

function isChain(value: unknown): value is string | number {
  return isText(value) || Number.isSafeInteger(value);
}

function isBlock(value: unknown): value is ProxyRequest["block"] {
  if (value === undefined) return true;
  if (!isObject(value) || Object.keys(value).length > 1) return false;
  const { number_gte, number = number_gte, hash } = value;
  return isText(hash)
    ? /^0x[\da-f]{64}$/i.test(hash)
    : hash === undefined && Number.isSafeInteger(number) && Number(number) >= 0;
}

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

/** Throws the error of an invalid request, before anything is forwarded. */
export function refuseRequest(status: number, message: string): never {
  throw new IndexerError("rejected", message, { status });
}
