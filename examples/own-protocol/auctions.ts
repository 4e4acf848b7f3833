// Runs one operation in both styles, on the indexers in the environment variables, and prints the rows.
import { DearestAuctions } from "./generated/auctions/portable.js";
import type { DearestAuctionsQuery, DearestAuctionsRow } from "./generated/auctions/subgraph.js";
import { mapVariables } from "./generated/client.js";
import {
  type Endpoint,
  endpoint,
  multichainChainIds,
  resolveChain,
  type StyleName,
} from "./generated/manifest.js";

const everywhere = endpoint({ protocol: "auctions", style: "multichain" });
const onBase = endpoint({ protocol: "auctions", style: "subgraph", chain: "base", environment: "testing" });

const HEADINGS = ["chain   ", "seller       ", "reserve price", "best bid"];

// Both answers have one shape, so one function reads them.
show(everywhere, (await ask(everywhere, "multichain")).auctions);
show(onBase, (await ask(onBase, "subgraph")).auctions);

function show({ deployment }: Endpoint, auctions: readonly DearestAuctionsRow[]): void {
  const rows = auctions.map(({ chainId, seller, reservePrice, bids }) => [
    resolveChain(chainId),
    `${seller.address.slice(0, 6)}…${seller.address.slice(-4)}`,
    inEther(reservePrice),
    bids[0] ? inEther(bids[0].amount) : "none",
  ]);
  console.log(`The dearest open auctions of ${deployment}:`);
  for (const row of [HEADINGS, ...rows]) {
    console.log(`  ${row.map((cell, at) => cell.padEnd(HEADINGS[at]?.length ?? 0)).join("  ")}`.trimEnd());
  }
}

/** An amount arrives as decimal digits, because a JavaScript number would round it. */
function inEther(wei: string): string {
  return String(BigInt(wei) / 10n ** 18n);
}

async function ask({ url, headers }: Endpoint, style: StyleName): Promise<DearestAuctionsQuery> {
  const variables = mapVariables(DearestAuctions, style, { first: 4 }, multichainChainIds.auctions);
  const response = await fetch(url, {
    method: "POST",
    headers: { ...headers, "content-type": "application/json" },
    body: JSON.stringify({ query: DearestAuctions[style], variables }),
  });
  const { data, errors } = (await response.json()) as {
    data: DearestAuctionsQuery;
    errors?: { message: string }[];
  };
  // These indexers answer HTTP 200 for failures too.
  if (errors) throw new Error(errors[0]?.message);
  return data;
}
