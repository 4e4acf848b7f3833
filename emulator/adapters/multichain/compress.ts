import type { IncomingHttpHeaders } from "node:http";
import { constants, gzipSync } from "node:zlib";
import { cached } from "../../../src/base/collections.ts";

/** Smaller bodies are sent as they are. */
const LEAST_BYTES = 700;

/**
 * Compresses a body when the client names gzip and it is worth it, or when the client takes nothing else (D.1).
 * Null means to send it as it is.
 */
export function compress(headers: IncomingHttpHeaders, body: Buffer): Buffer | null {
  const accepted = headers["accept-encoding"];
  if (accepted === undefined) return null;
  const codings = String(accepted).toLowerCase().split(",").map(readCoding);
  if (!codings.some(({ name, isRefused }) => name === "gzip" && !isRefused)) return null;
  const isNeeded = codings.some(({ name, isRefused }) => name === "identity" && isRefused);
  return body.length >= LEAST_BYTES || isNeeded ? cached(zipped, body, zip) : null;
}

function readCoding(text: string): { readonly name: string; readonly isRefused: boolean } {
  const [name = "", ...parameters] = text.split(";").map((part) => part.trim());
  return { name, isRefused: parameters.some((parameter) => /^q\s*=\s*0(?:\.0*)?$/.test(parameter)) };
}

/** Answers to introspection are the same bytes time and again, and the largest there are. */
const zipped = new WeakMap<Buffer, Buffer>();

function zip(body: Buffer): Buffer {
  return gzipSync(body, { level: constants.Z_BEST_SPEED });
}
