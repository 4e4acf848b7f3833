import type {
  ApiDirective,
  ApiEnum,
  ApiField,
  ApiInputObject,
  ApiInputValue,
  ApiInterface,
  ApiObject,
  ApiSchema,
  ApiType,
} from "../../src/dialects/api-schema.ts";
import { canonicalize } from "../../src/dialects/canonicalize.ts";
import type { EntityModel } from "../../src/dialects/entity-model.ts";
import { styles } from "../../src/dialects/index.ts";
import { parseEntities } from "../../src/dialects/parse-entities.ts";
import type { StyleName } from "../../src/dialects/surface.ts";

/** The entities every swollen schema begins with. */
export const ENTITIES = `
  enum Kind { A B }
  interface Account { id: ID! owner: Bytes! }
  type Asset @entity { id: ID! symbol: String! decimals: BigInt! streams: [Stream!]! @derivedFrom(field: "asset") }
  type Stream @entity { id: ID! asset: Asset! kind: Kind! amount: BigInt! note: String actions: [Action!]! @derivedFrom(field: "stream") }
  type Action @entity { id: ID! stream: Stream asset: Asset! block: BigInt! }
  type Wallet implements Account @entity { id: ID! owner: Bytes! }`;

/** One way for a schema to have much of something. */
export type Swelling = {
  readonly name: string;
  readonly swell: (style: StyleName, count: number) => ApiSchema;
};

/** What a platform derives of the entities, plus `count` more of one thing, as no platform may ever have made it. */
export const SWELLINGS: readonly Swelling[] = [
  ofType("fields of an entity", "Stream", (index) => field(`extra${index}`, "String")),
  ofType("references to itself", "Stream", (index) => field(`extra${index}`, "Stream")),
  ofType("lists of itself", "Stream", (index) => field(`extra${index}`, "[Stream!]!")),
  ofType("fields of an interface's type", "Stream", (index) => field(`extra${index}`, "Account")),
  ofType("fields of underscores", "Stream", (index) => field(`${"_a".repeat(40)}${index}`, "String")),
  ofType("fields of the root", null, (index) => field(`extra${index}`, "Stream")),
  ofType("fields with an argument", "Asset", (index) => field(`extra${index}`, "Int", [input("of", "Int")])),
  {
    name: "arguments of a field",
    swell: (style, count) =>
      editType(plain(style), "Stream", (type) => ({
        ...type,
        fields: type.fields.map((one) =>
          one.name === "amount"
            ? { ...one, args: many(count, (index) => input(`extra${index}`, "Int")) }
            : one,
        ),
      })),
  },
  {
    name: "members of a filter",
    swell: (style, count) =>
      editInput(plain(style), style === "subgraph" ? "Stream_filter" : "Stream_bool_exp", (type) => ({
        ...type,
        fields: [...type.fields, ...many(count, (index) => input(`amount_of_${index}`, "Int"))],
      })),
  },
  {
    name: "values of an order",
    swell: (style, count) =>
      editEnum(plain(style), style === "subgraph" ? "Stream_orderBy" : "Stream_select_column", (type) => ({
        ...type,
        values: [...type.values, ...many(count, (index) => value(`asset__extra_${index}`))],
      })),
  },
  ofModel("derived fields", (model, count) => ({
    ...model,
    definitions: model.definitions.map((definition) =>
      definition.kind === "entity" && definition.name === "Stream"
        ? {
            ...definition,
            fields: [
              ...definition.fields,
              ...many(count, (index) => ({ ...TEMPLATE, name: `extra${index}` })),
            ],
          }
        : definition,
    ),
  })),
  ofModel("derived entities", (model, count) => ({
    ...model,
    definitions: [
      ...model.definitions,
      ...parseEntities(
        many(
          count,
          (index) =>
            `type Extra${index} @entity { id: ID! stream: Stream! next: Extra${(index + 1) % count}! }`,
        ).join(" "),
        "extra",
      ).definitions,
    ],
  })),
  ofTypes("objects", (index) => object(`Extra${index}`, [field("id", "ID")])),
  ofTypes("scalars", (index) => ({ kind: "SCALAR", name: `Extra${index}`, description: null })),
  ofTypes("enums", (index) => ({
    kind: "ENUM",
    name: `Extra${index}`,
    description: null,
    values: [value("A")],
  })),
  ofTypes("enums that differ in case", (index) => ({
    kind: "SCALAR",
    name: [...`kinds_of_things`]
      .map((letter, at) => ((index >> at) & 1 ? letter.toUpperCase() : letter))
      .join(""),
    description: null,
  })),
  ofTypes("unions", (index) => ({
    kind: "UNION",
    name: `Extra${index}`,
    description: null,
    possibleTypes: ["Stream"],
  })),
  ofTypes("inputs", (index) => ({
    kind: "INPUT_OBJECT",
    name: `Extra${index}`,
    description: null,
    fields: [input("a", "Int")],
  })),
  ofTypes(
    "objects of an interface",
    (index) => ({ ...object(`Extra${index}`, [field("id", "ID!")]), interfaces: ["Parent"] }),
    [{ ...object("Parent", [field("id", "ID!")]), kind: "INTERFACE" } satisfies ApiInterface],
  ),
  {
    name: "interfaces of an object",
    swell: (style, count) => {
      const parents = many(
        count,
        (index): ApiType => ({ ...object(`Extra${index}`, [field("id", "ID!")]), kind: "INTERFACE" }),
      );
      const swollen = editType(plain(style), "Stream", (type) => ({
        ...type,
        interfaces: parents.map(({ name }) => name),
      }));
      return { ...swollen, types: [...swollen.types, ...parents] };
    },
  },
  ofDirectives("directives", (count) => many(count, (index) => ({ ...DIRECTIVE, name: `extra${index}` }))),
  ofDirectives("arguments of a directive", (count) => [
    { ...DIRECTIVE, args: many(count, (index) => input(`extra${index}`, "Int")) },
  ]),
];

