import { cached } from "../base/cached.ts";
import { compareCodeUnits } from "../base/compare-code-units.ts";
import { SchemaError } from "../base/errors/schema-error.ts";
import type { Finding } from "../report/finding.ts";
import { parseSnapshot } from "../snapshots/parse-snapshot.ts";
import { styles } from "../styles/index.ts";
import type { DeriveOptions } from "../styles/style.ts";
import type { DeriveEntities } from "./derive-entities.ts";
import { derivePlanned } from "./derive-planned.ts";
import { describeRefusal, orRefusal } from "./refusal.ts";
import { resolveDerivation } from "./resolve-derivation.ts";
import type { SurfacePlan } from "./surface-plan.ts";

/**
 * Finds what the platforms of single deployments refuse, where those of the others take it. A release that the caller
 * names is that of all.
 */
export async function findVariantRefusals(plan: SurfacePlan, derive: DeriveEntities): Promise<Finding[]> {
  const { protocol, entities } = plan;
  const style = styles[plan.style];
  const found = new Map<string, { readonly refusal: SchemaError; readonly deployments: string[] }>();
  for (const { file, deployments } of plan.release === null ? plan.variants : []) {
    const shown = parseSnapshot(file);
    const deriveWith = (options: DeriveOptions) => derivePlanned(style, entities, options, shown, derive);
    const { options } = await resolveDerivation(plan, shown, deriveWith);
    const refusal = await orRefusal(deriveWith(options));
    if (!(refusal instanceof SchemaError)) continue;
    const release = `${style.platform.name}-${options.release}`;
    cached(found, release, () => ({ refusal, deployments: [] })).deployments.push(...deployments);
  }
  return [...found].flatMap(([release, { refusal, deployments }]) =>
    describeRefusal(refusal, {
      ...{ protocol, style: style.name, file: entities.file, release, taker: null },
      deployments: deployments.sort(compareCodeUnits),
    }),
  );
}
