import type { GraphQLSchema } from "graphql";
import { cached, findNamed, indexByName, memoize } from "../../base/collections.ts";
import {
  type ApiField,
  type ApiSchema,
  baseTypeName,
  fieldsOf,
  indexTypes,
  isList,
} from "../../dialects/api-schema.ts";
import { type EntityField, type EntityModel, isRowDefinition } from "../../dialects/entity-model.ts";
import { type IdForms, kindOfPart, readIdForms } from "../../dialects/id-forms.ts";
import { styles } from "../../dialects/index.ts";
import {
  AUTHORED_STYLE,
  type AuthoredType,
  type PortableGrammar,
  type PortableWriter,
} from "../../dialects/portable-style.ts";
import type { ResolvedProtocol } from "../../dialects/protocol.ts";
import { fieldsOfId, idTemplate, isChainField } from "../../dialects/protocol.ts";
import { STYLE_NAMES, type StyleName } from "../../dialects/surface.ts";

/** The context in which portable operations are compiled: the snapshots of both styles, and the protocol's definition. */
export type PortableContext = {
  readonly definition: ResolvedProtocol;
  readonly schemas: {
    readonly [S in StyleName]: {
      readonly api: ApiSchema;
      readonly graphql: GraphQLSchema;
      readonly model: EntityModel;
    };
  };
};

/** The entities of a protocol in the authored schema and the written one. */
export type Facts = {
  readonly definition: ResolvedProtocol;
  readonly authored: {
    readonly style: StyleName;
    readonly grammar: PortableGrammar;
    readonly queryType: string;
    readonly graphql: GraphQLSchema;
  };
  readonly written: {
    readonly style: StyleName;
    readonly writer: PortableWriter;
    readonly queryType: string;
    readonly graphql: GraphQLSchema;
    /** A field of an object type of the schema. */
    readonly field: (type: string, name: string) => ApiField | undefined;
    /** The fields of an entity in its entity file; empty for an unknown entity. */
    readonly authoredFields: (entity: string) => readonly EntityField[];
  };
  /** Returns a root field by its authored name; undefined if there is none. */
  readonly root: (name: string) => RootFacts | undefined;
  /** Undefined if the authored schema has no such entity. */
  readonly entity: (name: string) => EntityFacts | undefined;
};

/** Whether a protocol is deployed in both styles, so that their answers must agree. */
export function hasBothStyles({ definition }: Pick<Facts, "definition">): boolean {
  return definition.styles.length > 1;
}

/** Whether a protocol is deployed in a style. If not, its schema there is derived, and no document for it is sent. */
export function isDeployed({ definition }: Pick<Facts, "definition">, style: StyleName): boolean {
  return definition.styles.includes(style);
}

/** Whether a protocol has only one chain, so that its rows need no field for it. */
export function servesOneChain({ definition }: Pick<Facts, "definition">): boolean {
  return definition.chains?.length === 1;
}

/** A root field of the authored schema. */
export type RootFacts = { readonly kind: "list" | "lookup" | "other"; readonly entity: string };

/** An entity, or an interface of entities. */
export type EntityFacts = {
  readonly name: string;
  readonly isInterface: boolean;
  /** Whether the written schema has it too. */
  readonly isWritten: boolean;
  readonly fields: ReadonlyMap<string, FieldFacts>;
};

/** A field of an entity: its kind in the authored schema, and its type in both; null if it does not exist there. */
export type FieldFacts = {
  readonly name: string;
  readonly authoredType: string;
  readonly writtenType: string | null;
} & (
  | { readonly kind: "column"; readonly type: AuthoredType }
  | {
      /** A reference to one row of another entity. */
      readonly kind: "reference";
      readonly target: string;
      /** Whether the row stores the reference. If not, it is found through the other row. */
      readonly isStored: boolean;
      /** The type of the id in filters. */
      readonly id: AuthoredType;
    }
  | {
      readonly kind: "list";
      readonly target: string;
      readonly isStored: boolean;
      /** The fields through which its rows are found, if they differ in the written schema. */
      readonly through: { readonly authored: string; readonly written: string } | null;
    }
);

