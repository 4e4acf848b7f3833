import type { StyleName } from "../manifest/project.ts";
import type { Client } from "./client-options.ts";
import { readClock } from "./platform.ts";

/** The most retries of a style that has not failed for a while. */
const MOST_RETRIES = 20;

/** How long a host is asked last after it failed twice, in milliseconds. */
const SKIPPED = 5_000;

/** Adds the share of a question to the retries of its style. */
export function earnRetry({ shared: { tokens } }: Client, style: StyleName): void {
  tokens.set(style, Math.min(MOST_RETRIES, (tokens.get(style) ?? MOST_RETRIES) + 0.2));
}

/** Takes one of the retries of a style; false if none is left. */
export function takeRetry({ shared: { tokens } }: Client, style: StyleName): boolean {
  const left = tokens.get(style) ?? MOST_RETRIES;
  if (left >= 1) tokens.set(style, left - 1);
  return left >= 1;
}

/** Counts how often a host failed in a row. */
export function countFailure({ shared: { failing } }: Client, host: string): void {
  failing.set(host, { count: (failing.get(host)?.count ?? 0) + 1, until: readClock() + SKIPPED });
}

/** Whether a host failed twice in a row a short time ago. */
export function isFailing({ shared: { failing } }: Client, host: string): boolean {
  const { count = 0, until = 0 } = failing.get(host) ?? {};
  return count > 1 && until > readClock();
}
