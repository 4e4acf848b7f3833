import {
  type GraphQLInputType,
  type GraphQLSchema,
  getNamedType,
  isInputObjectType,
  isScalarType,
  Kind,
  TypeInfo,
  typeFromAST,
  visit,
  visitWithTypeInfo,
} from "graphql";
import { compareCodeUnits, sortByName } from "../base/compare-code-units.ts";
import { surfaceId } from "../project/surface.ts";
import { buildFileFinding } from "../report/build-file-finding.ts";
import type { Finding } from "../report/finding.ts";
import type { EntityEnum } from "../schema/entity-model.ts";
import type { Style } from "../styles/style.ts";
import type { OperationSet } from "./operation-set.ts";

/** What generated types say for the scalars that operations use. */
export type ScalarTypes = {
  /** TypeScript type by scalar name, in order of name. */
  readonly types: ReadonlyMap<string, string>;
  /** What an opaque scalar's enum is called by its authors. */
  readonly enumOf: ReadonlyMap<string, string>;
  /** Enums the API shows as opaque scalars, to be declared under the names their authors gave them. */
  readonly enums: readonly EntityEnum[];
  readonly findings: readonly Finding[];
};

/**
 * Resolves the scalars that operations use: by the configuration, else by the style, else by the enum that an opaque
 * scalar stands for. Others are an error, because a wrong guess would be a wrong type in someone's program.
 */
export function resolveScalars(
  set: OperationSet,
  schema: GraphQLSchema,
  style: Style,
  configured: Readonly<Record<string, string>>,
  knownEnums: readonly EntityEnum[],
): ScalarTypes {
  const types = new Map<string, string>();
  const enumOf = new Map<string, string>();
  const enums = new Map<string, EntityEnum>();
  const unmapped: string[] = [];
  // The schema calls an enum scalar as Postgres does: folded to lower case.
  const enumByScalar = new Map(knownEnums.map((definition) => [definition.name.toLowerCase(), definition]));
  for (const name of usedScalars(set, schema)) {
    const own = Object.hasOwn(configured, name) ? configured[name] : undefined;
    // Every schema has an ID, and a style may leave it out.
    const type = own ?? style.scalars.get(name)?.typescript ?? (name === "ID" ? "string" : undefined);
    const enumDefinition = enumByScalar.get(name);
    if (type !== undefined) types.set(name, type);
    else if (enumDefinition) {
      enumOf.set(name, enumDefinition.name);
      enums.set(enumDefinition.name, enumDefinition);
    } else unmapped.push(name);
  }
  const unmappedScalars = () =>
    buildFileFinding("operation/unmapped-scalar", [unmapped], {
      subject: surfaceId(set),
      place: null,
      fix: `add to the configuration: scalars: { ${unmapped.map((name) => `${name}: "string"`).join(", ")} }.`,
    });
  return {
    types,
    enumOf,
    enums: sortByName([...enums.values()]),
    findings: unmapped.length === 0 ? [] : [unmappedScalars()],
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
