import * as v from "valibot";
import { nearestName } from "../base/text.ts";
import {
  BYTES_TYPES,
  type Clock,
  fieldsOfId,
  type Identity,
  isChainField,
  type ProtocolDefinition,
} from "../dialects/protocol.ts";
import { STYLE_NAMES, type StyleName } from "../dialects/surface.ts";
import { BUILT_IN_PROTOCOLS } from "./protocols.ts";

/** Returns the message for a value of the wrong type. */
export const mustBe = (what: string) => (issue: v.BaseIssue<unknown>) =>
  `must be ${what}, but is ${issue.received}`;

/** A text that is not empty. */
export const text = v.pipe(v.string(mustBe("text")), v.nonEmpty("must not be empty"));

/** The id of a subgraph at a gateway. It cannot change other parts of a URL. */
export const opaqueId = v.pipe(
  text,
  v.regex(/^\w[\w.-]{0,199}$/, "must be an id: letters, digits, dashes and dots"),
  v.check(
    (id) => !/^[0-9a-f]{32}$/i.test(id),
    "looks like a key; a key itself never belongs in a configuration",
  ),
);

/**
 * Accepts what one of two schemas accepts. Only one of them judges a value, so that its message fits. The JSON schema of the
 * configuration has both, by `alternatives`.
 */
export function either<A, B>(
  first: v.GenericSchema<unknown, A>,
  second: v.GenericSchema<unknown, B>,
  isFirst: (input: unknown) => boolean,
) {
  const schema = v.lazy((input): v.GenericSchema<unknown, A | B> => (isFirst(input) ? first : second));
  return { ...schema, type: "either" as const, alternatives: [first, second] as const };
}

/** Returns whether a value is an object or null. */
export const isObject = (input: unknown) => typeof input === "object";

/** Accepts an object with any keys. It refuses keys such as `__proto__`, which valibot would silently drop. */
export function record<T>(
  key: v.GenericSchema<string, string>,
  value: v.GenericSchema<unknown, T>,
  message: string,
): v.GenericSchema<unknown, Readonly<Record<string, T>>> {
  return v.pipe(
    plain(() => message),
    v.custom<Record<string, unknown>>(
      (input) => findUnsafeKey(input) === undefined,
      ({ input }) => `must not have the key "${findUnsafeKey(input)}"`,
    ),
    v.record(key, value, message),
  );
}

function findUnsafeKey(input: unknown): string | undefined {
  if (typeof input !== "object" || input === null) return undefined;
  return ["__proto__", "constructor", "prototype"].find((key) => Object.hasOwn(input, key));
}

/** Refuses lists, maps and instances of classes, which valibot would accept as objects without keys. */
function plain(message: (kind: string) => string) {
  return v.custom<unknown>(
    (input) => typeof input !== "object" || input === null || isPlain(input),
    ({ input }) => message(Array.isArray(input) ? "a list" : "an instance of a class"),
  );
}

function isPlain(input: object): boolean {
  const parent: unknown = Object.getPrototypeOf(input);
  return parent === null || Object.getPrototypeOf(parent) === null;
}

/** A schema for every key of a documented type. Both have the same keys with the same types. */
type EntriesOf<T> = { readonly [K in keyof T]-?: v.GenericSchema<unknown, T[K]> };

/** Accepts an object with known keys only. The message for an unknown key suggests the nearest one. */
export function section<T>(entries: EntriesOf<T>): v.GenericSchema<unknown, T> {
  const schema = v.strictObject(entries, (issue) => {
    if (issue.expected !== "never") {
      return issue.received === "undefined" ? "is missing" : `must be an object, but is ${issue.received}`;
    }
    return suggest(String(issue.path?.at(-1)?.key ?? ""), Object.keys(entries));
  });
  return v.pipe(
    plain((kind) => `must be an object, but is ${kind}`),
    schema,
  ) as unknown as v.GenericSchema<unknown, T>;
}

/** Returns a hint for an unknown key: the nearest known key, or all of them. */
export function suggest(key: string, names: readonly string[]): string {
  const nearest = nearestName(key, names);
  return nearest ? `did you mean "${nearest}"?` : `known keys: ${names.join(", ")}.`;
}

