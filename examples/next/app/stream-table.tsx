import type { Decoded } from "lockflow-operations/client";
import type { RecentStreams } from "lockflow-operations/lockup/portable";

type Stream = Decoded<typeof RecentStreams>["streams"][number];

type Props = {
  readonly rows: readonly Stream[];
  /** Called with the id of a stream whose alias is clicked. */
  readonly onSelect?: (id: string) => void;
};

/** A table of streams. */
export function StreamTable({ rows, onSelect }: Props) {
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
            <td>
              {onSelect ? (
                <button type="button" onClick={() => onSelect(id)}>
                  {alias}
                </button>
              ) : (
                alias
              )}
            </td>
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

/** Formats an amount with two decimals, rounded down. */
export function formatUnits(amount: bigint, decimals: number): string {
  const cents = (amount * 100n) / 10n ** BigInt(decimals);
  return `${(cents / 100n).toLocaleString("en")}.${String(cents % 100n).padStart(2, "0")}`;
}

function shorten(address: string): string {
  return `${address.slice(0, 6)}…${address.slice(-4)}`;
}
