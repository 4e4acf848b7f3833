import { EndpointError } from "../base/errors/endpoint-error.ts";
import type { Chain } from "../project/chain.ts";
import type { Deployment } from "../project/deployment.ts";
import type { ProbeReading } from "../styles/style.ts";

/**
 * Checks that a deployment serves the chains that the manifest says.
 *
 * @returns what is worth a note and no failure.
 * @throws EndpointError `ENDPOINT_WRONG_CHAIN` when a deployment of one chain serves another's data.
 */
export function checkIdentity(
  deployment: Deployment,
  chains: readonly Chain[],
  reading: ProbeReading,
): string[] {
  const expected = chains.filter((chain) => deployment.chains.includes(chain.key));
  const notes = reading.hasIndexingErrors ? ["reports indexing errors"] : [];
  if (reading.chainIds === null) return [...notes, "does not say which chain it serves"];
  const served = new Set(reading.chainIds);
  const expectedIds = new Set(expected.map((chain) => chain.chainId));
  const strangers = [...served].filter((id) => !expectedIds.has(id)).sort((a, b) => a - b);
  const [only] = expected;
  if (expected.length === 1 && only && strangers.length > 0) {
    const names = strangers.map((id) => describeChain(id, chains));
    throw new EndpointError({
      code: "ENDPOINT_WRONG_CHAIN",
      sentence: `It serves ${names.join(" and ")} instead of ${describeChain(only.chainId, chains)}.`,
      hint: "correct its URL: whoever reads this endpoint gets another chain's data.",
    });
  }
  if (strangers.length > 0) {
    notes.push(`also serves ${strangers.map((id) => describeChain(id, chains)).join(", ")}`);
  }
  const missing = expected.filter((chain) => !served.has(chain.chainId)).map((chain) => chain.key);
  if (missing.length > 0) notes.push(`has nothing of ${missing.join(", ")}`);
  return notes;
}

function describeChain(chainId: number, chains: readonly Chain[]): string {
  const chain = chains.find((candidate) => candidate.chainId === chainId);
  return chain ? `${chain.key} (chain id ${chainId})` : `chain id ${chainId}`;
}