/** What a platform derives of the entities. */
export function plain(style: StyleName): ApiSchema {
  return derive(style, parseEntities(ENTITIES, "entities"));
}

function derive(style: StyleName, model: EntityModel): ApiSchema {
  return canonicalize(styles[style].deriver.derive(model, { asRead: true }));
}

function ofModel(name: string, edit: (model: EntityModel, count: number) => EntityModel): Swelling {
  return { name, swell: (style, count) => derive(style, edit(parseEntities(ENTITIES, "entities"), count)) };
}

/** @param type null for the query root. */
function ofType(name: string, type: string | null, make: (index: number) => ApiField): Swelling {
  return {
    name,
    swell: (style, count) => {
      const schema = plain(style);
      return editType(schema, type ?? schema.queryType, (known) => ({
        ...known,
        fields: [...known.fields, ...many(count, make)],
      }));
    },
  };
}

function ofTypes(name: string, make: (index: number) => ApiType, more: readonly ApiType[] = []): Swelling {
  return {
    name,
    swell: (style, count) => {
      const schema = plain(style);
      return { ...schema, types: [...schema.types, ...more, ...many(count, make)] };
    },
  };
}

function ofDirectives(name: string, make: (count: number) => readonly ApiDirective[]): Swelling {
  return {
    name,
    swell: (style, count) => {
      const schema = plain(style);
      return { ...schema, directives: [...schema.directives, ...make(count)] };
    },
  };
}

function editType(schema: ApiSchema, name: string, edit: (type: ApiObject) => ApiType): ApiSchema {
  return {
    ...schema,
    types: schema.types.map((type) => (type.name === name && type.kind === "OBJECT" ? edit(type) : type)),
  };
}

function editInput(schema: ApiSchema, name: string, edit: (type: ApiInputObject) => ApiType): ApiSchema {
  return {
    ...schema,
    types: schema.types.map((type) =>
      type.name === name && type.kind === "INPUT_OBJECT" ? edit(type) : type,
    ),
  };
}

function editEnum(schema: ApiSchema, name: string, edit: (type: ApiEnum) => ApiType): ApiSchema {
  return {
    ...schema,
    types: schema.types.map((type) => (type.name === name && type.kind === "ENUM" ? edit(type) : type)),
  };
}

function many<T>(count: number, make: (index: number) => T): T[] {
  return Array.from({ length: count }, (_, index) => make(index));
}

function object(name: string, fields: readonly ApiField[]): ApiObject {
  return { kind: "OBJECT", name, description: null, interfaces: [], fields };
}

function field(name: string, type: string, args: readonly ApiInputValue[] = []): ApiField {
  return { name, description: null, args, type, deprecationReason: null };
}

function input(name: string, type: string): ApiInputValue {
  return { name, description: null, type, defaultValue: null };
}

function value(name: string): ApiEnum["values"][number] {
  return { name, description: null, deprecationReason: null };
}

const DIRECTIVE: ApiDirective = { name: "extra", description: null, locations: ["FIELD"], args: [] };

const TEMPLATE = {
  name: "",
  description: null,
  type: "Int",
  args: [],
  derived: false,
  derivedFrom: null,
  aggregate: false,
  precise: false,
} as const;
