import type { Call, Client, Target } from "../client/client-types.ts";
import { failAt, failureOf } from "../client/indexer-error.ts";
import { readClock } from "./platform.ts";

/** How long a deployment is used last after it failed twice, in milliseconds. */
const DEMOTED = 5_000;

/**
 * Runs a request, and counts its failures. A deployment that timed out twice gets one request at a time.
 *
 * @throws IndexerError `unavailable` at once if it has one.
 */
export async function trackOutage<P extends string, R, V, T>(
  call: Call<P, R, V>,
  target: Target,
  request: () => Promise<T>,
): Promise<T> {
  const { client } = call;
  const { failing, probing } = client.shared;
  const { deployment } = target;
  const isProbe = isHung(client, deployment);
  if (isProbe) {
    if (probing.has(deployment))
      throw failAt(target, "unavailable", "does not answer", { retryAfter: DEMOTED / 1000 });
    probing.add(deployment);
  }
  const start = readClock();
  try {
    const answer = await request();
    failing.delete(deployment);
    return answer;
  } catch (error) {
    const { code } = failureOf(error, call);
    const isHanging = code === "timeout";
    // A call with a short deadline says nothing about the deployment. Timers may be early by a millisecond.
    const isEarly = isHanging && readClock() - start < Math.min(client.timeout, client.deadline) - 5;
    if (/network|timeout|unavailable/.test(code) && !isEarly) {
      const { count = 0, hung = 0 } = failing.get(deployment) ?? {};
      const until = readClock() + DEMOTED;
      failing.set(deployment, { count: count + 1, hung: isHanging ? hung + 1 : 0, until });
    }
    throw error;
  } finally {
    if (isProbe) probing.delete(deployment);
  }
}

/** Whether a deployment timed out twice in a row. */
export function isHung({ shared }: Client, deployment: string): boolean {
  return (shared.failing.get(deployment)?.hung ?? 0) > 1;
}

/** Whether a deployment recently failed twice in a row. */
export function isFailing({ shared: { failing, probing } }: Client, deployment: string): boolean {
  const { count = 0, until = 0 } = failing.get(deployment) ?? {};
  return count > 1 && (until > readClock() || probing.has(deployment));
}
