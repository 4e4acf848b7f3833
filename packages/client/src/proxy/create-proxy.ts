import type { Client, ClientOptions } from "../client/client-types.ts";
import { createClient } from "../client/create-client.ts";
import { IndexerError } from "../client/indexer-error.ts";
import type { EndpointRequest, Routes } from "../manifest/manifest-types.ts";
import { isWorker, platform } from "../requests/platform.ts";
import { LATE, wait } from "../requests/wait.ts";
import { headersOf, renderBody, statusOf } from "./answer-error.ts";
import { createCallClient } from "./create-call-client.ts";
import { type AnyOperation, type ParsedCall, parseCall } from "./parse-call.ts";
import { refuseRequest } from "./parse-options.ts";
import { readBody } from "./read-body.ts";
import { MOST_BYTES, settleCall } from "./settle-call.ts";
import {
  type AnswerStart,
  type AnswerWriter,
  GRACE,
  openAnswer,
  respond,
  type SharedAnswer,
} from "./shared-answer.ts";
import { type MinimalRequest, type WebRequest, type WebResponse, web } from "./web.ts";

/** The options of a proxy: the allowed operations, and the options of its client. */
export type ProxyOptions<Request extends EndpointRequest = EndpointRequest> = Omit<
  ClientOptions<Request>,
  "name"
> & {
  /** The allowed operations. @default every portable operation */
  readonly operations?: readonly AnyOperation[] | undefined;
};

/**
 * Creates the handler of the calls of pages. Its client queries the indexers, with retries, fallback and keys; the page only
 * sends its call. Generated code has `createProxy(options)`, which is bound to the project.
 */
export function createProxy(
  routes: Routes,
  all: readonly object[],
  { operations = all as readonly AnyOperation[], ...options }: ProxyOptions = {},
): (request: WebRequest) => Promise<WebResponse> {
  const client = createClient(routes, options);
  const answers = new Map<string, SharedAnswer>();
  return async (request) => {
    const incoming = request as unknown as MinimalRequest;
    try {
      const call = parseCall(client, operations, await readRequest(incoming, client.timeout));
      return await respond(findAnswer(call), incoming.signal, call.options.deadline + 2 * GRACE);
    } catch (error) {
      // The page has aborted the request.
      if (incoming.signal?.aborted) return new web.Response(null, { status: 499 });
      if (!(error instanceof IndexerError)) throw error;
      const headers = { ...HEADERS, ...headersOf(error), "content-type": JSON_TYPE };
      return new web.Response(renderBody({ error: error.toJSON() }, []), {
        status: statusOf(error),
        headers,
      });
    }
  };

  /** Returns the answer of an equal call in flight. Not in Workers, where a request may not wait for another one's. */
  function findAnswer(call: ParsedCall): SharedAnswer {
    const { key } = call;
    const known = answers.get(key);
    if (known && known.users > 0 && !isWorker()) return known;
    const answer = openAnswer((writer) =>
      answerCall(client, call, writer).finally(() => {
        if (answers.get(key) === answer) answers.delete(key);
      }),
    );
    answers.set(key, answer);
    return answer;
  }
}

const JSON_TYPE = "application/json";

const HEADERS = { "cache-control": "no-store" };

async function readRequest(request: MinimalRequest, timeout: number): Promise<string> {
  if (request.method !== "POST") refuseRequest(405, "The method must be POST.");
  // Forms of other sites cannot send this type.
  if (!/^application\/json *(;|$)/i.test(request.headers.get("content-type") ?? "")) {
    refuseRequest(415, "The content type must be application/json.");
  }
  return readBody(request, timeout);
}

/** Runs a call, and writes its result, its lines or its error. */
async function answerCall(
  client: Client,
  call: ParsedCall,
  { signal, begin, write }: AnswerWriter,
): Promise<AnswerStart | undefined> {
  const { client: callClient, secrets } = createCallClient(client);
  let isBegun = false;
  const emit = (line: object, most = MOST_BYTES) => {
    const isWritten = write(`${renderBody(line, [...secrets])}\n`, most);
    if (isWritten && !isBegun) begin({ status: 200, headers: { ...HEADERS, "content-type": LINES_TYPE } });
    isBegun ||= isWritten;
    return isWritten;
  };
  const { deadline } = call.options;
  try {
    const result = await wait<unknown>(signal, deadline + GRACE, (done, fail) => {
      const stop = new platform.AbortController();
      settleCall(callClient, call, { signal: stop.signal, emit }).then(done, fail);
      return () => stop.abort();
    });
    if (result === undefined) return undefined;
    if (!write(renderBody({ result }, [...secrets]), MOST_BYTES)) throw new RangeError();
    return { status: 200, headers: { ...HEADERS, "content-type": JSON_TYPE } };
  } catch (error) {
    const failure = failureOfCall(error, deadline);
    if (isBegun) {
      emit({ error: failure.toJSON() }, Infinity);
      return undefined;
    }
    return answerError(failure, [...secrets], write);
  }
}

/** Writes the body of an error, and returns its status and headers. */
function answerError(
  error: IndexerError,
  secrets: readonly string[],
  write: (text: string) => unknown,
): AnswerStart {
  write(renderBody({ error: error.toJSON() }, secrets));
  return { status: statusOf(error), headers: { ...HEADERS, ...headersOf(error), "content-type": JSON_TYPE } };
}

const LINES_TYPE = "application/x-ndjson";

function failureOfCall(error: unknown, deadline: number): IndexerError {
  if (error === LATE) return new IndexerError("timeout", `No answer within ${deadline} ms.`);
  // An answer that is too deep or too large for the platform must not end the server.
  if (error instanceof RangeError) return new IndexerError("unavailable", "The answer is too large.");
  if (error instanceof IndexerError) return error;
  throw error;
}
