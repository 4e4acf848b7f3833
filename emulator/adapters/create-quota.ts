/** The daily allowance of the testing URLs. */
export type Quota = {
  readonly daily: number;
  /** Takes one query off a deployment's day: null when there was one left, else the seconds until there are again. */
  readonly take: (deployment: string) => number | null;
};

const DAY_MILLISECONDS = 86_400_000;

/** Creates the count of queries per deployment and UTC day; `now` is in milliseconds since the epoch. */
export function createQuota(daily: number, now: () => number): Quota {
  let today = -1;
  const taken = new Map<string, number>();
  return {
    daily,
    take: (deployment) => {
      const time = now();
      const day = Math.floor(time / DAY_MILLISECONDS);
      if (day !== today) taken.clear();
      today = day;
      const count = taken.get(deployment) ?? 0;
      if (count >= daily) return Math.ceil(((day + 1) * DAY_MILLISECONDS - time) / 1000);
      taken.set(deployment, count + 1);
      return null;
    },
  };
}
