// Sends each withdrawal to a webhook, at least once.
import { readFile, rename, writeFile } from "node:fs/promises";
import { setTimeout } from "node:timers/promises";
import { createClient, watch } from "./generated/client.js";
import { decodeWithdrawals, Withdrawals } from "./generated/lockup/portable.js";

const { ALERT_WEBHOOK: webhook = "http://127.0.0.1:8080", ALERT_CURSOR: path = "cursor.json" } = process.env;

const options = {
  chains: ["base", "ethereum"],
  from: await readCursor(),
  confirmations: 12,
  interval: Number(process.env["ALERT_INTERVAL"] ?? 30_000),
  // After a crash, at most so many alerts of a chain are sent again.
  size: 20,
  onError: (error: Error, chain: string) => console.error(`${chain}: ${error.message}`),
} as const;

for await (const { rows, cursor } of watch(createClient(), Withdrawals, {}, options)) {
  for (const { id, stream, amountB, timestamp } of decodeWithdrawals(rows)) {
    await post({ id, stream: stream?.alias, amount: String(amountB), at: timestamp.toISOString() });
  }
  // Only now: a process that is killed before sends these alerts again, and misses none.
  await writeCursor(cursor);
}

/** Waits until the webhook has accepted an alert. Its id lets the receiver drop duplicates. */
async function post(
  alert: { readonly id: string } & Readonly<Record<string, string | undefined>>,
): Promise<void> {
  const headers = { "content-type": "application/json", "idempotency-key": alert.id };
  for (let pause = 1000; ; pause = Math.min(2 * pause, 60_000)) {
    const request = {
      method: "POST",
      headers,
      body: JSON.stringify(alert),
      signal: AbortSignal.timeout(10_000),
    };
    const response = await fetch(webhook, request).catch(() => null);
    if (response?.ok) return;
    console.error(`${alert.id}: ${response ? `HTTP ${response.status}` : "no answer"}`);
    await setTimeout(pause);
  }
}

/** Returns the stored position; undefined before the first alert. Another failure must not begin from the first row. */
async function readCursor(): Promise<string | undefined> {
  return readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT") throw error;
    return undefined;
  });
}

/** Replaces the file at once, so that it is never half written. */
async function writeCursor(cursor: string): Promise<void> {
  await writeFile(`${path}.new`, cursor, { flush: true });
  await rename(`${path}.new`, path);
}
