import { hash } from "../base/hash.ts";
import type { EntityModel } from "../schema/entity-model.ts";

/** The hash of what an entity model declares, its descriptions apart: the same whatever the platform's release. */
export function hashEntities({ definitions }: EntityModel): string {
  const withoutDocs = JSON.stringify(definitions, (key, value: unknown) =>
    key === "description" || key === "quoted" ? undefined : value,
  );
  return hash(withoutDocs);
}
