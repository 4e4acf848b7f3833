import type { ReactNode } from "react";
import { chains, resolveChain } from "../generated/manifest";
import { type FlowStream, type LockupStream, totalsByAsset } from "./data";
import { formatTokens } from "./format";
import { useFirst } from "./use-first";

/** What an address has in streams, by asset. Those with the most streams are first. */
export function Totals({ streams }: { readonly streams: readonly (LockupStream | FlowStream)[] }): ReactNode {
  const totals = [...totalsByAsset(streams)].sort(([, a], [, b]) => b.count - a.count);
  const [shown, more] = useFirst(totals, 10);
  if (totals.length === 0) return null;
  return (
    <section className="card" aria-label="Totals">
      <header>
        <h2>
          Assets <span className="soft">{totals.length}</span>
        </h2>
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls a wide table. */}
      <section className="scroll" aria-label="Totals by asset" tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th>Asset</th>
              <th className="number">Streams</th>
              <th className="number">Deposited</th>
              <th className="number">Withdrawn</th>
            </tr>
          </thead>
          <tbody>
            {shown.map(([key, { stream, count, deposited, withdrawn }]) => (
              <tr key={key}>
                <td>
                  {stream.asset.symbol}{" "}
                  <span className="soft small">{chains[resolveChain(stream.chainId)].name}</span>
                </td>
                <td className="number">{count}</td>
                <td className="number">{formatTokens(stream, deposited)}</td>
                <td className="number">{formatTokens(stream, withdrawn)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {more}
    </section>
  );
}
