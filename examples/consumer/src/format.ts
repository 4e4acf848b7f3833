/** Formats an amount with grouped digits, rounded down to six digits in all, without its symbol. */
export function formatAmount(amount: bigint, decimals: number): string {
  const unit = 10n ** BigInt(decimals);
  const whole = amount / unit;
  // Six digits in all: cents of a million do not matter.
  const places = Math.max(0, Math.min(decimals, 6 - whole.toString().length));
  const fraction = (amount % unit).toString().padStart(decimals, "0").slice(0, places).replace(/0+$/, "");
  const grouped = whole.toLocaleString("en-US");
  return fraction === "" ? grouped : `${grouped}.${fraction}`;
}

/** An amount of a stream's asset, with its symbol. */
export function formatTokens(
  { asset, assetDecimalsValue }: { readonly asset: Asset; readonly assetDecimalsValue: bigint },
  amount: bigint,
): string {
  return `${formatAmount(amount, Number(assetDecimalsValue))} ${asset.symbol}`;
}

type Asset = { readonly symbol: string };

/** A share of a whole as a number from 0 to 1, exact enough for a bar. */
export function share(part: bigint, whole: bigint): number {
  if (whole <= 0n) return 0;
  return Math.min(1, Math.max(0, Number((part * 10_000n) / whole) / 10_000));
}

/** `0x1234…abcd` */
export function shorten(address: string): string {
  return `${address.slice(0, 6)}…${address.slice(-4)}`;
}

/** A day in UTC. */
export function formatDay(date: Date): string {
  return date.toLocaleDateString("en-GB", {
    day: "numeric",
    month: "short",
    year: "numeric",
    timeZone: "UTC",
  });
}

/** How long ago, from seconds. */
export function formatAge(seconds: number): string {
  if (seconds < 60) return `${Math.round(seconds)} s`;
  if (seconds < 3600) return `${Math.round(seconds / 60)} min`;
  if (seconds < 86_400) return `${Math.round(seconds / 3600)} h`;
  return `${Math.round(seconds / 86_400)} d`;
}
