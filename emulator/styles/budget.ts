/** What one request may cost: counted and not timed, so that it ends the same way on every machine, however busy. */
export type Budget = {
  /** Takes off what something costs; a unit is about a row that is looked at, or a value of the answer. */
  readonly spend: (cost: number) => void;
  readonly spent: () => number;
  readonly left: () => number;
};

/** Creates a budget; `refuse` throws what a request ends with that costs more. */
export function createBudget(most: number, refuse: () => never): Budget {
  let left = most;
  return {
    spend: (cost) => {
      left -= cost;
      if (left < 0) refuse();
    },
    spent: () => most - left,
    left: () => left,
  };
}
