import { indexByName } from "../../base/collections.ts";
import type { Entity, EntityField, EntityModel } from "../entity-model.ts";
import type { PlatformOrigin } from "../origin.ts";
import type { ReadSchema, RetypedFields } from "../style.ts";
import { FEATURES } from "./features.ts";
import { isKnownRelease, RELEASES } from "./release.ts";
import { RAW_BYTES } from "./tables.ts";

/**
 * Finds the fields that the platform shows with another type on one side: lists of big numbers, and bytes. None where
 * the authors must have changed them.
 */
export function findRetypedFields(before: ReadSchema, after: ReadSchema): readonly RetypedFields[] {
  const found: RetypedFields[] = [];
  let models = [before.model, after.model] as const;
  for (const rule of RULES) {
    const [was, is] = [
      { ...before, model: models[0] },
      { ...after, model: models[1] },
    ];
    const retyped = findByRule(rule, was, is);
    if (retyped === null) continue;
    models = retyped.models;
    found.push(retyped);
  }
  return found;
}

/** A change of the platform that turns fields of one type into fields of another. */
type Rule = {
  readonly feature: PlatformOrigin;
  /** The scalar that both sides are brought to. */
  readonly from: string;
  readonly to: string;
  /** The types that it is about, as `from` has them. */
  readonly takes: RegExp;
  readonly isPossible: (from: ReadSchema, to: ReadSchema) => boolean;
  /** Whether a field that stayed shows that the author changed the others. */
  readonly isRefutedBy: (stayed: EntityField, from: ReadSchema, to: ReadSchema) => boolean;
};

const RULES: readonly Rule[] = [
  {
    // Between releases before and since 2.31.
    feature: FEATURES.bigNumberLists,
    ...{ from: "numeric", to: "String", takes: /^\[numeric!\]!?$/ },
    isPossible: (from, to) => canShow(from, "numeric") && canShow(to, "String"),
    // A list with a precision stays. Without another sign of a new release, the author of one of two lists changed it.
    isRefutedBy: (_, from, to) => from.recognized.release === to.recognized.release,
  },
  {
    // An operator sets `bytes_type` for all of an indexer, so that one side has no raw bytes at all.
    feature: FEATURES.rawBytes,
    ...{ from: RAW_BYTES, to: "String", takes: /^\[?bytea\b/ },
    isPossible: (_, { recognized }) => recognized.options.bytesType !== "uint8array",
    isRefutedBy: () => false,
  },
];

function findByRule(rule: Rule, before: ReadSchema, after: ReadSchema): RetypedFields | null {
  const { feature, from, to } = rule;
  const forward = findFrom(rule, before, after);
  if (forward !== null) return { feature, before: from, after: to, models: [before.model, forward] };
  const back = findFrom(rule, after, before);
  return back && { feature, before: to, after: from, models: [back, after.model] };
}

/** Returns the model of the second side with the types of the first; null where no field was retyped. */
function findFrom(rule: Rule, first: ReadSchema, second: ReadSchema): EntityModel | null {
  if (!rule.isPossible(first, second)) return null;
  const entities = indexByName(second.model.definitions.filter((one) => one.kind === "entity"));
  const retyped = new Map<EntityField, string>();
  let isRefuted = false;
  for (const entity of first.model.definitions) {
    if (entity.kind !== "entity") continue;
    const fields = indexByName(entities.get(entity.name)?.fields ?? []);
    for (const field of entity.fields) {
      const other = fields.get(field.name);
      if (other === undefined || !rule.takes.test(field.type)) continue;
      if (other.type === field.type.replace(rule.from, rule.to)) retyped.set(other, field.type);
      else isRefuted ||= other.type === field.type && rule.isRefutedBy(other, first, second);
    }
  }
  return retyped.size === 0 || isRefuted ? null : retype(second.model, retyped);
}

/** Whether the items can be of this type, in the recognized release or in one that does not show otherwise. */
function canShow({ recognized: { release, options } }: ReadSchema, items: "numeric" | "String"): boolean {
  const name = options.release;
  if (release === null || name === undefined || !isKnownRelease(name)) return true;
  // 2.31 itself shows by nothing else, so it is recognized as 2.29.
  return RELEASES[name].bigNumberItems === items || (name === "2.29" && items === "String");
}

function retype(model: EntityModel, types: ReadonlyMap<EntityField, string>): EntityModel {
  const edit = (entity: Entity): Entity => ({
    ...entity,
    fields: entity.fields.map((field) => ({ ...field, type: types.get(field) ?? field.type })),
  });
  return {
    ...model,
    definitions: model.definitions.map((one) => (one.kind === "entity" ? edit(one) : one)),
  };
}
