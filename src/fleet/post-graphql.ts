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
import { displayText, endSentence } from "../base/text.ts";
import { firstMessage, introspectionDisabled } from "./parse-graphql-body.ts";

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
 * Sends one GraphQL request and returns the bytes of the body. Never repeats a request that a server may have received,
 * because the number of requests per run is limited. `node:http` takes half the time of `fetch` here, and does not follow
 * redirects with a key to another host.
 *
 * @throws EndpointError for anything but an answer with status 200 and a body of sensible size.
 */
export async function postGraphql(options: PostOptions): Promise<Uint8Array> {
  let isLate = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  try {
    let request = send(options);
    // An abort signal would do the same, but takes 5 % of the time of a hundred requests.
    timer = setTimeout(() => {
      isLate = true;
      request.destroy();
    }, options.timeout);
    const response = await responseTo(request).catch((error: unknown) => {
      if (isLate || codeOf(error) !== STALE) throw error;
      request = send(options);
      return responseTo(request);
    });
    if (response.statusCode !== 200) throw await statusError(response, options);
    return await readBody(response, options.url);
  } catch (cause) {
    if (cause instanceof EndpointError) throw cause;
    const context = [`URL: ${redactUrl(options.url)}`];
    if (isLate) {
      const sentence = `The endpoint did not answer completely within ${options.timeout / 1000} s.`;
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

// Idle connections are kept for as long as a run may need them again.
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
    let bytesBefore = 0;
    request.on("socket", ({ bytesRead }) => {
      bytesBefore = bytesRead;
    });
    const fail = (error: Error) => {
      const isClosed = /^(ECONNRESET|EPIPE)$/.test(codeOf(error));
      const isStale = isClosed && request.reusedSocket && request.socket?.bytesRead === bytesBefore;
      reject(isStale ? errorOf(STALE) : error);
    };
    request.on("response", resolve);
    // HTTP 101: without a listener, the request would end without an event.
    request.on("upgrade", (response, socket) => {
      socket.destroy();
      resolve(response);
    });
    request.on("information", () => {
      if (++provisional > MOST_PROVISIONAL) request.destroy(errorOf("LOCKFLOW_PROVISIONAL"));
    });
    // Not `once`: an unhandled error event ends the process, even after the answer.
    request.on("error", fail);
    request.on("close", () => fail(errorOf("ECONNRESET")));
  });
}

/** A kept connection was closed before the first byte of the answer: servers close idle ones at any time. */
const STALE = "LOCKFLOW_STALE";

/** The most responses with a status below 200. A hostile server may send them without end. */
const MOST_PROVISIONAL = 100;

function errorOf(code: string): Error {
  return Object.assign(new Error(code), { code });
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}

/** The size of decompressed chunks: an answer has a few of them instead of sixty. */
const CHUNK_BYTES = 256 * 1024;

async function readBody(response: IncomingMessage, url: string): Promise<Uint8Array> {
  const encoding = response.headers["content-encoding"] ?? "";
  const compressed = /^(x-)?gzip$/i.test(encoding);
  if (!compressed && !/^(identity)?$/i.test(encoding)) {
    response.destroy();
    throw new EndpointError({
      code: "ENDPOINT_NOT_JSON",
      sentence: `The answer is encoded as "${displayText(encoding, [])}", but only gzip was requested.`,
      context: [`URL: ${redactUrl(url)}`],
      hint: "inform the operator of the endpoint, or of the proxy before it.",
    });
  }
  // The loop below throws the errors that the pipeline's callback would report.
  const body: Readable = compressed
    ? pipeline(response, createGunzip({ chunkSize: CHUNK_BYTES }), () => {})
    : response;
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body as AsyncIterable<Uint8Array>) {
    size += chunk.byteLength;
    // Counted after decompression, because a small answer can expand to a large one.
    if (size > MAX_BODY_BYTES) {
      response.destroy();
      throw new EndpointError({
        code: "ENDPOINT_BODY_TOO_LARGE",
        sentence: `The answer is larger than ${MAX_BODY_BYTES / 1024 / 1024} MB, so it was not read completely.`,
        context: [`URL: ${redactUrl(url)}`],
        hint: "check that the URL is the GraphQL endpoint of this deployment.",
      });
    }
    chunks.push(chunk);
  }
  return chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks);
}

