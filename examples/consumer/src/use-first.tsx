import { type ReactNode, useState } from "react";

/** Returns the first items of a list, and a button that shows as many again; null if all are shown. */
export function useFirst<T>(items: readonly T[], step: number): [shown: readonly T[], more: ReactNode] {
  const [count, setCount] = useState(step);
  const more = items.length > count && (
    <button type="button" className="more" onClick={() => setCount(count + step)}>
      Show more
    </button>
  );
  return [items.slice(0, count), more];
}
