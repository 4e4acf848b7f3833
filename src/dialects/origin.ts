/** The origin of a derived coordinate. Here an entity is any authored type with fields. */
export type Origin =
  | { readonly kind: "entity"; readonly entity: string }
  | { readonly kind: "field"; readonly entity: string; readonly field: string }
  | { readonly kind: "enum"; readonly name: string }
  | { readonly kind: "enum-value"; readonly name: string; readonly value: string }
  /** A full-text search, a root field that authors define. */
  | { readonly kind: "search"; readonly name: string }
  /** A directive that authors define. */
  | { readonly kind: "directive"; readonly name: string }
  | PlatformOrigin;

/** A feature of the platform, with its name in reports: `and-or`, `_logs`, `aggregates of Stream`. */
export type PlatformOrigin = { readonly kind: "platform"; readonly feature: string };

/** Returns a unique text for an origin: `Asset.symbol`, `@derivedFrom`, `search streamSearch`, `platform _logs`. */
export function originKey(origin: Origin): string {
  switch (origin.kind) {
    case "entity":
      return origin.entity;
    case "field":
      return `${origin.entity}.${origin.field}`;
    case "enum":
      return origin.name;
    case "enum-value":
      return `${origin.name}.${origin.value}`;
    case "search":
      return `search ${origin.name}`;
    case "directive":
      return `@${origin.name}`;
    case "platform":
      return `platform ${origin.feature}`;
  }
}

/** Makes the origin of a feature of the platform. */
export function platformOrigin(feature: string): PlatformOrigin {
  return { kind: "platform", feature };
}

/** Makes the origin of an authored type with fields. */
export function entityOrigin(entity: string): Origin {
  return { kind: "entity", entity };
}

/** Makes the origin of a field. */
export function fieldOrigin(entity: string, field: string): Origin {
  return { kind: "field", entity, field };
}

/** Removes duplicate origins, keeping the first of each. */
export function distinctOrigins(origins: readonly Origin[]): readonly Origin[] {
  if (origins.length < 2) return origins;
  const seen = new Set<string>();
  return origins.filter((origin) => {
    const key = originKey(origin);
    return !seen.has(key) && seen.add(key);
  });
}
