import { EndpointError } from "../errors/endpoint-error.ts";
import type { Deployment } from "../model/deployment.ts";
import type { EntityModel } from "../model/entity-model.ts";
import { PROTOCOLS, type Protocol } from "../model/vocabulary.ts";
import { PROTOCOL_MARKS } from "../registry/protocol-marks.ts";

/** The protocols whose marks any entity has: none of an indexer unknown to us, both of a merged one. */
export function findProtocols({ definitions }: EntityModel): Protocol[] {
  const names = new Set<string>();
  for (const definition of definitions) {
    if (definition.kind !== "entity") continue;
    for (const field of definition.fields) names.add(field.name);
  }
  return PROTOCOLS.filter((protocol) => names.has(PROTOCOL_MARKS[protocol]));
}

/**
 * Checks that a deployment serves the protocol that the manifest says, by the protocols found in its schema.
 *
 * @throws EndpointError `ENDPOINT_WRONG_PROTOCOL` when it has only another's mark.
 */
export function checkProtocol({ protocol }: Deployment, found: readonly Protocol[]): void {
  if (found.length === 0 || found.includes(protocol)) return;
  throw new EndpointError({
    code: "ENDPOINT_WRONG_PROTOCOL",
    sentence: `It serves ${found.join(" and ")} instead of ${protocol}.`,
    hint: "correct its URL: whoever reads this endpoint gets another protocol's data.",
  });
}
