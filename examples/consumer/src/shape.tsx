import { streamedAmount } from "lockflow-operations/amounts";
import type { ReactNode } from "react";
import type { LockupStream } from "./data";
import { share } from "./format";

const WIDTH = 170;
const HEIGHT = 34;

/** How a stream unlocks from its start to its end: a line, a curve or steps, filled until now. */
export function Shape({ stream, now }: { stream: LockupStream; now: number }): ReactNode {
  const start = Number(stream.startTime);
  const length = Math.max(1, Number(stream.endTime) - start);
  const total = stream.depositAmount;
  const points = timesOf(stream, start, length).map((time) => {
    const unlocked = streamedAmount({ ...stream, canceled: false }, new Date(time));
    const [x, y] = [(time - start) / length, share(unlocked, total)];
    return `${round(x * WIDTH)},${round(HEIGHT - y * HEIGHT)}`;
  });
  const until = Math.min(1, Math.max(0, (now - start) / length));
  const name = `${stream.category.replace("Lockup", "").toLowerCase()} unlock`;
  const clip = `until-${stream.id}`;
  return (
    <svg className="shape" viewBox={`0 -1 ${WIDTH} ${HEIGHT + 2}`} role="img" aria-label={name}>
      <clipPath id={clip}>
        <rect x="0" y="-1" width={round(until * WIDTH)} height={HEIGHT + 2} />
      </clipPath>
      <polygon clipPath={`url(#${clip})`} points={`0,${HEIGHT} ${points.join(" ")} ${WIDTH},${HEIGHT}`} />
      <polyline points={points.join(" ")} />
    </svg>
  );
}

/** The times to draw: those of a curve in small steps, and before and after every jump. */
function timesOf(stream: LockupStream, start: number, length: number): readonly number[] {
  const even = Array.from({ length: 61 }, (_, at) => start + Math.round((length * at) / 60));
  const jumps = [stream.startTime, stream.cliffTime, ...stream.tranches.map(({ endTime }) => endTime)];
  const around = jumps.flatMap((time) => (time === null ? [] : [Number(time) - 1000, Number(time)]));
  return [...even, ...around]
    .filter((time) => time >= start - 1000 && time <= start + length)
    .sort((a, b) => a - b);
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
