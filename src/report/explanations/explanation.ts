/** What a code stands for, at the length that a report has no room for. */
export type Explanation = {
  /** What was found. */
  readonly means: string;
  /** Why anybody should care. */
  readonly matters: string;
  /** What to do about it. */
  readonly act: string;
};
