import type { Row } from "lockflow-operations/client";
import type { RecentStreamsQuery } from "lockflow-operations/lockup/subgraph";

/** A table of streams. */
export function StreamTable({ rows }: { readonly rows: readonly Row<RecentStreamsQuery>[] }) {
  if (rows.length === 0) return <p>None.</p>;
  return (
    <table>
      <thead>
        <tr>
          <th>Stream</th>
          <th>Deposit</th>
          <th>From</th>
          <th>To</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ id, alias, asset, depositAmount, sender, recipient }) => (
          <tr key={id} data-stream={alias}>
            <td>{alias}</td>
            <td>
              {formatUnits(depositAmount, Number(asset.decimals))} {asset.symbol}
            </td>
            <td>{shorten(sender)}</td>
            <td>{shorten(recipient)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Formats an amount as `bigint`, because JavaScript numbers are not exact for large amounts. */
function formatUnits(amount: string, decimals: number): string {
  const digits = amount.padStart(decimals + 1, "0");
  const end = digits.length - decimals;
  return `${BigInt(digits.slice(0, end)).toLocaleString("en")}.${digits.slice(end, end + 2).padEnd(2, "0")}`;
}

function shorten(address: string): string {
  return `${address.slice(0, 6)}…${address.slice(-4)}`;
}
