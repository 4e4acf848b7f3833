import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { isIP } from "node:net";
import { join } from "node:path";

const KEY = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];

/** Whether this machine has OpenSSL 3, which `certificate` needs. */
export function hasOpenssl(): boolean {
  try {
    return /^OpenSSL [3-9]/.test(execFileSync("openssl", ["version"], { encoding: "utf8" }));
  } catch {
    return false;
  }
}

/** Creates a certificate with its key, signed by another one or self-signed. */
export function certificate(
  folder: string,
  name: string,
  {
    host,
    by = null,
    days = 2,
  }: { readonly host: string; readonly by?: string | null; readonly days?: number },
): { readonly cert: string; readonly key: string } {
  const openssl = (...args: readonly string[]) =>
    execFileSync("openssl", args, { cwd: folder, stdio: ["ignore", "ignore", "pipe"] });
  const names = ["-subj", `/CN=${name}`, "-addext", `subjectAltName=${isIP(host) ? "IP" : "DNS"}:${host}`];
  if (by === null) {
    openssl("req", "-x509", ...KEY, "-keyout", `${name}.key`, "-out", `${name}.pem`, "-days", "2", ...names);
  } else {
    openssl("req", ...KEY, "-keyout", `${name}.key`, "-out", `${name}.csr`, ...names);
    const signer = ["-CA", `${by}.pem`, "-CAkey", `${by}.key`, "-CAcreateserial", "-copy_extensions", "copy"];
    openssl("x509", "-req", "-in", `${name}.csr`, ...signer, "-days", String(days), "-out", `${name}.pem`);
  }
  const read = (ending: string) => readFileSync(join(folder, `${name}.${ending}`), "utf8");
  return { cert: read("pem"), key: read("key") };
}
