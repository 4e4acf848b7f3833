import { platform, readClock, type Signal } from "../requests/platform.ts";
import { onAbort, wait } from "../requests/wait.ts";
import { type WebResponse, web } from "./web.ts";

/** An answer that is being built, for all pages that requested it. */
export type SharedAnswer = {
  /** Whether it is sent in lines, its status and its headers; rejects with a bug. */
  readonly start: Promise<AnswerStart>;
  /** The parts of its body. */
  readonly parts: Uint8Array[];
  isEnded: boolean;
  /** Callbacks for the next part and the end. */
  readonly waiting: Set<() => void>;
  users: number;
  /** Aborts the call. */
  readonly abort: () => void;
};

export type AnswerStart = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
};

/** How a call writes its answer. */
export type AnswerWriter = {
  readonly signal: Signal;
  /** Sends the parts from now on; without it, they are sent once `work` has returned the start. */
  readonly begin: (start: AnswerStart) => void;
  /** Adds a part of the body, as long as all parts are small enough; returns whether it did. */
  readonly write: (text: string, most?: number) => boolean;
};

/** Starts a call, whose answer ends when `work` does. */
export function openAnswer(work: (writer: AnswerWriter) => Promise<AnswerStart | undefined>): SharedAnswer {
  const stop = new platform.AbortController();
  // Not when the module is loaded: some environments of tests have none.
  const encoder = new web.TextEncoder();
  const parts: Uint8Array[] = [];
  const waiting = new Set<() => void>();
  let bytes = 0;
  const wake = () => {
    for (const resume of waiting) resume();
    waiting.clear();
  };
  const start = new Promise<AnswerStart>((begin, fail) => {
    const write: AnswerWriter["write"] = (text, most = Infinity) => {
      const part = encoder.encode(text);
      if (bytes + part.length > most) return false;
      bytes += part.length;
      parts.push(part);
      wake();
      return true;
    };
    const end = (whole?: AnswerStart) => {
      answer.isEnded = true;
      if (whole) begin(whole);
      wake();
    };
    work({ signal: stop.signal, begin, write }).then(end, (error: unknown) => {
      fail(error);
      end();
    });
  });
  // Every page may have left.
  start.catch(() => {});
  const answer: SharedAnswer = { start, parts, isEnded: false, waiting, users: 0, abort: () => stop.abort() };
  return answer;
}

/** The most bytes that are given to a reader at a time. */
const MOST_BYTES = 65_536;

/** How long after the deadline a reader is cut off, in milliseconds. */
export const GRACE = 1_000;

/**
 * Returns the response of one of the pages. The call is aborted once all pages have left.
 *
 * @param time a page that takes no bytes within these milliseconds is cut off.
 * @throws the reason of the signal if the page has left.
 */
export async function respond(
  answer: SharedAnswer,
  signal: Signal | undefined,
  time: number,
): Promise<WebResponse> {
  const { parts, waiting } = answer;
  answer.users++;
  let isHere = true;
  let timer: unknown;
  const leave = () => {
    if (!isHere) return;
    isHere = false;
    forget();
    platform.clearTimeout(timer);
    if (--answer.users === 0 && !answer.isEnded) answer.abort();
  };
  const forget = onAbort(signal, leave);
  const end = readClock() + time;
  let status: number;
  let headers: AnswerStart["headers"];
  try {
    ({ status, headers } = await wait<AnswerStart>(signal, Infinity, (done, fail) => {
      answer.start.then(done, fail);
      return () => {};
    }));
  } catch (error) {
    leave();
    throw error;
  }
  const [first] = parts;
  if (answer.isEnded && first && parts.length === 1 && first.length <= MOST_BYTES) {
    leave();
    return new web.Response(first, { status, headers });
  }
  if (!canStream()) {
    while (!answer.isEnded) await new Promise<void>((done) => waiting.add(done));
    leave();
    return new web.Response(joinParts(parts), { status, headers });
  }
  let part = 0;
  let at = 0;
  const body = new web.ReadableStream(
    {
      start: (controller) => {
        timer = platform.setTimeout(() => {
          leave();
          controller.error(new Error("The page did not read the answer in time."));
        }, end - readClock());
      },
      pull: async (controller) => {
        while (part >= parts.length && !answer.isEnded) {
          await new Promise<void>((done) => waiting.add(done));
        }
        const bytes = parts[part];
        if (!bytes) {
          leave();
          // The timer has closed it.
          if (isOpen(controller)) controller.close();
          return;
        }
        const piece = bytes.subarray(at, at + MOST_BYTES);
        at += piece.length;
        if (at >= bytes.length) {
          part++;
          at = 0;
        }
        if (isOpen(controller)) controller.enqueue(piece);
      },
      cancel: leave,
    },
    { highWaterMark: 0 },
  );
  return new web.Response(body, { status, headers });
}

/** Whether a body can be sent in parts. Workers with a compatibility date before 2022-11-30 construct no streams. */
function canStream(): boolean {
  try {
    new web.ReadableStream({ start() {}, async pull() {}, cancel() {} }, { highWaterMark: 0 });
    return true;
  } catch {
    return false;
  }
}

function joinParts(parts: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

/** Whether a stream was not ended with an error. */
function isOpen({ desiredSize }: { readonly desiredSize: number | null }): boolean {
  return desiredSize !== null;
}
