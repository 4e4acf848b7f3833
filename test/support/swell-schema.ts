import type { ApiSchema } from "../../src/dialects/api-schema.ts";
import { canonicalize } from "../../src/dialects/canonicalize.ts";
import { styles } from "../../src/dialects/index.ts";
import { parseEntities } from "../../src/dialects/parse-entities.ts";
import { parseSdl } from "../../src/dialects/parse-sdl.ts";
import { renderSdl } from "../../src/dialects/render-sdl.ts";
import type { StyleName } from "../../src/dialects/surface.ts";

/** The entities with which every swollen schema begins. */
const ENTITIES = `
  enum Kind { A B }
  interface Account { id: ID! owner: Bytes! }
  type Asset @entity { id: ID! symbol: String! decimals: BigInt! streams: [Stream!]! @derivedFrom(field: "asset") }
  type Stream @entity { id: ID! asset: Asset! kind: Kind! amount: BigInt! note: String actions: [Action!]! @derivedFrom(field: "stream") }
  type Action @entity { id: ID! stream: Stream asset: Asset! block: BigInt! }
  type Wallet implements Account @entity { id: ID! owner: Bytes! }`;

/** One way for a schema to have much of something. */
type Swelling = {
  readonly name: string;
  readonly swell: (style: StyleName, count: number) => ApiSchema;
};

type Render = (index: number, count: number) => string;

/** What a platform derives of the entities, plus `count` more of one thing, as no platform may ever have derived it. */
export const SWELLINGS: readonly Swelling[] = [
  within("fields of an entity", "type Stream", (index) => `extra${index}: String`),
  within("references to itself", "type Stream", (index) => `extra${index}: Stream`),
  within("lists of itself", "type Stream", (index) => `extra${index}: [Stream!]!`),
  within("fields of an interface's type", "type Stream", (index) => `extra${index}: Account`),
  within("fields of underscores", "type Stream", (index) => `${"_a".repeat(40)}${index}: String`),
  within(
    "fields of the root",
    { subgraph: "type Query", multichain: "type query_root" },
    (index) => `extra${index}: Stream`,
  ),
  within("fields with an argument", "type Asset", (index) => `extra${index}(of: Int): Int`),
  edited("arguments of a field", (sdl, all) =>
    sdl.replace(/(^type Stream \{[^}]*^ {2}amount):/m, `$1(${all((index) => `extra${index}: Int`)}):`),
  ),
  within(
    "members of a filter",
    { subgraph: "input Stream_filter", multichain: "input Stream_bool_exp" },
    (index) => `amount_of_${index}: Int`,
  ),
  within(
    "values of an order",
    { subgraph: "enum Stream_orderBy", multichain: "enum Stream_select_column" },
    (index) => `asset__extra_${index}`,
  ),
  derived("derived fields", (all) =>
    ENTITIES.replace(
      "note: String",
      all((index) => `extra${index}: Int`),
    ),
  ),
  derived("derived entities", (all) => {
    const next = (index: number, count: number) => `Extra${(index + 1) % count}`;
    return `${ENTITIES} ${all((index, count) => `type Extra${index} @entity { id: ID! stream: Stream! next: ${next(index, count)}! }`)}`;
  }),
  beside("objects", (index) => `type Extra${index} { id: ID }`),
  beside("scalars", (index) => `scalar Extra${index}`),
  beside("enums", (index) => `enum Extra${index} { A }`),
  beside("enums that differ in case", (index) => {
    const cased = [..."kinds_of_things"].map((letter, at) =>
      (index >> at) & 1 ? letter.toUpperCase() : letter,
    );
    return `scalar ${cased.join("")}`;
  }),
  beside("unions", (index) => `union Extra${index} = Stream`),
  beside("inputs", (index) => `input Extra${index} { a: Int }`),
  edited("objects of an interface", (sdl, all) => {
    const objects = all((index) => `type Extra${index} implements Parent { id: ID! }`);
    return `${sdl} interface Parent { id: ID! } ${objects}`;
  }),
  edited("interfaces of an object", (sdl, all) => {
    const names = all((index) => `& Extra${index}`);
    const interfaces = all((index) => `interface Extra${index} { id: ID! }`);
    return `${sdl.replace("type Stream {", `type Stream implements ${names} {`)} ${interfaces}`;
  }),
  beside("directives", (index) => `directive @extra${index} on FIELD`),
  edited("arguments of a directive", (sdl, all) => {
    return `${sdl} directive @extra(${all((index) => `extra${index}: Int`)}) on FIELD`;
  }),
];

/** What a platform derives of the entities. */
export function plain(style: StyleName): ApiSchema {
  return derive(style, ENTITIES);
}

function derive(style: StyleName, entities: string): ApiSchema {
  const model = parseEntities(entities, "entities");
  return canonicalize(styles[style].deriver.derive(model, { asRead: true }));
}

type All = (render: Render) => string;

const allOf =
  (count: number): All =>
  (render) =>
    Array.from({ length: count }, (_, index) => render(index, count)).join(" ");

function derived(name: string, entities: (all: All) => string): Swelling {
  return { name, swell: (style, count) => derive(style, entities(allOf(count))) };
}

function edited(name: string, edit: (sdl: string, all: All, style: StyleName) => string): Swelling {
  return {
    name,
    swell: (style, count) => parseSdl(edit(renderSdl(plain(style)), allOf(count), style), "swollen"),
  };
}

/** Adds types or directives. */
function beside(name: string, render: Render): Swelling {
  return edited(name, (sdl, all) => `${sdl} ${all(render)}`);
}

/** Adds members of a type. */
function within(name: string, head: string | Readonly<Record<StyleName, string>>, render: Render): Swelling {
  return edited(name, (sdl, all, style) => {
    const start = `${typeof head === "string" ? head : head[style]} {`;
    if (!sdl.includes(start)) throw new Error(`There is no ${start}`);
    return sdl.replace(start, `${start} ${all(render)}`);
  });
}
