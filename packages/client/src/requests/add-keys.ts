import type { Client, Target } from "../client/client-types.ts";
import { failAt } from "../client/indexer-error.ts";
import { type Headers, platform } from "./platform.ts";

/** Adds the keys of an endpoint. They are read for each request, and sent only to the host of their rule. */
export function addKeys({ env }: Client, target: Target, { headers, secrets }: Headers): void {
  const { auth, url, secretHeaders = {} } = target;
  const rules = Object.entries(secretHeaders).map(([header, env]) => ({ header, env, scheme: "" }));
  if (auth) rules.push({ ...auth, scheme: `${auth.scheme} ` });
  for (const { header, env: name, scheme } of rules) {
    const { host, protocol, hostname } = new platform.URL(url);
    const isSafe = protocol === "https:" || /^(localhost|\[::1]|127(\.\d+){3})$/.test(hostname);
    if (!isSafe || (auth && host !== auth.host)) continue;
    const given = (env ?? platform.process?.env)?.[name];
    const key = typeof given === "string" ? given.trim() : "";
    if (!key) throw failAt(target, "auth", `set ${name}`);
    // The platform would throw an error that contains the key.
    if (/[^\t -~\x80-\xff]/.test(key)) {
      throw failAt(target, "auth", `${name} is not valid in a header`);
    }
    headers[header.toLowerCase()] = scheme + key;
    secrets.push(key);
  }
}