async function statusError(response: IncomingMessage, options: PostOptions): Promise<EndpointError> {
  const status = response.statusCode ?? 0;
  // A server may echo the sent headers.
  const sent = Object.values(options.headers).flatMap((value) =>
    value.split(" ").filter(({ length }) => length > 3),
  );
  const message = await readMessage(response, options.url, sent);
  const error = (facts: {
    code: EndpointErrorCode;
    sentence: string;
    hint: string;
    target?: string;
    movedTo?: string;
  }) =>
    new EndpointError({
      code: facts.code,
      status,
      movedTo: facts.movedTo,
      sentence: message === null ? `${facts.sentence}.` : endSentence(`${facts.sentence}: ${message}`),
      context: [
        `URL: ${redactUrl(options.url)}`,
        ...(facts.target === undefined ? [] : [`to: ${facts.target}`]),
      ],
      hint: facts.hint,
    });
  if (status >= 300 && status < 400) {
    const { location } = response.headers;
    const target = location === undefined ? null : describeLocation(location, options.url, sent);
    const code = "ENDPOINT_REDIRECT";
    const why = "Redirects are not followed, so that no key reaches another host.";
    if (target === null || (status !== 301 && status !== 308)) {
      const sentence = `The endpoint redirects (HTTP ${status})`;
      const hint = `if the deployment has moved, configure the URL that it redirects to. ${why}`;
      return error({ code, sentence, hint, ...(target !== null && { target }) });
    }
    const sentence = `The endpoint has moved permanently (HTTP ${status}) to ${target}`;
    const hint = `configure the new URL, if you trust its host. ${why}`;
    return error({ code, sentence, hint, movedTo: target });
  }
  const disabled = message === null ? null : introspectionDisabled(message);
  if (disabled !== null) return disabled;
  if (status === 401 || status === 403) {
    return error({
      code: "ENDPOINT_UNAUTHORIZED",
      sentence: `The endpoint refused access (HTTP ${status})`,
      hint: "check the key in the variable that its apiKey names, and what the key is allowed to query.",
    });
  }
  if (status === 429) {
    const wait = retryAfter(response.headers["retry-after"]);
    return error({
      code: "ENDPOINT_RATE_LIMITED",
      sentence: `The endpoint's quota is used up (HTTP 429)${wait === null ? "" : `; it asks to wait ${wait}`}`,
      hint: "try again later, or query the other environment with --environment.",
    });
  }
  const hint = STATUS_HINTS.get(status) ?? "try again later.";
  return error({ code: "ENDPOINT_STATUS", sentence: `The endpoint answered HTTP ${status}`, hint });
}

/** Returns the absolute URL of a redirect for messages. */
function describeLocation(location: string, url: string, secrets: readonly string[]): string {
  const target = URL.canParse(location, url) ? new URL(location, url).href : location;
  return displayText(redactUrl(target), secrets);
}

/** Returns the first GraphQL error of a failed request. If the body cannot be read, the status is still reported. */
async function readMessage(
  response: IncomingMessage,
  url: string,
  secrets: readonly string[],
): Promise<string | null> {
  const isJson = /json/i.test(response.headers["content-type"] ?? "");
  const body = isJson ? await readBody(response, url).catch(() => null) : null;
  response.destroy();
  return body && firstMessage(body, secrets);
}

const REFUSED = "check that the URL is the GraphQL endpoint of this deployment.";

const STATUS_HINTS: ReadonlyMap<number, string> = new Map([
  [101, "check the URL: the server there expects another protocol than HTTP, such as WebSockets."],
  [400, REFUSED],
  [402, "check the plan and the balance of the account that the key belongs to."],
  [404, "check the URL: the deployment may have moved."],
  [405, "check the URL: the server there does not accept POST requests."],
  [406, REFUSED],
  [410, 'the deployment is permanently gone: set its status to "retired" in the configuration.'],
  [413, "the server, or a proxy before it, accepts smaller requests only: ask its operator."],
  [415, REFUSED],
  [422, REFUSED],
]);

/** Parses untrusted text that is shown: seconds or an HTTP date, nothing else. */
function retryAfter(value: string | undefined): string | null {
  if (value === undefined) return null;
  if (/^\d{1,7}$/.test(value)) return `${Number(value)} s`;
  const date = new Date(value);
  return Number.isNaN(date.getTime()) ? null : `until ${date.toISOString()}`;
}

function networkReason(error: unknown): string {
  const code = codeOf(error);
  // Node's HTTP parser has thirty codes with this prefix.
  if (code.startsWith("HPE_")) return "its answer is not valid HTTP";
  return REASONS.get(code) ?? (/^[A-Z_]{3,40}$/.test(code) ? code : "the connection failed");
}

const REASONS: ReadonlyMap<string, string> = new Map([
  ["ECONNREFUSED", "the connection was refused"],
  ["ECONNRESET", "the connection was closed before the answer was complete"],
  [STALE, "the connection was closed before the answer was complete"],
  ["LOCKFLOW_PROVISIONAL", "it sent only provisional answers"],
  ["ENOTFOUND", "the host does not exist"],
  ["EAI_AGAIN", "the host's name could not be looked up"],
  ["Z_BUF_ERROR", "its compressed answer was cut off"],
  ["Z_DATA_ERROR", "its compressed answer is broken"],
]);

/** Returns what is wrong with the secure connection to a host; null for other errors. */
export function describeTlsFault(error: unknown, host: string): string | null {
  const code = codeOf(error);
  const fault = CERTIFICATE_FAULTS.get(code);
  if (fault !== undefined) return `the certificate of ${host} ${fault}`;
  return /^(EPROTO|ERR_SSL_)/.test(code)
    ? `${host} does not support TLS, or no version that this machine accepts`
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

// Never suggests to skip the verification, which keeps the key from another host.
const TLS_HINT =
  "check the URL and the clock of this machine. If the host, or a proxy before it, has its own authority, set NODE_EXTRA_CA_CERTS to the file of its certificate. Otherwise its operator has to correct it.";