export type ColumnFacts = Extract<FieldFacts, { kind: "column" }>;

/** A field with rows of an entity. */
export type RelationFacts = Exclude<FieldFacts, ColumnFacts>;

/** Returns the forms of the ids or bytes in a field, if the styles write them differently. */
export function formsOf(field: FieldFacts): IdForms | null {
  if (field.kind === "list") return null;
  return (field.kind === "column" ? field.type : field.id).forms;
}

/** Returns the values in the authored and the written dialect by style. */
export function inStyles<T>(authored: T, written: T): { readonly [S in StyleName]: T } {
  return { multichain: written, subgraph: written, [AUTHORED_STYLE]: authored };
}

/** Reads the facts of a context, once. */
export const readFacts = memoize(createFacts);

function createFacts({ definition, schemas }: PortableContext): Facts {
  const authored = authoredForm(schemas);
  const form = writtenForm(schemas);
  const isServed = isDeployed({ definition }, form.style);
  const written = isServed ? form : withEverything(form, schemas[authored.style].api);
  const definitions = indexByName(schemas[authored.style].model.definitions.filter(isRowDefinition));
  const enums = new Set(
    schemas[authored.style].model.definitions.flatMap(({ kind, name }) => (kind === "enum" ? [name] : [])),
  );
  const roots = new Map<string, RootFacts>();
  for (const field of fieldsOf(schemas[authored.style].api, authored.queryType)) {
    const entity = baseTypeName(field.type);
    const hasRows = definitions.get(entity)?.kind !== "aggregation" && definitions.has(entity);
    roots.set(field.name, { kind: hasRows ? authored.grammar.readRoot(field) : "other", entity });
  }
  // The style whose ids authors write.
  const idStyle = isDeployed({ definition }, authored.style) ? authored.style : written.style;
  const entities = new Map<string, EntityFacts | null>();
  const forms = new Map<string, IdForms | null>();
  return {
    definition,
    authored,
    written,
    root: (name) => roots.get(name),
    entity: (name) => cached(entities, name, readEntity) ?? undefined,
  };

  function readEntity(name: string): EntityFacts | null {
    const definition = definitions.get(name);
    if (definition === undefined || definition.kind === "aggregation") return null;
    return {
      name,
      isInterface: definition.kind === "interface" && isServed,
      isWritten: written.field(name, "id") !== undefined,
      fields: new Map(definition.fields.map((field) => [field.name, readField(name, field)])),
    };
  }

  function readField(entity: string, { name, type, derived, derivedFrom }: EntityField): FieldFacts {
    const base = baseTypeName(type);
    const types = { name, authoredType: type, writtenType: written.field(entity, name)?.type ?? null };
    const target = definitions.get(base);
    if (target === undefined) {
      return {
        ...types,
        kind: "column",
        type: {
          name: base,
          isList: isList(type),
          isEnum: enums.has(base),
          isIdWithBytes: name === "id" && hasIdWithBytes(entity),
          chainInId: name === "id" ? chainPattern(entity) : null,
          forms:
            name === "id"
              ? idForms(entity)
              : written.writer.formsOf({ name: base }, baseTypeName(types.writtenType ?? "")),
        },
      };
    }
    if (isList(type)) {
      const other = findNamed(written.authoredFields(entity), name)?.derivedFrom ?? derivedFrom;
      const through =
        derivedFrom === null || other === null || other === derivedFrom
          ? null
          : { authored: derivedFrom, written: other };
      return { ...types, kind: "list", target: base, isStored: !derived, through };
    }
    const id = baseTypeName(target.fields.find((field) => field.name === "id")?.type ?? "String");
    return {
      ...types,
      kind: "reference",
      target: base,
      isStored: !derived,
      id: {
        name: id === "ID" ? "String" : id,
        isList: false,
        isEnum: false,
        isIdWithBytes: hasIdWithBytes(base),
        chainInId: chainPattern(base),
        forms: idForms(base),
      },
    };
  }

  function hasIdWithBytes(entity: string): boolean {
    const template = idTemplate(definition.ids, entity, idStyle);
    const idType = typeOf(entity, "id");
    return (
      (idType === "ID" || idType === "String") &&
      fieldsOfId(template ?? "").some((name) => typeOf(entity, name) === "Bytes")
    );
  }

  /** Returns the pattern of ids that contain the chain, with the chain as its group; null if other parts may be any text. */
  function chainPattern(entity: string): string | null {
    const template = idTemplate(definition.ids, entity, idStyle) ?? "";
    const fields = fieldsOfId(template);
    const isChain = (field: string) => isChainField(definition.identity.chain, entity, field);
    const patternOf = (field: string) =>
      isChain(field) ? "([1-9]\\d*)" : PART_PATTERNS.get(typeOf(entity, field));
    const isClear = fields.filter(isChain).length === 1 && fields.every(patternOf);
    if (!isClear || /[\\^$.*+?()[\]|]/.test(template)) return null;
    return template.replace(/\{(\w+)\}/g, (_, field: string) => patternOf(field) ?? "");
  }

  function idForms(entity: string): IdForms | null {
    if (!hasBothStyles({ definition })) return null;
    return cached(forms, entity, () =>
      readIdForms(definition.ids, entity, (field) =>
        isChainField(definition.identity.chain, entity, field) ? "chain" : kindOfPart(typeOf(entity, field)),
      ),
    );
  }

  function typeOf(entity: string, field: string): string {
    return baseTypeName(findNamed(definitions.get(entity)?.fields ?? [], field)?.type ?? "");
  }
}

