import type { IncomingMessage } from "node:http";
import { EndpointError } from "../base/errors.ts";
import { redactUrl } from "../base/redact.ts";
import { displayText, endSentence } from "../base/text.ts";
import type { Target } from "../project/endpoints.ts";
import { codeOf, decodeBody, PROVISIONAL, STALE, startExchange } from "./exchange.ts";
import { firstMessage, introspectionDisabled } from "./parse-graphql-body.ts";
import { ProxyError } from "./proxy-error.ts";

type PostOptions = {
  readonly target: Pick<Target, "url" | "headers" | "proxy">;
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
  const { target, query, variables, timeout } = options;
  const { response: answered, stop } = startExchange({
    ...target,
    body: JSON.stringify({ query, variables }),
  });
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    stop();
  }, timeout);
  try {
    const response = await answered;
    if (response.statusCode !== 200) throw await statusError(response, target);
    return await readBody(response, target);
  } catch (cause) {
    if (cause instanceof EndpointError) throw cause;
    if (!isLate) throw networkError(cause, target);
    throw new EndpointError({
      code: "ENDPOINT_TIMEOUT",
      sentence: `The endpoint did not answer completely within ${timeout / 1000} s.`,
      context: describeRoute(target),
      hint: "try again, or raise the configuration's timeout.",
      cause,
    });
  } finally {
    clearTimeout(timer);
  }
}

/** Describes where a request was sent, for the context of errors. */
function describeRoute({ url, proxy }: PostOptions["target"]): string[] {
  return [`URL: ${redactUrl(url)}`, ...(proxy === null ? [] : [`through the proxy ${proxy.name}`])];
}

async function readBody(response: IncomingMessage, target: PostOptions["target"]): Promise<Uint8Array> {
  const body = decodeBody(response);
  if (body === null) {
    response.destroy();
    const encoding = displayText(response.headers["content-encoding"] ?? "", []);
    throw new EndpointError({
      code: "ENDPOINT_NOT_JSON",
      sentence: `The answer is encoded as "${encoding}", but only gzip was requested.`,
      context: describeRoute(target),
      hint: "inform the operator of the endpoint, or of the proxy before it.",
    });
  }
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
        context: describeRoute(target),
        hint: "check that the URL is the GraphQL endpoint of this deployment.",
      });
    }
    chunks.push(chunk);
  }
  return chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks);
}

async function statusError(response: IncomingMessage, target: PostOptions["target"]): Promise<EndpointError> {
  const status = response.statusCode ?? 0;
  // A server may echo the sent headers.
  const sent = Object.values(target.headers).flatMap((value) =>
    value.split(" ").filter(({ length }) => length > 3),
  );
  const message = await readMessage(response, target, sent);
  const error = ({ sentence, context = [], ...facts }: ConstructorParameters<typeof EndpointError>[0]) =>
    new EndpointError({
      ...facts,
      status,
      sentence: message === null ? `${sentence}.` : endSentence(`${sentence}: ${message}`),
      context: [...describeRoute(target), ...context],
    });
  if (status >= 300 && status < 400) {
    const { location } = response.headers;
    const to = location === undefined ? null : describeLocation(location, target.url, sent);
    const code = "ENDPOINT_REDIRECT";
    const why = "Redirects are not followed, so that no key reaches another host.";
    if (to === null || (status !== 301 && status !== 308)) {
      const sentence = `The endpoint redirects (HTTP ${status})`;
      const hint = `if the deployment has moved, configure the URL that it redirects to. ${why}`;
      return error({ code, sentence, hint, context: to === null ? [] : [`to: ${to}`] });
    }
    const sentence = `The endpoint has moved permanently (HTTP ${status}) to ${to}`;
    const hint = `configure the new URL, if you trust its host. ${why}`;
    return error({ code, sentence, hint, movedTo: to });
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

function describeLocation(location: string, url: string, secrets: readonly string[]): string {
  const target = URL.canParse(location, url) ? new URL(location, url).href : location;
  return displayText(redactUrl(target), secrets);
}

/** Returns the first GraphQL error of a failed request. If the body cannot be read, the status is still reported. */
async function readMessage(
  response: IncomingMessage,
  target: PostOptions["target"],
  secrets: readonly string[],
): Promise<string | null> {
  const isJson = /json/i.test(response.headers["content-type"] ?? "");
  const body = isJson ? await readBody(response, target).catch(() => null) : null;
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
  [407, "check the user and the password in the variable of the proxy."],
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

function networkError(error: unknown, target: PostOptions["target"]): EndpointError {
  const { url, proxy } = target;
  const context = describeRoute(target);
  const failure = { code: "ENDPOINT_UNREACHABLE", context, cause: error } as const;
  // Plain HTTP is sent to the proxy; only HTTPS has a tunnel, whose end is the endpoint.
  const isOfProxy = error instanceof ProxyError || UNCONNECTED.has(codeOf(error));
  const status = error instanceof ProxyError ? error.status : null;
  if (proxy !== null && status !== null) {
    const sentence = `The proxy ${proxy.name} refused to connect to ${new URL(url).host} (HTTP ${status}).`;
    const hint =
      status === 407
        ? `check the user and the password in ${proxy.variable}.`
        : "check no_proxy, or ask the operator of the proxy.";
    return new EndpointError({ ...failure, sentence, hint });
  }
  const reason = error instanceof ProxyError ? error.cause : error;
  const peer =
    proxy !== null && isOfProxy
      ? { name: `proxy ${proxy.name}`, url: proxy.url, hint: `check ${proxy.variable} and no_proxy.` }
      : { name: "endpoint", url, hint: "check the URL and your network." };
  const tls = describeTlsFault(reason, new URL(peer.url).host);
  const sentence = `The ${peer.name} could not be reached: ${tls ?? networkReason(reason)}.`;
  return new EndpointError({ ...failure, sentence, hint: tls ? TLS_HINT : peer.hint });
}

/** Codes of connections that were never open. */
const UNCONNECTED: ReadonlySet<string> = new Set(["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH"]);

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
  [PROVISIONAL, "it sent only provisional answers"],
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
