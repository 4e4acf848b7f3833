import type { Action } from "../create-event-log.ts";
import type { Stream } from "../stream.ts";
import type { Schedule } from "./schedule.ts";

/** A Lockup stream while its history is being made up. */
export type LockupStream = Stream & {
  readonly deposit: bigint;
  readonly schedule: Schedule;
  readonly endTime: number;
  readonly funder: string;
  readonly proxender: string | null;
  readonly shape: string | null;
  /** Null unless the stream is linear. */
  readonly linear: Linear | null;
  cancelable: boolean;
  canceled: Action | null;
  renounced: Action | null;
};

export type Linear = {
  readonly cliff: { readonly time: number; readonly amount: bigint } | null;
  /** What unlocks at the start; undefined where the release knows no initial unlocks. */
  readonly initial: bigint | null | undefined;
};