function authoredForm(schemas: PortableContext["schemas"]): Facts["authored"] {
  const form = styles[AUTHORED_STYLE].portable;
  if (form.kind !== "authored")
    throw new TypeError(`Portable operations are not written for ${AUTHORED_STYLE}.`);
  const { api, graphql } = schemas[AUTHORED_STYLE];
  return { style: AUTHORED_STYLE, grammar: form.grammar, queryType: api.queryType, graphql };
}

function writtenForm(schemas: PortableContext["schemas"]): Facts["written"] {
  for (const style of STYLE_NAMES) {
    const form = styles[style].portable;
    const { api, graphql, model } = schemas[style];
    if (form.kind !== "written") continue;
    const entities = indexByName(model.definitions.filter(isRowDefinition));
    return {
      style,
      writer: form.createWriter(api),
      queryType: api.queryType,
      graphql,
      authoredFields: (entity) => entities.get(entity)?.fields ?? [],
      field: (type, name) => findNamed(fieldsOf(api, type), name),
    };
  }
  throw new TypeError("Portable operations are written for no style.");
}

/** Adds what only the authored schema has, so that nothing is refused because of a style that is not deployed. */
function withEverything(written: Facts["written"], api: ApiSchema): Facts["written"] {
  const { writer } = written;
  const types = indexTypes(api);
  const authoredField = (typeName: string, name: string) => {
    const type = types.get(typeName);
    return type?.kind === "OBJECT" || type?.kind === "INTERFACE" ? findNamed(type.fields, name) : undefined;
  };
  return {
    ...written,
    field: (type, name) => written.field(type, name) ?? authoredField(type, name),
    writer: {
      ...writer,
      listName: (entity) => writer.listName(entity) ?? entity,
      lookup: (entity) => writer.lookup(entity) ?? { name: entity, takesChain: false },
    },
  };
}

/** The kinds of parts whose end is unambiguous. */
const PART_PATTERNS: ReadonlyMap<string, string> = new Map([
  ["Bytes", "0x[\\da-f]+"],
  ["BigInt", "\\d+"],
  ["Int", "\\d+"],
]);