const quoted = BUILT_IN_PROTOCOLS.map((key) => `"${key}"`).join(" or ");
const NAME = "[A-Za-z_][A-Za-z0-9_]*";
const name = v.pipe(text, v.regex(new RegExp(`^${NAME}$`), "must be the name of a field"));
const fieldName = v.pipe(
  text,
  v.regex(new RegExp(`^${NAME}\\.${NAME}$`), 'must name a field of an entity: "Entity.field"'),
);
const timeName = v.pipe(
  text,
  v.regex(
    new RegExp(`^(\\*|${NAME})\\.${NAME}$`),
    'must name a field of an entity, or of all: "Entity.field", "*.field"',
  ),
);
const byEntity = <T>(value: v.GenericSchema<unknown, T>) =>
  record(
    v.pipe(v.string(), v.regex(new RegExp(`^${NAME}$`), "is not the name of an entity")),
    value,
    "must be an object of entity names",
  );
const fieldsInBraces = v.check<string, string>(
  (template) => !/[{}]/.test(template.replace(/\{\w+\}/g, "")),
  'must have braces only around fields: "{contract}-{tokenId}"',
);
const apart = v.check<string, string>(
  (template) => !template.includes("}{"),
  'must have text between two fields, so that ids are unambiguous: "{contract}-{tokenId}"',
);
const sharedTemplate = v.pipe(
  text,
  v.check(
    (template) => fieldsOfId(template).length > 0,
    'must have fields in braces: "{contract}-{tokenId}"',
  ),
  fieldsInBraces,
  apart,
);
const styleTemplate = v.pipe(text, fieldsInBraces, apart);
const idTemplate = either(
  section<{ readonly [S in StyleName]: string }>({ multichain: styleTemplate, subgraph: styleTemplate }),
  sharedTemplate,
  isObject,
);
/** The name of a style. */
export const style = v.picklist(STYLE_NAMES, mustBe('"multichain" or "subgraph"'));
/** Names of styles. */
export const styles = v.pipe(v.array(style, "must be a list of styles"), v.minLength(1, "must not be empty"));
/** Keys of chains. They are checked later, when the chains are known. */
export const chainKeys = v.pipe(
  v.array(text, "must be a list of chain keys"),
  v.minLength(1, "must not be empty"),
);
/** Chains by key, id or another name. They are looked up later, when the chains are known. */
export const chainNames = v.pipe(
  v.array(
    v.union(
      [text, v.pipe(v.number(), v.integer(mustBe("the id of a chain")))],
      mustBe("a chain's key, id or name"),
    ),
    "must be a list of chains",
  ),
  v.minLength(1, "must not be empty"),
);
const byStyle = section<{ readonly [S in StyleName]?: string | undefined }>({
  multichain: v.optional(text),
  subgraph: v.optional(text),
});
const members = section<ProtocolDefinition>({
  title: v.optional(
    v.pipe(
      text,
      v.regex(/^(?=.*\S)[^\p{C}\p{Zl}\p{Zp}]{1,60}$/u, "must be one line of at most 60 characters"),
    ),
  ),
  entities: v.optional(either(byStyle, text, isObject)),
  rows: v.optional(text),
  styles: v.optional(styles),
  release: v.optional(byStyle),
  bytesType: v.optional(v.picklist(BYTES_TYPES, mustBe('"string" or "uint8array"'))),
  chains: v.optional(chainKeys),
  deployment: v.optional(
    v.pipe(
      text,
      v.regex(
        /^(\{brand\}|[\w.-]|\{protocol\}|\{suffix\})([\w.-]|\{protocol\}|\{suffix\})*$/,
        "must have only letters, digits, dashes, {protocol} and {suffix}, and {brand} only at the start",
      ),
      v.includes("{suffix}", "must contain {suffix}, so that its deployments have different names"),
    ),
  ),
  identity: v.optional(section<Identity>({ protocol: v.optional(fieldName), chain: v.optional(fieldName) })),
  chainPath: v.optional(byEntity(name)),
  cursors: v.optional(byEntity(name)),
  ids: v.optional(byEntity(idTemplate)),
  times: v.optional(v.array(timeName, "must be a list of fields")),
  amounts: v.optional(
    record(
      v.pipe(
        v.string(),
        v.regex(
          new RegExp(`^(\\d{1,3}|${NAME}(\\.${NAME})*)$`),
          'must be a number of decimals or a path to them: "asset.decimals"',
        ),
      ),
      v.array(
        v.pipe(
          text,
          v.regex(
            new RegExp(`^${NAME}(\\.${NAME})+$`),
            'must name a field of an entity: "Stream.amount", "Stream.segments.amount"',
          ),
        ),
        "must be a list of fields",
      ),
      "must be an object of lists by decimals",
    ),
  ),
  clock: v.optional(
    v.pipe(
      section<Clock>({ block: fieldName, time: fieldName }),
      v.check(
        ({ block, time }) => block.split(".")[0] === time.split(".")[0],
        "must name two fields of one entity",
      ),
    ),
  ),
  updatedBy: v.optional(
    v.pipe(
      text,
      v.regex(/^[A-Za-z_]\w*\.[A-Za-z_]\w*$/, "must be an operation and a key: ActionsFeed.stream"),
    ),
  ),
});
const definition = v.pipe(
  members,
  v.rawCheck(({ dataset, addIssue }) => {
    if (!dataset.typed) return;
    const { ids = {}, identity } = dataset.value;
    const [owner = "", chain = ""] = identity?.chain?.split(".") ?? [];
    for (const [entity, template] of Object.entries(ids)) {
      if (typeof template === "string") continue;
      const parts = (style: StyleName) =>
        fieldsOfId(template[style]).filter(
          (field) => !isChainField({ entity: owner, field: chain }, entity, field),
        );
      const [subgraph, others] = [parts("subgraph"), parts("multichain")];
      const missing =
        subgraph.find((field) => !others.includes(field)) ??
        others.find((field) => !subgraph.includes(field));
      if (missing === undefined) continue;
      addIssue({
        message: `must have the same fields in both styles, except for the chain: only one has {${missing}}`,
        path: [
          { type: "object", origin: "value", input: dataset.value, key: "ids", value: ids },
          { type: "object", origin: "value", input: ids, key: entity, value: template },
        ],
      });
    }
  }),
);
const RESERVED: readonly string[] = [...STYLE_NAMES, "schemas", "client"];
/** The protocols of a configuration: a list of keys, or definitions by key. */
export const protocols = either(
  v.pipe(
    record(
      v.pipe(
        v.string(),
        v.regex(
          /^[a-z][a-z0-9-]{0,99}$/,
          "is not a protocol key: use at most 100 lower-case letters, digits and dashes, and start with a letter",
        ),
        v.check((key) => !RESERVED.includes(key), "is reserved: a folder or a style has that name"),
      ),
      either(definition, v.literal(true, mustBe("a definition, or true for a built-in protocol")), isObject),
      "must be an object of protocols",
    ),
    v.check((all) => Object.keys(all).length > 0, "must not be empty"),
    v.rawCheck(({ dataset, addIssue }) => {
      if (!dataset.typed) return;
      for (const [key, value] of Object.entries(dataset.value)) {
        if (value !== true || BUILT_IN_PROTOCOLS.includes(key)) continue;
        addIssue({
          message: `must be a definition: only ${BUILT_IN_PROTOCOLS.join(" and ")} are built in`,
          path: [{ type: "object", origin: "value", input: dataset.value, key, value }],
        });
      }
    }),
  ),
  v.pipe(
    v.array(
      v.picklist(BUILT_IN_PROTOCOLS, (issue) =>
        typeof issue.input === "string"
          ? `must be ${quoted}, but is ${issue.received}: to add a protocol, replace the list with an object of definitions`
          : mustBe(quoted)(issue),
      ),
      "must be a list of protocols, or an object of their definitions",
    ),
    v.minLength(1, "must not be empty"),
  ),
  (input) => isObject(input) && input !== null && !Array.isArray(input),
);
