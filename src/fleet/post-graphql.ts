import {
  type ClientRequest,
  Agent as HttpAgent,
  request as httpRequest,
  type IncomingMessage,
} from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";
import { pipeline, type Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { EndpointError, type EndpointErrorCode } from "../base/errors.ts";
import { redactUrl } from "../base/redact.ts";
import { displayText } from "../base/text.ts";

type PostOptions = {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly query: string;
  readonly variables?: Readonly<Record<string, unknown>> | undefined;
  /** Milliseconds for the whole exchange, body included. */
  readonly timeout: number;
};

/** A real introspection answer has about one megabyte. */
const MAX_BODY_BYTES = 16 * 1024 * 1024;

/**
 * Sends one GraphQL request and gives the body's bytes. No retry: what a schema refresh may ask of an endpoint is
 * counted. `node:http` takes half the time of `fetch` here, and follows no redirect, with a key, to another host.
 *
 * @throws EndpointError for anything but an answer with status 200 and a body of sensible size.
 */
export async function postGraphql(options: PostOptions): Promise<Uint8Array> {
  let isLate = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  try {
    const request = send(options);
    // An abort signal does the same, and costs a hundred requests a twentieth of the run.
    timer = setTimeout(() => {
      isLate = true;
      request.destroy();
    }, options.timeout);
    const response = await responseTo(request);
    if (response.statusCode !== 200) {
      response.destroy();
      throw statusError(response, options);
    }
    return await readBody(response, options.url);
  } catch (cause) {
    if (cause instanceof EndpointError) throw cause;
    const context = [`URL: ${redactUrl(options.url)}`];
    if (isLate) {
      const sentence = `No complete answer came within ${options.timeout / 1000} s.`;
      const hint = "try again, or raise the configuration's timeout.";
      throw new EndpointError({ code: "ENDPOINT_TIMEOUT", sentence, context, hint, cause });
    }
    const tls = describeTlsFault(cause, new URL(options.url).host);
    const sentence = `The endpoint could not be reached: ${tls ?? networkReason(cause)}.`;
    const hint = tls ? TLS_HINT : "check the URL and your network.";
    throw new EndpointError({ code: "ENDPOINT_UNREACHABLE", sentence, context, hint, cause });
  } finally {
    clearTimeout(timer);
  }
}

// An idle connection is kept only as long as a run may need it again.
const httpAgent = new HttpAgent({ keepAlive: true, timeout: 5000 });
const httpsAgent = new HttpsAgent({ keepAlive: true, timeout: 5000 });

function send(options: PostOptions): ClientRequest {
  const url = new URL(options.url);
  const body = JSON.stringify({ query: options.query, variables: options.variables });
  const secure = url.protocol === "https:";
  const request = (secure ? httpsRequest : httpRequest)(url, {
    method: "POST",
    agent: secure ? httpsAgent : httpAgent,
    headers: {
      accept: "application/json",
      "accept-encoding": "gzip",
      "user-agent": "lockflow",
      ...options.headers,
      "content-type": "application/json",
      "content-length": Buffer.byteLength(body),
    },
  });
  request.end(body);
  return request;
}

/** Settles on every possible end of a request; otherwise the process would exit while it waits. */
function responseTo(request: ClientRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    let provisional = 0;
    request.on("response", resolve);
    // HTTP 101: a listener is given the connection, and without one the request ends without a word.
    request.on("upgrade", (response, socket) => {
      socket.destroy();
      resolve(response);
    });
    request.on("information", () => {
      if (++provisional > MOST_PROVISIONAL) request.destroy(errorOf("LOCKFLOW_PROVISIONAL"));
    });
    // Not `once`: an unhandled error event ends the process, even after the answer.
    request.on("error", reject);
    request.on("close", () => reject(errorOf("ECONNRESET")));
  });
}

/** Answers with a status below 200, which announce another: more of them are a server that will not come to it. */
const MOST_PROVISIONAL = 100;

function errorOf(code: string): Error {
  return Object.assign(new Error(code), { code });
}

/** What is decompressed at a time: an answer in a few pieces instead of sixty. */
const CHUNK_BYTES = 256 * 1024;

async function readBody(response: IncomingMessage, url: string): Promise<Uint8Array> {
  const compressed = /^(x-)?gzip$/i.test(response.headers["content-encoding"] ?? "");
  // What a pipeline's end reports, the loop below is thrown too.
  const body: Readable = compressed
    ? pipeline(response, createGunzip({ chunkSize: CHUNK_BYTES }), () => {})
    : response;
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body as AsyncIterable<Uint8Array>) {
    size += chunk.byteLength;
    // Counted after decompression: a small answer can hold a large one.
    if (size > MAX_BODY_BYTES) {
      response.destroy();
      throw new EndpointError({
        code: "ENDPOINT_BODY_TOO_LARGE",
        sentence: `The answer is larger than ${MAX_BODY_BYTES / 1024 / 1024} MB, so it was not read to its end.`,
        context: [`URL: ${redactUrl(url)}`],
        hint: "check that the URL is the GraphQL endpoint of this deployment.",
      });
    }
    chunks.push(chunk);
  }
  return chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks);
}

