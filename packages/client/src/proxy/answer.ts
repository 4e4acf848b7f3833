import type { Client } from "../client/client-options.ts";
import { type AnyOperation, forward } from "../client/forward.ts";
import { IndexerError } from "../client/indexer-error.ts";
import { answerError } from "./answer-error.ts";
import { parseQuestion } from "./parse-question.ts";
import { readBody } from "./read-body.ts";
import { refuseRequest } from "./refuse-request.ts";
import { hideSecrets, renderBody } from "./render-body.ts";
import { type Asked, type WebResponse, web } from "./web.ts";

/** Answers a request as an indexer answers it, or with an error; throws the reason where it is aborted. */
export async function answer(
  client: Client,
  operations: readonly AnyOperation[],
  request: Asked,
): Promise<WebResponse> {
  const headers: Record<string, string> = { "content-type": "application/json" };
  const secrets: string[] = [];
  const places: string[] = [];
  const fetch: Client["fetch"] = async (url, init) => {
    const { hostname, pathname } = new web.URL(String(url));
    secrets.push(...secretsOf(String(url), init?.headers));
    places.push(hostname, pathname);
    // Workers support no other mode that does not follow redirects.
    const { fetch: send } = client;
    const response = await send(url, { ...init, redirect: "manual" });
    for (const name of PASSED) {
      const value = response.headers.get(name);
      if (value !== null && hideSecrets(value, secrets) === value) headers[name] = value;
    }
    return response;
  };
  try {
    if (request.method !== "POST") refuseRequest(405, "Only POST is answered.");
    // No form of another site sends this type.
    if (!/^application\/json *(;|$)/i.test(request.headers.get("content-type") ?? "")) {
      refuseRequest(415, "The content type has to be application/json.");
    }
    const question = parseQuestion(await readBody(request, client.timeout));
    const data = await forward({ ...client, fetch }, operations, question, request.signal);
    return new web.Response(renderBody({ data }, secrets), { headers });
  } catch (error) {
    // Rows may have the name of a host in them; an error has no reason to.
    if (error instanceof IndexerError) return answerError(error, [...secrets, ...places]);
    throw error;
  }
}

/** How long an answer is good for. Its tag is left out: it is of another text than this one. */
const PASSED = ["age", "cache-control", "expires"];

/** What a page must not see of a request to an indexer: its URL, and all headers but one. */
function secretsOf(url: string, headers: unknown): string[] {
  const values = [...new web.Headers(headers)].flatMap(([name, value]) =>
    name === "content-type" ? [] : [value, value.split(" ").at(-1) ?? ""],
  );
  return [url, new web.URL(url).host, ...values];
}
