import type { ServerResponse } from "node:http";
import type { Reply } from "../adapters/adapter.ts";

export type Damage = {
  /** Added to the body. */
  readonly megabytes: number;
  readonly levels: number;
  /**
   * How the body ends: complete; half of it with a matching length (`cut`) or the full length (`short`); half of it
   * and a reset.
   */
  readonly end: "whole" | "cut" | "short" | "reset";
};

/** Bytes that are repeated. */
type Piece = { readonly bytes: Buffer; readonly times: number };

const MEGABYTE = 1024 * 1024;

/** Sends a reply with a damaged body. Huge bodies are streamed in pieces. */
export async function sendDamaged(response: ServerResponse, reply: Reply, damage: Damage): Promise<void> {
  const { status, headers } = reply;
  const pieces = swell(Buffer.from(reply.body), damage);
  const whole = pieces.reduce((length, { bytes, times }) => length + bytes.length * times, 0);
  const sent = damage.end === "whole" ? whole : Math.floor(whole / 2);
  const length = damage.end === "cut" ? sent : whole;
  response.writeHead(status, { ...headers, "content-length": length });
  for (const chunk of chunks(pieces, sent)) {
    if (response.destroyed) return;
    // All bytes must be sent before the connection closes.
    await new Promise((resolve) => response.write(chunk, resolve));
  }
  if (damage.end === "reset") response.socket?.resetAndDestroy();
  else if (damage.end === "short") response.socket?.end();
  else response.end();
}

/** Adds to the data of an answer, else to the root of the JSON. */
function swell(body: Buffer, { megabytes, levels }: Damage): Piece[] {
  if (megabytes === 0 && levels === 0) return [{ bytes: body, times: 1 }];
  const start = body.subarray(0, 16).toString("latin1");
  const opening = /^\[?\{"data":\{/.exec(start)?.[0] ?? /^\{/.exec(start)?.[0] ?? "";
  const at = opening.length;
  const more = opening === "" ? padding(megabytes) : members(megabytes, levels, body[at] === BRACE);
  return [{ bytes: body.subarray(0, at), times: 1 }, ...more, { bytes: body.subarray(at), times: 1 }];
}

const BRACE = "}".charCodeAt(0);

function members(megabytes: number, levels: number, isOnly: boolean): Piece[] {
  const pieces: Piece[] = [];
  if (megabytes > 0)
    pieces.push(text('"huge":"'), { bytes: Buffer.alloc(MEGABYTE, "x"), times: megabytes }, text('"'));
  if (megabytes > 0 && levels > 0) pieces.push(text(","));
  if (levels > 0) pieces.push(text(`"deep":${"[".repeat(levels)}${"]".repeat(levels)}`));
  if (!isOnly) pieces.push(text(","));
  return pieces;
}

/** Blanks are valid before any JSON or HTML. */
function padding(megabytes: number): Piece[] {
  return megabytes === 0 ? [] : [{ bytes: Buffer.alloc(MEGABYTE, " "), times: megabytes }];
}

function text(characters: string): Piece {
  return { bytes: Buffer.from(characters), times: 1 };
}

function* chunks(pieces: readonly Piece[], most: number): Generator<Buffer, void> {
  let left = most;
  for (const { bytes, times } of pieces) {
    for (let count = 0; count < times && left > 0; count++) {
      const chunk = bytes.subarray(0, left);
      yield chunk;
      left -= chunk.length;
    }
  }
}
