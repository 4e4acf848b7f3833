import {
  type GraphQLEnumType,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLNamedType,
  type GraphQLSchema,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isScalarType,
  Kind,
  TypeInfo,
  typeFromAST,
  visit,
  visitWithTypeInfo,
} from "graphql";
import { cached, compareCodeUnits, sortByName } from "../base/collections.ts";
import type { EntityEnum } from "../dialects/entity-model.ts";
import type { Style } from "../dialects/style.ts";
import { surfaceId } from "../dialects/surface.ts";
import type { OperationSet } from "../operations/operation-set.ts";
import { buildFileFinding } from "../report/codes/files.ts";
import type { Finding } from "../report/finding.ts";
import type { TypeNames } from "./type-names.ts";

/** The TypeScript types of the scalars that operations use. */
export type ScalarTypes = {
  /** TypeScript type by scalar name, in order of name. */
  readonly types: ReadonlyMap<string, string>;
  /** The types of scalars that variables and filters take in another type. */
  readonly inputs: ReadonlyMap<string, string>;
  /**
   * Enums the API shows as opaque scalars, to be declared under the names their authors gave them. The scalar has the name
   * that Postgres gives the enum: folded to lower case.
   */
  readonly enums: readonly EntityEnum[];
  readonly findings: readonly Finding[];
};

type ScalarSource = {
  readonly style: Style;
  readonly configured: Readonly<Record<string, string>>;
  readonly knownEnums: readonly EntityEnum[];
};

/**
 * Resolves the scalars that operations use: by the configuration, else by the style, else by the enum that an opaque
 * scalar stands for. Others are an error, because a wrong guess would be a wrong type in someone's program.
 */
export function resolveScalars(
  set: OperationSet,
  schema: GraphQLSchema,
  { style, configured, knownEnums }: ScalarSource,
): ScalarTypes {
  const types = new Map<string, string>();
  const inputs = new Map<string, string>();
  const enums: EntityEnum[] = [];
  const unmapped: string[] = [];
  const enumByScalar = new Map(knownEnums.map((definition) => [definition.name.toLowerCase(), definition]));
  for (const name of usedScalars(set, schema)) {
    const configuredType = Object.hasOwn(configured, name) ? configured[name] : undefined;
    // Every schema has an ID, and a style may leave it out.
    const facts = style.scalars.get(name);
    const type = configuredType ?? facts?.typescript ?? (name === "ID" ? "string" : undefined);
    if (configuredType === undefined && facts?.input !== undefined) inputs.set(name, facts.input);
    const enumDefinition = enumByScalar.get(name);
    if (type !== undefined) types.set(name, type);
    else if (enumDefinition) enums.push(enumDefinition);
    else unmapped.push(name);
  }
  const unmappedScalars = buildFileFinding("operation/unmapped-scalar", [unmapped], {
    subject: surfaceId(set),
    place: null,
    fix: `add to the configuration: scalars: { ${unmapped.map((name) => `${name}: "string"`).join(", ")} }.`,
  });
  return {
    types,
    inputs,
    enums: sortByName(enums),
    findings: unmapped.length === 0 ? [] : [unmappedScalars],
  };
}

function usedScalars(set: OperationSet, schema: GraphQLSchema): string[] {
  const used = new Set<string>();
  const seenInputs = new Set<string>();
  const addInput = (type: GraphQLInputType | undefined) => {
    const named = type && getNamedType(type);
    if (!named) return;
    if (isScalarType(named)) used.add(named.name);
    else if (isInputObjectType(named) && !seenInputs.has(named.name)) {
      seenInputs.add(named.name);
      for (const field of Object.values(named.getFields())) addInput(field.type);
    }
  };
  const typeInfo = new TypeInfo(schema);
  const visitor = visitWithTypeInfo(typeInfo, {
    Field() {
      const named = getNamedType(typeInfo.getType());
      if (isScalarType(named)) used.add(named.name);
    },
    VariableDefinition(node) {
      addInput(typeFromAST(schema, node.type) as GraphQLInputType | undefined);
    },
  });
  for (const { node } of [...set.operations, ...set.fragments.values()]) {
    visit({ kind: Kind.DOCUMENT, definitions: [node] }, visitor);
  }
  return [...used].sort(compareCodeUnits);
}

/** The TypeScript types of scalars, enums and input types. */
export type LeafTypes = {
  /** The JSON type of a scalar; the name of an enum or input type. */
  readonly typeOf: (type: GraphQLNamedType) => string;
  /** The same in variables and filters. */
  readonly inputTypeOf: (type: GraphQLNamedType) => string;
  /** The enums and input types that `typeOf` was called with, in that order. */
  readonly declared: ReadonlyMap<string, GraphQLEnumType | GraphQLInputObjectType>;
  /** The generated names of opaque enums, by their authored names. */
  readonly enumNames: ReadonlyMap<string, string>;
  /** One import for each type that the configuration imports from a module. */
  readonly imports: readonly string[];
};

/** Creates the names of what fields and variables may be. */
export function createLeafTypes({ types, inputs, enums }: ScalarTypes, names: TypeNames): LeafTypes {
  const enumNames = new Map(enums.map(({ name }) => [name, names.take(name)]));
  const imports = new Map<string, { readonly line: string; readonly local: string }>();
  const texts = new Map<string, string>();
  for (const [scalar, type] of types) {
    const [, module, imported, inner, alias] = IMPORT.exec(type) ?? [];
    if (module === undefined || imported === undefined) {
      // A function or conditional type would extend over the text behind it.
      texts.set(scalar, /=>|\?/.test(type) ? `(${type})` : type);
      continue;
    }
    // A default export gets the name of the scalar.
    const local = alias ?? (imported === "default" ? scalar : imported);
    const key = JSON.stringify([module, imported, local]);
    const taken = cached(imports, key, () => importLine(module, imported, names.take(local)));
    texts.set(scalar, inner === undefined ? taken.local : `${taken.local}.${inner}`);
  }
  for (const [name, local] of enumNames) texts.set(name.toLowerCase(), local);
  const declared = new Map<string, GraphQLEnumType | GraphQLInputObjectType>();
  const typeOf = (type: GraphQLNamedType) => {
    if (isEnumType(type) || isInputObjectType(type)) {
      declared.set(type.name, type);
      return names.ofSchemaType(type.name);
    }
    const text = texts.get(type.name);
    if (text === undefined) throw new TypeError(`The scalar "${type.name}" has no type.`);
    return text;
  };
  return {
    typeOf,
    inputTypeOf: (type) => inputs.get(type.name) ?? typeOf(type),
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

/** Whether a configured type is imported: `"module#Type"`, in the forms of GraphQL Code Generator. */
export function isScalarImport(type: string): boolean {
  return IMPORT.test(type);
}

/** `module#Type`, `module#Type as Alias`, `module#default` or `module#Namespace#Type`. */
const IMPORT =
  /^(#?[^\s#"'`|&<>(){}\\]+)#([A-Za-z_$][\w$]*)(?:#([A-Za-z_$][\w$]*)|\s+as\s+([A-Za-z_$][\w$]*))?$/;