function statusError(response: IncomingMessage, { url, headers }: PostOptions): EndpointError {
  const status = response.statusCode ?? 0;
  const error = (code: EndpointErrorCode, sentence: string, hint: string, more: readonly string[] = []) =>
    new EndpointError({ code, status, sentence, context: [`URL: ${redactUrl(url)}`, ...more], hint });
  if (status >= 300 && status < 400) {
    const { location } = response.headers;
    // What was sent, a server may send back.
    const sent = Object.values(headers).flatMap((value) =>
      value.split(" ").filter(({ length }) => length > 3),
    );
    return error(
      "ENDPOINT_REDIRECT",
      `The endpoint redirects (HTTP ${status}), which is not followed so that no key reaches another host.`,
      "configure the URL it redirects to, if that is where the deployment lives now.",
      location === undefined ? [] : [`to: ${displayText(redactUrl(location), sent)}`],
    );
  }
  if (status === 401 || status === 403) {
    return error(
      "ENDPOINT_UNAUTHORIZED",
      `The endpoint refused access (HTTP ${status}).`,
      "check the key in the variable that its apiKey names, and what the key is allowed to query.",
    );
  }
  if (status === 429) {
    const wait = retryAfter(response.headers["retry-after"]);
    return error(
      "ENDPOINT_RATE_LIMITED",
      `The endpoint's quota is used up (HTTP 429)${wait === null ? "" : `; it asks to wait ${wait}`}.`,
      "try again later, or ask the other environment with --environment.",
    );
  }
  const hint = STATUS_HINTS.get(status) ?? "try again later.";
  return error("ENDPOINT_STATUS", `The endpoint answered HTTP ${status}.`, hint);
}

const STATUS_HINTS: ReadonlyMap<number, string> = new Map([
  [101, "check the URL: what answers there speaks another protocol than HTTP, as WebSockets do."],
  [404, "check the URL, the deployment may have moved."],
]);

/** Parses untrusted text that is shown: seconds or an HTTP date, nothing else. */
function retryAfter(value: string | undefined): string | null {
  if (value === undefined) return null;
  if (/^\d{1,7}$/.test(value)) return `${Number(value)} s`;
  const date = new Date(value);
  return Number.isNaN(date.getTime()) ? null : `until ${date.toISOString()}`;
}

function networkReason(error: unknown): string {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  // What Node's parser of HTTP complains of, in thirty ways.
  if (code.startsWith("HPE_")) return "its answer is not HTTP, or breaks its rules";
  return REASONS.get(code) ?? (/^[A-Z_]{3,40}$/.test(code) ? code : "the connection failed");
}

const REASONS: ReadonlyMap<string, string> = new Map([
  ["ECONNREFUSED", "the connection was refused"],
  ["ECONNRESET", "the connection was closed before the answer was complete"],
  ["LOCKFLOW_PROVISIONAL", "it sent nothing but provisional answers"],
  ["ENOTFOUND", "the host does not exist"],
  ["EAI_AGAIN", "the host's name could not be looked up"],
  ["Z_BUF_ERROR", "its compressed answer was cut off"],
  ["Z_DATA_ERROR", "its compressed answer is broken"],
]);

/** Returns what is wrong with the secure connection to a host; null for other errors. */
export function describeTlsFault(error: unknown, host: string): string | null {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const fault = CERTIFICATE_FAULTS.get(code);
  if (fault !== undefined) return `the certificate of ${host} ${fault}`;
  return /^(EPROTO|ERR_SSL_)/.test(code)
    ? `${host} does not speak TLS, or no version that this machine accepts`
    : null;
}

const NOT_TRUSTED = "is not signed by an authority that this machine trusts";

const CERTIFICATE_FAULTS: ReadonlyMap<string, string> = new Map([
  ["CERT_HAS_EXPIRED", "has expired"],
  ["CERT_NOT_YET_VALID", "is not valid yet"],
  ["CERT_REVOKED", "was revoked"],
  ["ERR_TLS_CERT_ALTNAME_INVALID", "is for another host"],
  ["DEPTH_ZERO_SELF_SIGNED_CERT", "is self-signed"],
  ["SELF_SIGNED_CERT_IN_CHAIN", NOT_TRUSTED],
  ["UNABLE_TO_GET_ISSUER_CERT", NOT_TRUSTED],
  ["UNABLE_TO_GET_ISSUER_CERT_LOCALLY", NOT_TRUSTED],
  ["UNABLE_TO_VERIFY_LEAF_SIGNATURE", NOT_TRUSTED],
  ["CERT_UNTRUSTED", NOT_TRUSTED],
  ["CERT_SIGNATURE_FAILURE", NOT_TRUSTED],
]);

// Never to skip the verification: it keeps the key from another host.
const TLS_HINT =
  "check the URL and the clock of this machine. If the host, or a proxy before it, has its own authority, set NODE_EXTRA_CA_CERTS to the file of its certificate; else its operator has to correct it.";
