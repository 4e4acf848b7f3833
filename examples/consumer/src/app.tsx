import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { chains } from "lockflow-operations/manifest";
import { type ReactNode, useEffect, useState } from "react";
import { shorten } from "./amounts.ts";
import { Figures } from "./figures.tsx";
import { flowStreams, lockupStreams, openChains, recentAddresses, type Source } from "./queries.ts";
import { FlowTable, LockupTable } from "./stream-tables.tsx";

const ADDRESS = /^0x[0-9a-f]{40}$/;

export function App(): ReactNode {
  const [{ source, address }, go] = usePlace();
  const [typed, setTyped] = useState(address);
  useEffect(() => setTyped(address), [address]);
  const recent = useQuery(recentAddresses(source));
  const wanted = typed.trim().toLowerCase();
  const isWrong = wanted !== "" && !ADDRESS.test(wanted);

  return (
    <div className="page">
      <header>
        <div>
          <h1>Streams</h1>
          <span className="soft">Vesting and payments of an address, on any chain</span>
        </div>
        <form
          className="controls"
          onSubmit={(event) => {
            event.preventDefault();
            if (!isWrong) go({ source, address: wanted });
          }}
        >
          <label className="field">
            Chain
            <select
              value={source}
              onChange={(event) => go({ source: parseSource(event.target.value), address })}
            >
              <option value="all">All chains</option>
              {openChains.map((key) => (
                <option key={key} value={key}>
                  {chains[key].name}
                </option>
              ))}
            </select>
          </label>
          <label className="field">
            Address
            <input
              value={typed}
              placeholder="0x…"
              spellCheck={false}
              aria-invalid={isWrong}
              onChange={(event) => {
                setTyped(event.target.value);
                const next = event.target.value.trim().toLowerCase();
                if (ADDRESS.test(next)) go({ source, address: next });
              }}
            />
          </label>
        </form>
      </header>
      <p className="suggestions">
        <span className="soft">
          {isWrong ? "An address is 0x and 40 hexadecimal digits. " : ""}Lately active:
        </span>
        {(recent.data ?? []).map((one) => (
          <button
            key={one}
            type="button"
            className="chip"
            title={one}
            onClick={() => go({ source, address: one })}
          >
            {shorten(one)}
          </button>
        ))}
        {recent.isError && <span className="soft">{recent.error.message}</span>}
      </p>
      {ADDRESS.test(address) ? (
        <Streams source={source} address={address as `0x${string}`} />
      ) : (
        <p className="message">Pick an address above, or paste one.</p>
      )}
      <footer>
        {source === "all"
          ? "Read from the multichain indexers: one question for all chains."
          : `Read from the subgraphs of ${chains[source].name}.`}
      </footer>
    </div>
  );
}

function Streams({ source, address }: { source: Source; address: `0x${string}` }): ReactNode {
  const lockup = useInfiniteQuery(lockupStreams(source, address));
  const flow = useInfiniteQuery(flowStreams(source, address));
  return (
    <main>
      <Figures
        lockup={lockup.data?.pages.flat() ?? []}
        flow={flow.data?.pages.flat() ?? []}
        hasMore={lockup.hasNextPage || flow.hasNextPage}
        address={address}
      />
      <LockupTable query={lockup} source={source} address={address} />
      <FlowTable query={flow} source={source} address={address} />
    </main>
  );
}

type Place = { readonly source: Source; readonly address: string };

/** The place is in the URL, so that it can be shared and the back button works. */
function usePlace(): [Place, (place: Place) => void] {
  const [place, setPlace] = useState(readPlace);
  useEffect(() => {
    const update = () => setPlace(readPlace());
    window.addEventListener("hashchange", update);
    return () => window.removeEventListener("hashchange", update);
  }, []);
  return [
    place,
    ({ source, address }) => {
      window.location.hash = `/${source}/${address}`;
    },
  ];
}

function readPlace(): Place {
  const [, source = "", address = ""] = window.location.hash.slice(1).split("/");
  return { source: parseSource(source), address: address.toLowerCase() };
}

function parseSource(text: string): Source {
  return openChains.find((key) => key === text) ?? "all";
}
