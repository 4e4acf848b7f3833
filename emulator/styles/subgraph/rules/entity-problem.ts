/** Why graph-node refuses an entity schema, in its own words. */
export type EntityProblem = {
  readonly reason: string;
  /** Where, counted from 1; null where no one line is to blame. */
  readonly line: number | null;
};
