import { mapConcurrently } from "../base/map-concurrently.ts";
import { INTROSPECTION_QUERY } from "../schema/introspection-query.ts";
import { styles } from "../styles/index.ts";
import type { IntrospectionSettings } from "./introspect-targets.ts";
import type { Introspected } from "./outcome.ts";
import { postGraphql } from "./post-graphql.ts";
import { createSchemaReader, type SchemaReading } from "./read-schema.ts";
import { secretsOf, type Target } from "./resolve-targets.ts";

/** How often a deployment is asked again at most. */
const SAMPLES = 3;

/** Asks for schemas again, as a gateway may ask indexers by turns; gives second ones by the names of deployments. */
export async function sampleAgain(
  suspects: readonly Introspected[],
  targets: readonly Target[],
  { concurrency, timeout }: Omit<IntrospectionSettings, "chains" | "definitions">,
): Promise<ReadonlyMap<string, SchemaReading>> {
  const read = createSchemaReader([], secretsOf(targets));
  const others = new Map<string, SchemaReading>();
  await mapConcurrently(suspects, concurrency, async ({ deployment, reading }) => {
    const target = targets.find((one) => one.deployment.name === deployment.name);
    if (target === undefined) return;
    const { url, headers } = target;
    try {
      for (let sample = 0; sample < SAMPLES; sample++) {
        const bytes = await postGraphql({ url, headers, query: INTROSPECTION_QUERY, timeout });
        const other = read(bytes, styles[deployment.style]);
        if (other.hashes.schema === reading.hashes.schema) continue;
        others.set(deployment.name, other);
        return;
      }
    } catch {
      // It was read once already, and that counts.
    }
  });
  return others;
}
