import type { Action } from "./create-event-log.ts";

/** Whether an event changed the row of its stream; who may handle the token is not part of it. */
export function changesStream({ category }: Action): boolean {
  return category !== "Approval" && category !== "ApprovalForAll";
}
