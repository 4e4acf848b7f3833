import {
  baseTypeName,
  isList,
  isRequired,
  itemType,
  nullableType,
} from "../../../../../src/base/type-expression.ts";
import type { ApiType } from "../../../../../src/schema/api-schema.ts";
import type { SchemaIndex } from "../schema-index.ts";

/** Scalars and enums. */
export function isLeaf(type: ApiType | undefined): boolean {
  return type?.kind === "SCALAR" || type?.kind === "ENUM";
}

/** Types that have fields to select, and unions. */
export function isComposite(type: ApiType | undefined): boolean {
  return type?.kind === "OBJECT" || type?.kind === "INTERFACE" || type?.kind === "UNION";
}

/** Types that a variable can be of. */
export function isInput(type: ApiType | undefined): boolean {
  return isLeaf(type) || type?.kind === "INPUT_OBJECT";
}

/** Whether an object can be of both types. */
export function overlap(a: ApiType, b: ApiType, index: SchemaIndex): boolean {
  if (a.name === b.name) return true;
  const others = possibleTypes(b, index);
  if (isAbstract(a) && isAbstract(b)) return possibleTypes(a, index).some((type) => others.includes(type));
  if (isAbstract(a)) return possibleTypes(a, index).includes(b.name);
  return isAbstract(b) && others.includes(a.name);
}

/** Whether a value of one type expression can stand where another is wanted. */
export function isSubtype(type: string, wanted: string, index: SchemaIndex): boolean {
  if (type === wanted) return true;
  if (isRequired(wanted)) {
    return isRequired(type) && isSubtype(nullableType(type), nullableType(wanted), index);
  }
  if (isRequired(type)) return isSubtype(nullableType(type), wanted, index);
  if (isList(wanted) || isList(type)) {
    return isList(wanted) && isList(type) && isSubtype(itemType(type), itemType(wanted), index);
  }
  const abstract = index.type(baseTypeName(wanted));
  return abstract !== undefined && isAbstract(abstract) && possibleTypes(abstract, index).includes(type);
}

function isAbstract(type: ApiType): boolean {
  return type.kind === "INTERFACE" || type.kind === "UNION";
}

function possibleTypes(type: ApiType, index: SchemaIndex): readonly string[] {
  return type.kind === "UNION" ? type.possibleTypes : index.concreteTypes(type.name);
}
