import { indexByName } from "../../base/collections.ts";
import type { EntityField, EntityModel } from "../entity-model.ts";
import type { PlatformOrigin } from "../origin.ts";
import type { ReadSchema, RetypedFields } from "../style.ts";
import { FEATURES } from "./features.ts";
import { isKnownRelease, RELEASES } from "./release.ts";
import { RAW_BYTES } from "./tables.ts";

/**
 * Finds the fields whose types changed because the platform changed: lists of big numbers, and bytes. Empty if the authors
 * must have changed them.
 */
export function findRetypedFields(before: ReadSchema, after: ReadSchema): readonly RetypedFields[] {
  const changes: RetypedFields[] = [];
  let models = [before.model, after.model] as const;
  for (const rule of RULES) {
    const change = findByRule(rule, { ...before, model: models[0] }, { ...after, model: models[1] });
    if (change === null) continue;
    models = change.models;
    changes.push(change);
  }
  return changes;
}

/** A change of the platform that turns fields of one type into fields of another. */
type Rule = {
  readonly feature: PlatformOrigin;
  /** The scalar that both models get. */
  readonly from: string;
  readonly to: string;
  /** The types with the scalar `from` that the rule applies to. */
  readonly takes: RegExp;
  readonly isPossible: (from: ReadSchema, to: ReadSchema) => boolean;
  /** Returns whether an unchanged field shows that the author changed the others. */
  readonly isRefutedBy: (stayed: EntityField, from: ReadSchema, to: ReadSchema) => boolean;
};

const RULES: readonly Rule[] = [
  {
    // Between releases before and since 2.31.
    feature: FEATURES.bigNumberLists,
    from: "numeric",
    to: "String",
    takes: /^\[numeric!\]!?$/,
    isPossible: (from, to) => canShow(from, "numeric") && canShow(to, "String"),
    // A list with a precision never changes. If nothing else shows a new release, the author changed the other list.
    isRefutedBy: (_, from, to) => from.recognized.release === to.recognized.release,
  },
  {
    // `bytes_type` applies to a whole indexer, so one side has no raw bytes at all.
    feature: FEATURES.rawBytes,
    from: RAW_BYTES,
    to: "String",
    takes: /^\[?bytea\b/,
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

/** Returns the model of the second side with the types of the first; null if no field was retyped. */
function findFrom(rule: Rule, first: ReadSchema, second: ReadSchema): EntityModel | null {
  if (!rule.isPossible(first, second)) return null;
  const entities = indexByName(second.model.definitions.filter((definition) => definition.kind === "entity"));
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

/** Returns whether items can have this type in the recognized release, or in one that cannot be distinguished from it. */
function canShow({ recognized: { release, options } }: ReadSchema, items: "numeric" | "String"): boolean {
  const name = options.release;
  if (release === null || name === undefined || !isKnownRelease(name)) return true;
  // Nothing else distinguishes 2.31, so it is recognized as 2.29.
  return RELEASES[name].bigNumberItems === items || (name === "2.29" && items === "String");
}

function retype(model: EntityModel, types: ReadonlyMap<EntityField, string>): EntityModel {
  const edit = (field: EntityField) => ({ ...field, type: types.get(field) ?? field.type });
  return {
    ...model,
    definitions: model.definitions.map((definition) =>
      definition.kind === "entity" ? { ...definition, fields: definition.fields.map(edit) } : definition,
    ),
  };
}
