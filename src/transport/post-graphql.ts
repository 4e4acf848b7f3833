import { EndpointError } from "../errors/endpoint-error.ts";
import { redactUrl } from "../utils/redact-url.ts";

export type PostOptions = {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly query: string;
  readonly variables?: Readonly<Record<string, unknown>> | undefined;
  /** Milliseconds for the whole exchange, body included. */
  readonly timeout: number;
};

/** A real introspection answer has about one megabyte; nothing we ask for comes near this. */
export const MAX_BODY_BYTES = 32 * 1024 * 1024;

/**
 * Sends one GraphQL request and gives the body's bytes. No retry: what a schema refresh may ask of an endpoint
 * is counted.
 *
 * Redirects are refused because a key must not follow one to another host.
 *
 * @throws EndpointError for anything but an answer with status 200 and a body of sensible size.
 */
export async function postGraphql(options: PostOptions): Promise<Uint8Array> {
  const signal = AbortSignal.timeout(options.timeout);
  try {
    const response = await fetch(options.url, {
      method: "POST",
      headers: { accept: "application/json", ...options.headers, "content-type": "application/json" },
      body: JSON.stringify({ query: options.query, variables: options.variables }),
      redirect: "manual",
      signal,
    });
    if (response.status !== 200) {
      await response.body?.cancel();
      throw statusError(response, options.url);
    }
    return await readBody(response, options.url);
  } catch (cause) {
    if (cause instanceof EndpointError) throw cause;
    if (signal.aborted) {
      throw new EndpointError({
        code: "ENDPOINT_TIMEOUT",
        sentence: `No complete answer came within ${options.timeout / 1000} s.`,
        context: [`URL: ${redactUrl(options.url)}`],
        hint: "try again, or raise the configuration's timeout.",
        cause,
      });
    }
    throw new EndpointError({
      code: "ENDPOINT_UNREACHABLE",
      sentence: `The endpoint could not be reached: ${networkReason(cause)}.`,
      context: [`URL: ${redactUrl(options.url)}`],
      hint: "check the URL and your network.",
      cause,
    });
  }
}

async function readBody(response: Response, url: string): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  if (Number(response.headers.get("content-length") ?? 0) > MAX_BODY_BYTES) {
    await response.body?.cancel();
    throw bodyTooLarge(url);
  }
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    if (size > MAX_BODY_BYTES) throw bodyTooLarge(url);
    chunks.push(chunk);
  }
  return chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks);
}

function bodyTooLarge(url: string): EndpointError {
  return new EndpointError({
    code: "ENDPOINT_BODY_TOO_LARGE",
    sentence: `The answer is larger than ${MAX_BODY_BYTES / 1024 / 1024} MB, so it was not read to its end.`,
    context: [`URL: ${redactUrl(url)}`],
    hint: "check that the URL is the GraphQL endpoint of this deployment.",
  });
}

function statusError(response: Response, url: string): EndpointError {
  const { status } = response;
  const context = [`URL: ${redactUrl(url)}`];
  if (status >= 300 && status < 400) {
    const location = response.headers.get("location");
    return new EndpointError({
      code: "ENDPOINT_REDIRECT",
      sentence: `The endpoint redirects (HTTP ${status}), which is not followed so that no key reaches another host.`,
      context: location === null ? context : [...context, `to: ${redactUrl(location)}`],
      hint: "configure the URL it redirects to, if that is where the deployment lives now.",
    });
  }
  if (status === 401 || status === 403) {
    return new EndpointError({
      code: "ENDPOINT_UNAUTHORIZED",
      sentence: `The endpoint refused access (HTTP ${status}).`,
      context,
      hint: "check the key in the variable that its apiKey names, and what the key is allowed to query.",
    });
  }
  if (status === 429) {
    const wait = retryAfter(response.headers.get("retry-after"));
    return new EndpointError({
      code: "ENDPOINT_RATE_LIMITED",
      sentence: `The endpoint's quota is used up (HTTP 429)${wait === null ? "" : `; it asks to wait ${wait}`}.`,
      context,
      hint: "try again later, or ask the other environment with --environment.",
    });
  }
  return new EndpointError({
    code: "ENDPOINT_STATUS",
    sentence: `The endpoint answered HTTP ${status}.`,
    context,
    hint: status === 404 ? "check the URL, the deployment may have moved." : "try again later.",
  });
}

/** Seconds or an HTTP date, from a stranger: shown only in these two forms. */
function retryAfter(value: string | null): string | null {
  if (value === null) return null;
  if (/^\d{1,7}$/.test(value)) return `${Number(value)} s`;
  const date = new Date(value);
  return Number.isNaN(date.getTime()) ? null : `until ${date.toISOString()}`;
}

function networkReason(error: unknown): string {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (typeof code === "string" && REASONS.has(code)) return REASONS.get(code) ?? code;
    if (typeof code === "string" && /^[A-Z_]{3,40}$/.test(code) && cause.cause === undefined) return code;
  }
  return "the connection failed";
}

const REASONS: ReadonlyMap<string, string> = new Map([
  ["ECONNREFUSED", "the connection was refused"],
  ["ECONNRESET", "the connection was reset"],
  ["ENOTFOUND", "there is no such host"],
  ["EAI_AGAIN", "the host's name could not be looked up"],
  ["UND_ERR_SOCKET", "the connection was closed before the answer was complete"],
  ["UND_ERR_CONNECT_TIMEOUT", "the connection took too long"],
  ["CERT_HAS_EXPIRED", "its certificate has expired"],
  ["DEPTH_ZERO_SELF_SIGNED_CERT", "its certificate is self-signed"],
]);
