import type { Client } from "../client/client-types.ts";
import { IndexerError } from "../client/indexer-error.ts";
import { HEALTH } from "../requests/heads.ts";
import { hideIn } from "./answer-error.ts";
import { web } from "./web.ts";

/**
 * Creates a client of one call, which shares the state of the proxy's. Its errors have no URL of an indexer, and it sends a
 * limited number of requests.
 *
 * @returns also the keys and URLs that it has sent.
 */
export function createCallClient(client: Client): {
  readonly client: Client;
  readonly secrets: ReadonlySet<string>;
} {
  const secrets = new Set<string>();
  const places = new Set<string>();
  /** The pages of rows that the call has requested. */
  const pages = new Set<string>();
  let left = 0;
  const requireRequest = () => {
    if (left < 1) throw new IndexerError("unavailable", "The call has no requests left.");
  };
  const buildPart: Client["buildPart"] = (call, style, chains) => {
    const part = client.buildPart(call, style, chains);
    const page = JSON.stringify([chains, call.variables], (_, value) =>
      typeof value === "bigint" ? String(value) : value,
    );
    // Polls of heads are not counted.
    if (call.operation.name === HEALTH) left += client.retries + 1;
    else if (!pages.has(page)) left += (2 * (client.retries + 1) + 3) * chains.length;
    pages.add(page);
    requireRequest();
    return part;
  };
  const fetch: Client["fetch"] = (url, init) => {
    requireRequest();
    left--;
    const { host, hostname, pathname } = new web.URL(String(url));
    for (const secret of [String(url), host, ...valuesOf(init?.headers)]) secrets.add(secret);
    for (const place of [hostname, pathname]) places.add(place);
    // Workers throw if `fetch` is called as a method of another object.
    const { fetch: send } = client;
    return send(url, init);
  };
  const readAnswer: Client["readAnswer"] = (value, keys) => {
    const answer = client.readAnswer(value, keys);
    // Rows may contain the names of hosts, errors may not.
    return answer.code === null ? answer : (hideIn(answer, [...secrets, ...places]) as typeof answer);
  };
  return { client: { ...client, buildPart, fetch, readAnswer }, secrets };
}

function valuesOf(headers: unknown): string[] {
  return [...new web.Headers(headers)].flatMap(([name, value]) =>
    name === "content-type" ? [] : [value, value.split(" ").at(-1) ?? ""],
  );
}
