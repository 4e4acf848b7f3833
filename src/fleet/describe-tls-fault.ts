import { displayText } from "../base/display-text.ts";
import { listSome } from "../base/list-some.ts";

/** What is wrong with the secure connection to a host, and what to do, which is never to do without verification. */
export function describeTlsFault(
  error: unknown,
  host: string,
): { readonly reason: string; readonly hint: string } | null {
  const { code } = error as { readonly code?: unknown };
  const compareClocks = (mend: "renew" | "replace") =>
    `compare this machine's clock with the time; if it is right, whoever runs ${host} has to ${mend} the certificate.`;
  // A company's proxy, or a server of one's own, has an authority of its own.
  const ownAuthority = `if ${host}, or a proxy before it, has an authority of its own, let NODE_EXTRA_CA_CERTS name the file of its certificate; else something else answers in its place.`;
  switch (code) {
    case "CERT_HAS_EXPIRED":
      return { reason: `the certificate of ${host} has expired`, hint: compareClocks("renew") };
    case "CERT_NOT_YET_VALID":
      return { reason: `the certificate of ${host} is not valid yet`, hint: compareClocks("replace") };
    case "CERT_REVOKED":
      return {
        reason: `the certificate of ${host} was revoked`,
        hint: `do not use it: whoever runs ${host} has to replace the certificate.`,
      };
    case "ERR_TLS_CERT_ALTNAME_INVALID":
      return {
        reason: `the certificate that ${host} shows is for ${namesOf(error)}`,
        hint: `check the host in the URL; if it is right, something else answers in its place, or whoever runs ${host} has to correct the certificate.`,
      };
    case "DEPTH_ZERO_SELF_SIGNED_CERT":
      return {
        reason: `the certificate of ${host} is self-signed, so nobody vouches for it`,
        hint: ownAuthority,
      };
    case "SELF_SIGNED_CERT_IN_CHAIN":
    case "UNABLE_TO_GET_ISSUER_CERT":
    case "UNABLE_TO_GET_ISSUER_CERT_LOCALLY":
    case "UNABLE_TO_VERIFY_LEAF_SIGNATURE":
    case "CERT_UNTRUSTED":
    case "CERT_SIGNATURE_FAILURE":
      return {
        reason: `the certificate of ${host} is signed by nobody this machine trusts`,
        hint: ownAuthority,
      };
    default:
      if (typeof code !== "string" || !/^(EPROTO|ERR_SSL_)/.test(code)) return null;
      return {
        reason: `${host} does not speak TLS, or no version of it that this machine accepts`,
        hint: "check the scheme and the port of the URL, and whether a proxy stands in between.",
      };
  }
}

/** The names a certificate is for, which are a stranger's words. */
function namesOf(error: unknown): string {
  const { cert } = error as { readonly cert?: { readonly subjectaltname?: unknown } };
  const list = typeof cert?.subjectaltname === "string" ? cert.subjectaltname : "";
  const names = [...list.slice(0, 10_000).matchAll(/(?:DNS|IP Address):([\w.*:-]{1,253})/g)].map(
    ([, name = ""]) => name,
  );
  return names.length === 0 ? "another host" : displayText(`${listSome(names, 3)}, and not for it`, []);
}
