import type { Finding } from "../model/finding.ts";
import { hash } from "../utils/hash.ts";

/**
 * The identity of a finding: twelve hex digits of its facts. No wording, no line and no deployment is among
 * them, so that it outlives new messages, edits above it and one more deployment that shows the same.
 *
 * A finding that is not about what is served has no coordinate to be told by; its subject stands in.
 */
export function fingerprint({ code, layer, where, coordinate, subject, before, after }: Finding): string {
  const facts = [
    code,
    layer,
    where === null ? "" : `${where.protocol}/${where.style}`,
    coordinate ?? (where === null ? subject : ""),
    before ?? "",
    after ?? "",
  ];
  return hash(facts.join("\n")).slice(0, FINGERPRINT_LENGTH);
}

const FINGERPRINT_LENGTH = 12;
