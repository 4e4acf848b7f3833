import type { Release } from "../create-contracts.ts";

/** The generations of the Flow contracts, oldest first. */
export const FLOW_GENERATIONS: readonly (readonly Release[])[] = [
  [{ alias: "FL", version: "v1.0", categories: ["Flow"] }],
  [{ alias: "FL2", version: "v1.1", categories: ["Flow"] }],
  [{ alias: "FL3", version: "v2.0", categories: ["Flow"] }],
];

/** The first generation asks no fee of a withdrawal. */
export const FIRST_GENERATION_WITH_FEES = 1;
