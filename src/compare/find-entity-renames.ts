import { compareCodeUnits } from "../base/compare-code-units.ts";
import { findNamed, indexByName } from "../base/find-named.ts";
import { baseTypeName } from "../base/type-expression.ts";
import {
  type EntityField,
  type EntityModel,
  isRowDefinition,
  type RowDefinition,
} from "../schema/entity-model.ts";
import { pairUp } from "./find-renames.ts";
import { nameLikeness } from "./name-likeness.ts";

/** Another name of what has fields: an entity, an interface or an aggregation. */
export type EntityRename = { readonly from: string; readonly to: string };

/** Finds renamed entities: of few fields, a word of the name or a reference has to be shared, too. */
export function findEntityRenames(before: EntityModel, after: EntityModel): EntityRename[] {
  const [was, is] = [indexRows(before), indexRows(after)];
  const gone = [...was.values()].filter(({ name }) => !is.has(name));
  const come = [...is.values()].filter(({ name }) => !was.has(name));
  if (gone.length === 0 || come.length === 0) return [];
  const context: Context = {
    gone: new Set(gone.map(({ name }) => name)),
    come: new Set(come.map(({ name }) => name)),
    followed: followReferences(was, is),
  };
  return pairUp(gone, come, (one, other) => (one.kind === other.kind ? likenessOf(one, other, context) : 0))
    .map(([one, other]) => ({ from: one.name, to: other.name }))
    .sort((a, b) => compareCodeUnits(a.from, b.from));
}

type Context = {
  readonly gone: ReadonlySet<string>;
  readonly come: ReadonlySet<string>;
  /** `Stream LockupStream` where a field that stayed led to the one and leads to the other. */
  readonly followed: ReadonlySet<string>;
};

function indexRows({ definitions }: EntityModel): Map<string, RowDefinition> {
  return indexByName(definitions.filter(isRowDefinition));
}

function followReferences(
  was: ReadonlyMap<string, RowDefinition>,
  is: ReadonlyMap<string, RowDefinition>,
): ReadonlySet<string> {
  const followed = new Set<string>();
  for (const { name, fields } of was.values()) {
    const now = is.get(name);
    if (now === undefined) continue;
    for (const field of fields) {
      const other = findNamed(now.fields, field.name);
      if (other && shapeOf(other) === shapeOf(field)) followed.add(pairKey(field, other));
    }
  }
  return followed;
}

function pairKey(a: EntityField, b: EntityField): string {
  return `${baseTypeName(a.type)} ${baseTypeName(b.type)}`;
}

/** Lists and nulls; of a reference the nulls do not count. */
function shapeOf({ type, derived }: EntityField): string {
  return `${type.replace(/\w+/, "").replaceAll("!", "")}${derived ? " derived" : ""}`;
}

const MANY = 8;
const MOST = 0.75;
const HALF = 0.5;

function likenessOf(gone: RowDefinition, come: RowDefinition, context: Context): number {
  const [left, right] = [ownFields(gone), ownFields(come)];
  const alike = left.filter((field) => {
    const other = findNamed(come.fields, field.name);
    return other !== undefined && isAlike(field, other, context);
  }).length;
  const share = alike / Math.max(left.length, right.length, 1);
  const isFollowed = context.followed.has(`${gone.name} ${come.name}`);
  const isEnough =
    isFollowed || nameLikeness(gone.name, come.name) > 0
      ? alike > 0 && share >= HALF
      : alike >= MANY && share >= MOST;
  return isEnough ? share + (isFollowed ? 1 : 0) : 0;
}

function ownFields({ fields }: RowDefinition): readonly EntityField[] {
  return fields.filter(({ name }) => name !== "id");
}

/** Of the same type, or referring to what went where the other refers to what came. */
function isAlike(a: EntityField, b: EntityField, { gone, come }: Context): boolean {
  if (a.derived !== b.derived) return false;
  if (a.type === b.type) return true;
  const [target, other] = [baseTypeName(a.type), baseTypeName(b.type)];
  return gone.has(target) && come.has(other) && a.type.replace(target, other) === b.type;
}
