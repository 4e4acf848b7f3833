import type { Client } from "./client-options.ts";
import type { FetchResponse } from "./platform.ts";
import type { Data } from "./read-answer.ts";

/** When answers were sent, by the clock of their host. */
const times = /* @__PURE__ */ new WeakMap<Data, number>();

/** The default of `now`. */
export const systemTime = (): number => Date.now();

/** Remembers when an answer was sent: caches keep its `Date`, and count its `Age`. */
export function keepTime(data: Data, headers: FetchResponse["headers"]): void {
  times.set(data, Date.parse(headers.get("date") ?? "") + Number(headers.get("age")) * 1000);
}

/** Returns when an answer was sent, in milliseconds since 1970. Clocks of devices may be wrong by hours. */
export function timeOf({ now }: Client, data: Data): number {
  return (now === systemTime && times.get(data)) || now();
}
