import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useEffect, useState } from "react";
import { type ChainKey, chains } from "../generated/manifest";
import { ChainStates } from "./chain-states";
import { flowStreams, lockupStreams } from "./data";
import { Figures } from "./figures";
import { shorten } from "./format";
import { latelyActive } from "./queries";
import { FlowTable, LockupTable } from "./stream-tables";
import { Totals } from "./totals";

const ADDRESS = /^0x[0-9a-f]{40}$/;

/** The chains of the menu, by their names. */
const KEYS = (Object.keys(chains) as ChainKey[]).sort((a, b) => (chains[a].name < chains[b].name ? -1 : 1));

export function App(): ReactNode {
  const [{ choice, address }, go] = usePlace();
  const [typed, setTyped] = useState(address);
  useEffect(() => setTyped(address), [address]);
  const recent = useQuery(latelyActive(chainsOf(choice)));
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
            if (!isWrong) go({ choice, address: wanted });
          }}
        >
          <label className="field">
            Chain
            <select
              value={choice}
              onChange={(event) => go({ choice: parseChoice(event.target.value), address })}
            >
              <option value="all">All chains</option>
              {KEYS.map((key) => (
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
                if (ADDRESS.test(next)) go({ choice, address: next });
              }}
            />
          </label>
        </form>
      </header>
      <section className="suggestions" aria-label="Suggestions">
        <span className="soft">
          {isWrong ? "An address is 0x and 40 hexadecimal digits. " : ""}Lately active:
        </span>
        {mostFrequent((recent.data?.rows ?? []).flatMap(({ sender, recipient }) => [sender, recipient])).map(
          (one) => (
            <button
              key={one}
              type="button"
              className="chip"
              title={one}
              onClick={() => go({ choice, address: one })}
            >
              {shorten(one)}
            </button>
          ),
        )}
        {recent.isError && <span className="soft">{recent.error.message}</span>}
      </section>
      {ADDRESS.test(address) ? (
        <Streams choice={choice} address={address} />
      ) : (
        <p className="message">Pick an address above, or paste one.</p>
      )}
    </div>
  );
}

function mostFrequent(values: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts]
    .sort((a, b) => b[1] - a[1])
    .slice(0, 4)
    .map(([value]) => value);
}

function Streams({ choice, address }: { choice: Choice; address: string }): ReactNode {
  const lockup = useQuery(lockupStreams(chainsOf(choice), address));
  const flow = useQuery(flowStreams(chainsOf(choice), address));
  const [vesting, payments] = [lockup.data?.rows ?? [], flow.data?.rows ?? []];
  const isComplete = lockup.data?.complete === true && flow.data?.complete === true;
  const isKnown = !lockup.isPending && !flow.isPending && (lockup.isSuccess || flow.isSuccess);
  return (
    <main>
      {isKnown && <Figures lockup={vesting} flow={payments} isComplete={isComplete} address={address} />}
      {(lockup.data || flow.data) && (
        <section className="card states" aria-label="Indexers">
          {lockup.data && <ChainStates title="Vesting" {...lockup.data} />}
          {flow.data && <ChainStates title="Payments" {...flow.data} />}
        </section>
      )}
      {isKnown && <Totals streams={[...vesting, ...payments]} />}
      <LockupTable query={lockup} address={address} />
      <FlowTable query={flow} address={address} />
    </main>
  );
}

/** The selected entry of the menu. */
type Choice = ChainKey | "all";

/** Returns the chains of a choice. */
function chainsOf(choice: Choice): "all" | readonly ChainKey[] {
  return choice === "all" ? "all" : [choice];
}

type Place = { readonly choice: Choice; readonly address: string };

/** The view is in the URL, so that it can be shared and the back button works. */
function usePlace(): [Place, (place: Place) => void] {
  const [place, setPlace] = useState(readPlace);
  useEffect(() => {
    const update = () => setPlace(readPlace());
    window.addEventListener("hashchange", update);
    return () => window.removeEventListener("hashchange", update);
  }, []);
  return [
    place,
    ({ choice, address }) => {
      window.location.hash = `/${choice}/${address}`;
    },
  ];
}

function readPlace(): Place {
  const [, choice = "", address = ""] = window.location.hash.slice(1).split("/");
  return { choice: parseChoice(choice), address: address.toLowerCase() };
}

function parseChoice(text: string): Choice {
  return KEYS.find((key) => key === text) ?? "all";
}
