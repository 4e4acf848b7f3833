import { displayText } from "../base/display-text.ts";
import { listSome } from "../base/list-some.ts";

/** What is wrong with a secure connection, and what to do about it. */
export type TlsFault = { readonly reason: string; readonly hint: string };

/**
 * What is wrong with the secure connection to a host; null when an error says nothing of one. Verification keeps a key
 * from whoever pretends to be the host, so that no advice is to do without it.
 *
 * @param host as the URL has it, with the port.
 */
export function describeTlsFault(error: unknown, host: string): TlsFault | null {
  const { code } = error as { readonly code?: unknown };
  if (typeof code !== "string") return null;
  const describe = FAULTS.get(code) ?? (/^(EPROTO|ERR_SSL_)/.test(code) ? unspoken : null);
  return describe?.(host, error) ?? null;
}

type Describe = (host: string, error: unknown) => TlsFault;

const expired: Describe = (host) => ({
  reason: `the certificate of ${host} has expired`,
  hint: `compare this machine's clock with the time; if it is right, whoever runs ${host} has to renew the certificate.`,
});

const early: Describe = (host) => ({
  reason: `the certificate of ${host} is not valid yet`,
  hint: `compare this machine's clock with the time; if it is right, whoever runs ${host} has to replace the certificate.`,
});

const wrongHost: Describe = (host, error) => ({
  reason: `the certificate that ${host} shows is for ${namesOf(error)}`,
  hint: `check the host in the URL; if it is right, something else answers in its place, or whoever runs ${host} has to correct the certificate.`,
});

const selfSigned: Describe = (host) => ({
  reason: `the certificate of ${host} is self-signed, so nobody vouches for it`,
  hint: ownAuthority(host),
});

const unknownAuthority: Describe = (host) => ({
  reason: `the certificate of ${host} is signed by nobody this machine trusts`,
  hint: ownAuthority(host),
});

const revoked: Describe = (host) => ({
  reason: `the certificate of ${host} was revoked`,
  hint: `do not use it: whoever runs ${host} has to replace the certificate.`,
});

const unspoken: Describe = (host) => ({
  reason: `${host} does not speak TLS, or no version of it that this machine accepts`,
  hint: "check the scheme and the port of the URL, and whether a proxy stands in between.",
});

const FAULTS: ReadonlyMap<string, Describe> = new Map([
  ["CERT_HAS_EXPIRED", expired],
  ["CERT_NOT_YET_VALID", early],
  ["CERT_REVOKED", revoked],
  ["ERR_TLS_CERT_ALTNAME_INVALID", wrongHost],
  ["DEPTH_ZERO_SELF_SIGNED_CERT", selfSigned],
  ["SELF_SIGNED_CERT_IN_CHAIN", unknownAuthority],
  ["UNABLE_TO_GET_ISSUER_CERT", unknownAuthority],
  ["UNABLE_TO_GET_ISSUER_CERT_LOCALLY", unknownAuthority],
  ["UNABLE_TO_VERIFY_LEAF_SIGNATURE", unknownAuthority],
  ["CERT_UNTRUSTED", unknownAuthority],
  ["CERT_SIGNATURE_FAILURE", unknownAuthority],
]);

/** A company's proxy, or a server of one's own, has an authority of its own. */
function ownAuthority(host: string): string {
  return `if ${host}, or a proxy before it, has an authority of its own, let NODE_EXTRA_CA_CERTS name the file of its certificate; else something else answers in its place.`;
}

const MOST_NAMES = 3;

/** The names a certificate is for, which are a stranger's words. */
function namesOf(error: unknown): string {
  const { cert } = error as { readonly cert?: { readonly subjectaltname?: unknown } };
  const list = typeof cert?.subjectaltname === "string" ? cert.subjectaltname : "";
  const names = [...list.slice(0, 10_000).matchAll(/(?:DNS|IP Address):([\w.*:-]{1,253})/g)].map(
    ([, name = ""]) => name,
  );
  if (names.length === 0) return "another host";
  return displayText(`${listSome(names, MOST_NAMES)}, and not for it`, []);
}
