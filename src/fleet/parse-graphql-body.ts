import { EndpointError } from "../base/errors.ts";
import { isObject, parseJson } from "../base/parse-json.ts";
import { containsSecret, redactText } from "../base/redact.ts";
import { displayText, endSentence } from "../base/text.ts";

/** The untrusted data of an answer, and the errors that the server reported with it. */
type GraphqlBody = { readonly data: Readonly<Record<string, unknown>>; readonly errors: readonly string[] };

/**
 * Parses the body of an answer with status 200. Gateways also send failures with this status.
 *
 * @param secrets the secrets sent in headers: a server may echo them, and they must not reach any message or file.
 */
export function parseGraphqlBody(bytes: Uint8Array, secrets: readonly string[] = []): GraphqlBody {
  const text = new TextDecoder().decode(bytes);
  if (text.trim() === "") {
    throw new EndpointError({
      code: "ENDPOINT_EMPTY_BODY",
      sentence: "The endpoint answered HTTP 200 with an empty body.",
      hint: "try again later, and check the URL.",
    });
  }
  const body = parseJson(text);
  if (body === undefined) {
    const html = /^\s*<(!doctype|html|\?xml)/i.test(text);
    throw new EndpointError({
      code: "ENDPOINT_NOT_JSON",
      sentence: html
        ? "The endpoint answered with a web page instead of JSON."
        : `The endpoint's answer is not JSON, or was cut off (${bytes.byteLength} bytes).`,
      hint: html ? "check that the URL is the endpoint and not a page for browsers." : "try again later.",
    });
  }
  if (!isObject(body)) {
    throw new EndpointError({
      code: "ENDPOINT_NOT_JSON",
      sentence: "The endpoint's answer is JSON, but not a GraphQL result.",
      hint: "check that the URL is a GraphQL endpoint.",
    });
  }
  const { data, errors } = body;
  const messages = errorMessages(errors, secrets);
  if (!isObject(data)) throw noData(messages);
  // The text is searched first: it is at hand, and usually contains none.
  if (containsSecret(text, secrets) && containsSecret(textOf(data), secrets)) throw echoesKey();
  return { data, errors: messages };
}

/** Returns the first error in the body of an answer with another status; null if it is not a GraphQL result. */
export function firstMessage(bytes: Uint8Array, secrets: readonly string[]): string | null {
  const body = parseJson(new TextDecoder().decode(bytes));
  return (isObject(body) && errorMessages(body["errors"], secrets)[0]) || null;
}

/** Serializes the data. Throws if it is nested too deeply, because it cannot be searched then. */
function textOf(data: object): string {
  try {
    return JSON.stringify(data);
  } catch {
    throw echoesKey();
  }
}

function echoesKey(): EndpointError {
  return new EndpointError({
    code: "ENDPOINT_ECHOES_KEY",
    sentence:
      "The answer contains the value of a variable that was sent, so it is rejected: snapshots are committed.",
    hint: "if the value is a key, replace it and inform the endpoint's operator; if it is not a secret, write the header as a literal in the configuration.",
  });
}

/** Returns the error for a message that refuses introspection; null for other messages. */
export function introspectionDisabled(message: string): EndpointError | null {
  const isRefused =
    /introspection/i.test(message) && /disabled|not allowed|forbidden|not permitted/i.test(message);
  // Some servers say so. Others say that the root field of introspection does not exist.
  if (!isRefused && !/^field '__schema' not found in type/.test(message)) return null;
  return new EndpointError({
    code: "ENDPOINT_INTROSPECTION_DISABLED",
    sentence: endSentence(`The endpoint does not answer introspection: ${message}`),
    hint: "ask its operator to allow introspection, or introspect another environment with --environment.",
  });
}

function noData(messages: readonly string[]): EndpointError {
  const [first = "it has neither data nor errors"] = messages;
  const disabled = introspectionDisabled(first);
  if (disabled !== null) return disabled;
  const isUnauthorized = /^auth error/i.test(first);
  return new EndpointError({
    code: isUnauthorized ? "ENDPOINT_UNAUTHORIZED" : "ENDPOINT_GRAPHQL_ERRORS",
    // Gateways report this for a deployment that indexers dropped because it got no queries.
    isDormant: /subgraph not found: (no allocations|no valid versions)/.test(first),
    sentence: endSentence(`The endpoint answered HTTP 200 with no data: ${first}`),
    context: messages.slice(1).map((message) => `and ${message}`),
    hint: isUnauthorized
      ? "check the key in the variable that its apiKey names."
      : "try again later, and check that the URL is this deployment's.",
  });
}

/** The most errors to show. A server may send many. */
const MOST_MESSAGES = 3;

function errorMessages(errors: unknown, secrets: readonly string[]): string[] {
  if (!Array.isArray(errors)) return [];
  const different = new Set(errors.slice(0, MOST_SEARCHED).map((error) => messageOf(error, secrets)));
  const messages = [...different].slice(0, MOST_MESSAGES);
  const left = errors.length - messages.length;
  return left > 0 ? [...messages, `${left} more ${left === 1 ? "error" : "errors"}`] : messages;
}

/** The most errors to search for different messages. */
const MOST_SEARCHED = 100;

function messageOf(error: unknown, secrets: readonly string[]): string {
  const message = isObject(error) && "message" in error ? error["message"] : error;
  const text = typeof message === "string" ? message : "an error without a message";
  return redactText(displayText(text, secrets));
}
