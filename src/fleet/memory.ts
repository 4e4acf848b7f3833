/**
 * What is kept from run to run, outside the repository: who answers, and how far they were. By the names of
 * deployments; empty before the first run.
 */
export type Memory = ReadonlyMap<string, Remembered>;

export type Remembered = {
  /** The day since which it has not answered, as `2026-11-21`; null for one that answered last time. */
  readonly silentSince: string | null;
  /** The newest block it had when it last told, by the key of the chain. */
  readonly heads: ReadonlyMap<string, RememberedHead>;
};

export type RememberedHead = {
  readonly block: number;
  /** When a run first saw this block as the newest, as `2026-11-21T03:17:00.000Z`. */
  readonly since: string;
  /** The furthest block that any deployment had of the chain then. */
  readonly furthest: number;
};
