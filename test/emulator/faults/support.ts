import { request } from "node:http";
import type { Emulator } from "../../../emulator/server/start-emulator.ts";
import { endpoint, HEALTH, post } from "../support.ts";

/** Returns the testing URL of a subgraph, or the production URL of a multichain deployment. */
export function urlOf(emulator: Emulator, name: string): string {
  const environment = name.endsWith("multichain") ? "production" : "testing";
  const match = emulator.endpoints.find(
    (served) => served.deployment === name && served.environment === environment,
  );
  return match?.url ?? endpoint(emulator, "subgraph").url;
}

/** Queries a deployment and returns the parsed answer. */
export async function ask(emulator: Emulator, name: string, query: string): Promise<unknown> {
  return (await post(urlOf(emulator, name), { query })).json();
}

/** Queries a deployment and returns the data of its answer, which has no errors. */
export async function read<T>(emulator: Emulator, name: string, query: string): Promise<T> {
  const answer = (await ask(emulator, name, query)) as { readonly data: T; readonly errors?: unknown };
  if (answer.errors !== undefined) throw new Error(JSON.stringify(answer.errors));
  return answer.data;
}

/** Returns the number of the head block of a subgraph. */
export async function headOf(emulator: Emulator, name: string): Promise<number> {
  type Health = { readonly _meta: { readonly block: { readonly number: number } } };
  return (await read<Health>(emulator, name, HEALTH))._meta.block.number;
}

export type RawAnswer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
  /** The code of the error that cut off the answer; null if it is complete. */
  readonly error: string | null;
};

/** Posts a query without a client, to observe how the connection ends. */
export function postRaw(url: string, query = "{ _meta { block { number } } }"): Promise<RawAnswer> {
  return new Promise((resolve) => {
    const body = JSON.stringify({ query });
    let [status, headers, text]: [number, Record<string, unknown>, string] = [0, {}, ""];
    const end = (error: string | null) => resolve({ status, headers, body: text, error });
    const headersToSend = { "content-type": "application/json", "content-length": Buffer.byteLength(body) };
    const sent = request(url, { method: "POST", headers: headersToSend, agent: false }, (response) => {
      status = response.statusCode ?? 0;
      headers = response.headers;
      response.setEncoding("latin1").on("data", (chunk: string) => {
        text += chunk;
      });
      response.once("error", (error: NodeJS.ErrnoException) => end(error.code ?? error.message));
      response.once("end", () => end(null));
    });
    sent.once("error", (error: NodeJS.ErrnoException) => end(error.code ?? error.message));
    sent.end(body);
  });
}

/** Sends requests one after the other and returns their statuses; 0 if there was no answer. */
export async function statuses(url: string, count: number): Promise<number[]> {
  const codes: number[] = [];
  for (let number = 0; number < count; number++) codes.push((await postRaw(url)).status);
  return codes;
}
