import type { Endpoint, Variables } from "../manifest/manifest-types.ts";
import type { StyleName } from "../manifest/project.ts";
import type { Client } from "./client-options.ts";
import { IndexerError } from "./indexer-error.ts";
import { type HeaderValues, platform } from "./platform.ts";

/** The headers of a request, and the secrets in their values. */
export type Headers = { readonly headers: Record<string, string>; readonly secrets: readonly string[] };

/** The headers of a request. A key is read now, and goes to the host that its rule names and to no other. */
export async function headersOf(client: Client, target: Endpoint, style: StyleName): Promise<Headers> {
  const { auth, url, deployment, secretHeaders } = target;
  const fail = (said: string, cause?: unknown) =>
    new IndexerError("auth", `${deployment}: ${said}.`, { style, deployment, cause });
  const headers: Record<string, string> = { ...target.headers };
  const secrets: string[] = [];
  let given: HeaderValues | undefined;
  try {
    given = await client.headers?.(target);
  } catch (error) {
    throw fail("headers() of the client threw", error);
  }
  try {
    for (const [name, value] of new platform.Headers(given)) {
      headers[name] = value;
      // Any value of a program's own headers may be secret if it is as long as a key.
      secrets.push(...value.split(" ").filter((word) => word.length > 7));
    }
  } catch {
    // The platform's error shows the value.
    throw fail("headers() of the client returned an invalid header");
  }
  const wanted = Object.entries(secretHeaders).map(([name, env]) => [name, env, ""] as const);
  const rules = auth ? [...wanted, [auth.header, auth.env, `${auth.scheme} `] as const] : wanted;
  for (const [name, env, scheme] of rules) {
    const { host, protocol, hostname } = new platform.URL(url);
    const isSafe = protocol === "https:" || /^(localhost|\[::1]|127(\.\d+){3})$/.test(hostname);
    if (!isSafe || (auth && host !== auth.host)) continue;
    const value = readVariable(client.env, env);
    if (!value) throw fail(`set ${env}`);
    // The platform would fail as if the host did, and show the key.
    if (/[^\t -~\x80-\xff]/.test(value)) throw fail(`no header holds what ${env} is`);
    headers[name.toLowerCase()] = scheme + value;
    secrets.push(value);
  }
  return { headers, secrets };
}

function readVariable(env: Variables | undefined, name: string): string {
  const value = (env ?? platform.process?.env)?.[name];
  return typeof value === "string" ? value.trim() : "";
}
