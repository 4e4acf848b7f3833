import type { ApiType } from "./api-schema.ts";

/** The types that introspection itself is written with. They are never part of a snapshot. */
export const META_TYPES: ReadonlyMap<string, ApiType["kind"]> = new Map([
  ["__Directive", "OBJECT"],
  ["__DirectiveLocation", "ENUM"],
  ["__EnumValue", "OBJECT"],
  ["__Field", "OBJECT"],
  ["__InputValue", "OBJECT"],
  ["__Schema", "OBJECT"],
  ["__Type", "OBJECT"],
  ["__TypeKind", "ENUM"],
]);
