import type { Client, Target } from "../client/client-types.ts";
import { failAt } from "../client/indexer-error.ts";
import { type Headers, platform } from "./platform.ts";

/** Adds the keys of an endpoint. They are read for each request, and sent only to the host of their rule. */
export function addKeys({ env }: Client, target: Target, { headers, secrets }: Headers): void {
  const { auth, url, secretHeaders = {} } = target;
  const { host, protocol, hostname } = new platform.URL(url);
  const isSafe = protocol === "https:" || /^(localhost|\[::1]|127(\.\d+){3})$/.test(hostname);
  if (!isSafe || (auth && host !== auth.host)) return;
  const add = (header: string, name: string, scheme = "") => {
    const given = (env ?? platform.process?.env)?.[name];
    const key = typeof given === "string" ? given.trim() : "";
    if (!key) throw failAt(target, "auth", `set ${name}`);
    // The platform would throw an error that contains the key.
    if (/[^\t -~\x80-\xff]/.test(key)) {
      throw failAt(target, "auth", `${name} is not valid in a header`);
    }
    headers[header.toLowerCase()] = scheme + key;
    secrets.push(key);
  };
  for (const [header, name] of Object.entries(secretHeaders)) add(header, name);
  if (auth) add(auth.header, auth.env, `${auth.scheme} `);
}
