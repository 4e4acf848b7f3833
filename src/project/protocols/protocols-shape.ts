import * as v from "valibot";
import { mustBe, record, section, text } from "../config-shapes.ts";
import { STYLE_NAMES, type StyleName } from "../vocabulary.ts";
import { BUILT_IN_PROTOCOLS } from "./built-in.ts";
import type { Identity, ProtocolDefinition } from "./definition.ts";

const quoted = BUILT_IN_PROTOCOLS.map((key) => `"${key}"`).join(" or ");
const NAME = "[A-Za-z_][A-Za-z0-9_]*";
const name = v.pipe(text, v.regex(new RegExp(`^${NAME}$`), "must be the name of a field"));
const fieldName = v.pipe(
  text,
  v.regex(new RegExp(`^${NAME}\\.${NAME}$`), 'must name a field of an entity: "Entity.field"'),
);
const byEntity = <T>(value: v.GenericSchema<unknown, T>) =>
  record(
    v.pipe(v.string(), v.regex(new RegExp(`^${NAME}$`), "is not the name of an entity")),
    value,
    "must be an object of entity names",
  );
const idTemplate = v.pipe(
  text,
  v.check(
    (template) => /\{\w+\}/.test(template) && !/[{}]/.test(template.replace(/\{\w+\}/g, "")),
    'must be made of fields in braces: "{contract}-{tokenId}"',
  ),
);
/** The name of a style. */
export const style = v.picklist(STYLE_NAMES, mustBe('"multichain" or "subgraph"'));
/** Names of styles. */
export const styles = v.pipe(v.array(style, "must be a list of styles"), v.minLength(1, "must not be empty"));
/** Keys of chains, which are checked where chains are known. */
export const chainKeys = v.pipe(
  v.array(text, "must be a list of chain keys"),
  v.minLength(1, "must not be empty"),
);
const definition = section<ProtocolDefinition>({
  title: v.optional(
    v.pipe(
      text,
      v.regex(/^(?=.*\S)[^\p{C}\p{Zl}\p{Zp}]{1,60}$/u, "must be one line of at most 60 characters"),
    ),
  ),
  entities: v.optional(
    v.lazy((input) =>
      typeof input === "object"
        ? section<{ readonly [S in StyleName]?: string | undefined }>({
            multichain: v.optional(text),
            subgraph: v.optional(text),
          })
        : text,
    ),
  ),
  rows: v.optional(text),
  styles: v.optional(styles),
  chains: v.optional(chainKeys),
  deployment: v.optional(
    v.pipe(
      text,
      v.regex(
        /^(\{brand\}|[\w.-]|\{protocol\}|\{suffix\})([\w.-]|\{protocol\}|\{suffix\})*$/,
        "must be letters, digits, dashes, {protocol}, {suffix}, and {brand} only where it begins",
      ),
      v.includes("{suffix}", "must hold {suffix}, which tells its deployments apart"),
    ),
  ),
  identity: v.optional(section<Identity>({ protocol: v.optional(fieldName), chain: v.optional(fieldName) })),
  chainPath: v.optional(byEntity(name)),
  cursors: v.optional(byEntity(name)),
  ids: v.optional(byEntity(idTemplate)),
});
const RESERVED: readonly string[] = [...STYLE_NAMES, "schemas", "client"];
/** The protocols of a configuration: a list of keys, or definitions by key. */
export const protocols = v.lazy((input) =>
  typeof input === "object" && input !== null && !Array.isArray(input)
    ? v.pipe(
        record(
          v.pipe(
            v.string(),
            v.regex(
              /^[a-z][a-z0-9-]{0,99}$/,
              "is not a protocol's key: use at most 100 lower-case letters, digits and dashes, and begin with a letter",
            ),
            v.check(
              (key) => !RESERVED.includes(key),
              "cannot be a protocol's key: a folder or a style has that name",
            ),
          ),
          v.lazy((value) =>
            typeof value === "object"
              ? definition
              : v.literal(true, mustBe("a definition, or true for one that ships")),
          ),
          "must be an object of protocols",
        ),
        v.check((all) => Object.keys(all).length > 0, "must not be empty"),
        v.rawCheck(({ dataset, addIssue }) => {
          if (!dataset.typed) return;
          for (const [key, value] of Object.entries(dataset.value)) {
            if (value !== true || BUILT_IN_PROTOCOLS.includes(key)) continue;
            addIssue({
              message: `must be a definition: only ${BUILT_IN_PROTOCOLS.join(" and ")} ship with Lockflow`,
              path: [{ type: "object", origin: "value", input: dataset.value, key, value }],
            });
          }
        }),
      )
    : v.pipe(
        v.array(
          v.picklist(BUILT_IN_PROTOCOLS, (issue) =>
            typeof issue.input === "string"
              ? `must be ${quoted}, but is ${issue.received}: a protocol of your own needs an object of definitions in the place of the list`
              : mustBe(quoted)(issue),
          ),
          "must be a list of protocols, or an object of their definitions",
        ),
        v.minLength(1, "must not be empty"),
      ),
);
