import type { ReactNode } from "react";
import { type FlowStream, type LockupStream, totalsByAsset } from "./data";
import { formatDay } from "./format";
import { flowProgress, lockupProgress } from "./progress";

type Streams = {
  readonly lockup: readonly LockupStream[];
  readonly flow: readonly FlowStream[];
  readonly isComplete: boolean;
  readonly address: string;
};

/** The streams of an address in a few numbers. Amounts of different assets are never added. */
export function Figures({ lockup, flow, isComplete, address }: Streams): ReactNode {
  const time = Date.now();
  const running = [
    ...lockup.map((stream) => lockupProgress(stream, time)),
    ...flow.map((stream) => flowProgress(stream, time)),
  ].filter(({ status }) => status === "Streaming").length;
  const all = [...lockup, ...flow];
  const incoming = all.filter(({ recipient }) => recipient === address).length;
  const next = lockup
    .filter((stream) => !stream.canceled && Number(stream.endTime) > time)
    .sort((a, b) => Number(a.endTime) - Number(b.endTime))[0];
  return (
    <section className="figures" aria-label="In short">
      <Figure
        value={String(running)}
        label={`of ${isComplete ? "" : "at least "}${all.length} ${all.length === 1 ? "stream runs" : "streams run"} now`}
      />
      <Figure value={`${incoming} in · ${all.length - incoming} out`} label="received and sent" />
      <Figure value={String(totalsByAsset(all).size)} label="different assets" />
      <Figure value={next ? formatDay(next.endTime) : "none"} label="next vesting to end" />
    </section>
  );
}

function Figure({ value, label }: { value: string; label: string }): ReactNode {
  return (
    <div className="figure">
      <strong>{value}</strong>
      <span>{label}</span>
    </div>
  );
}
