"use client";

import { useQuery } from "@tanstack/react-query";
import { streamedAmount, withdrawableAmount } from "lockflow-operations/amounts";
import {
  decodeStreamById,
  decodeStreamsByParticipant,
  StreamById,
  StreamsByParticipant,
} from "lockflow-operations/lockup/proxied";
import { createClient, query } from "lockflow-operations/proxied";
import { useState } from "react";
import { formatUnits, StreamTable } from "./stream-table";

/** The page has no key and no URL of an indexer: it queries the route in api/indexers. */
const client = createClient({ proxy: "/api/indexers" });

const CHAINS = { arbitrum: 42161, base: 8453, ethereum: 1, polygon: 137 } as const;

type ChainName = keyof typeof CHAINS;

/** The streams that an address sends or receives on a chain. */
export function Participant({ initial }: { readonly initial: string }) {
  const [address, setAddress] = useState(initial);
  const [chain, setChain] = useState<ChainName>("ethereum");
  const [selected, setSelected] = useState("");
  const { data, error } = useQuery({
    ...query(client, StreamsByParticipant, { address }, { chain: CHAINS[chain] }),
    select: decodeStreamsByParticipant,
  });
  return (
    <section aria-label="Participant">
      <h2>Of an address</h2>
      <input aria-label="Address" value={address} onChange={(event) => setAddress(event.target.value)} />
      <select
        aria-label="Chain"
        value={chain}
        onChange={(event) => setChain(event.target.value as ChainName)}
      >
        {Object.keys(CHAINS).map((one) => (
          <option key={one}>{one}</option>
        ))}
      </select>
      {error && <p role="alert">Nothing is known: {error.message}</p>}
      {data && (
        <>
          <StreamTable rows={data.data.streams} onSelect={setSelected} />
          {data.data.streams.some(({ id }) => id === selected) && <Amounts id={selected} />}
          <p className="source">
            From the {data.style} indexer, as of block {data.head?.block ?? "unknown"}.
          </p>
        </>
      )}
    </section>
  );
}

/** The amounts of a stream at present. Its segments or tranches are needed, which no list selects. */
function Amounts({ id }: { readonly id: string }) {
  const { data, error } = useQuery({ ...query(client, StreamById, { id }), select: decodeStreamById });
  if (error) return <p role="alert">Nothing is known: {error.message}</p>;
  const stream = data?.data.stream;
  if (!stream) return <p>Loading…</p>;
  const now = new Date();
  const format = (amount: bigint) => formatUnits(amount, Number(stream.assetDecimalsValue));
  return (
    <p className="amounts">
      {stream.alias} has streamed {format(streamedAmount(stream, now))} of {format(stream.depositAmount)}{" "}
      {stream.asset.symbol}, and {format(withdrawableAmount(stream, now))} can be withdrawn.
    </p>
  );
}
