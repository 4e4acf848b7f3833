import type { Lifecycle } from "./manifest-types.ts";

/** Describes the state of a deployment or a chain in a clause: `retired in 2025-07: nobody pays for it; use a-b-c`. */
export function describeStatus({ status, since, reason, replacedBy }: Lifecycle): string {
  // A day is longer than a month.
  const word = status === "dormant" ? "since" : since?.[7] ? "on" : "in";
  return (
    status +
    (since ? ` ${word} ${since}` : "") +
    (reason ? `: ${reason}` : "") +
    (replacedBy ? `; use ${replacedBy}` : "")
  );
}
