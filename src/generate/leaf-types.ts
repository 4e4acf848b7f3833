import {
  type GraphQLEnumType,
  type GraphQLInputObjectType,
  type GraphQLNamedType,
  isEnumType,
  isInputObjectType,
} from "graphql";
import { cached } from "../base/cached.ts";
import { compareCodeUnits } from "../base/compare-code-units.ts";
import type { ScalarTypes } from "./resolve-scalars.ts";
import type { TypeNames } from "./type-names.ts";

/** What generated types say for types of the schema that are no objects of a result. */
export type LeafTypes = {
  /** Of a scalar what travels, of an enum or input type its name. */
  readonly typeOf: (type: GraphQLNamedType) => string;
  /** The enums and input types that `typeOf` was asked for, in that order. */
  readonly declared: ReadonlyMap<string, GraphQLEnumType | GraphQLInputObjectType>;
  /** What opaque enums are called here, by the names their authors gave them. */
  readonly enumNames: ReadonlyMap<string, string>;
  /** Of types that the configuration takes from modules, a line each. */
  readonly imports: readonly string[];
};

/** Creates the names of what fields and variables may be. */
export function createLeafTypes({ types, enums, enumOf }: ScalarTypes, names: TypeNames): LeafTypes {
  const enumNames = new Map(enums.map(({ name }) => [name, names.take(name)]));
  const imports = new Map<string, { readonly line: string; readonly local: string }>();
  const texts = new Map<string, string>();
  for (const [scalar, type] of types) {
    const [, module, imported, inner, alias] = IMPORT.exec(type) ?? [];
    if (module === undefined || imported === undefined) {
      // A function or a condition would take what stands behind it for its own.
      texts.set(scalar, /=>|\?/.test(type) ? `(${type})` : type);
      continue;
    }
    // A default export is called after the scalar.
    const local = alias ?? (imported === "default" ? scalar : imported);
    const key = JSON.stringify([module, imported, local]);
    const taken = cached(imports, key, () => importLine(module, imported, names.take(local)));
    texts.set(scalar, inner === undefined ? taken.local : `${taken.local}.${inner}`);
  }
  for (const [scalar, name] of enumOf) texts.set(scalar, enumNames.get(name) ?? name);
  const declared = new Map<string, GraphQLEnumType | GraphQLInputObjectType>();
  return {
    typeOf: (type) => {
      if (isEnumType(type) || isInputObjectType(type)) {
        declared.set(type.name, type);
        return names.ofSchemaType(type.name);
      }
      const text = texts.get(type.name);
      if (text === undefined) throw new TypeError(`The scalar "${type.name}" has no type.`);
      return text;
    },
    declared,
    enumNames,
    imports: [...imports.values()].map(({ line }) => line).sort(compareCodeUnits),
  };
}

function importLine(module: string, imported: string, local: string): { line: string; local: string } {
  const what =
    imported === "default" ? local : `{ ${imported === local ? local : `${imported} as ${local}`} }`;
  return { line: `import type ${what} from ${JSON.stringify(module)};`, local };
}

/** Whether a configured type is taken from a module: `"module#Type"`, in the forms that GraphQL Code Generator knows. */
export function isScalarImport(type: string): boolean {
  return IMPORT.test(type);
}

/** `module#Type`, `module#Type as Alias`, `module#default` or `module#Namespace#Type`. */
const IMPORT =
  /^(#?[^\s#"'`|&<>(){}\\]+)#([A-Za-z_$][\w$]*)(?:#([A-Za-z_$][\w$]*)|\s+as\s+([A-Za-z_$][\w$]*))?$/;
