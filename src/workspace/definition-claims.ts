import type { ResolvedProtocol } from "../dialects/protocol.ts";
import { BUILT_IN } from "../project/protocols.ts";

/** The parts of a definition that name entities and fields. */
export type FieldFacts = Pick<ResolvedProtocol, "key" | "identity" | "chainPath" | "cursors" | "ids">;

/** Whether a definition names a field. Those that ship with Lockflow do not count. */
export function namesFields(definition: FieldFacts): boolean {
  return collectClaims(definition).length > 0;
}

/** A field that a definition names, and what the field has to be: anything, a scalar, a scalar with many values, or a path to a chain. */
export type Claim = {
  /** The key of the configuration that names it. */
  readonly place: string;
  readonly entity: string;
  readonly field: string;
  readonly is: "there" | "scalar" | "many-valued" | "path";
};

/** Collects what a definition names. Names that ship with Lockflow are left out. */
export function collectClaims({ key, identity, chainPath, cursors, ids }: FieldFacts): Claim[] {
  const shipped = BUILT_IN.find((one) => one.key === key);
  const ofIdentity = (["protocol", "chain"] as const).flatMap((name): Claim[] => {
    const said = identity[name];
    if (said === null || `${said.entity}.${said.field}` === shipped?.identity?.[name]) return [];
    return [
      { place: `protocols.${key}.identity.${name}`, ...said, is: name === "chain" ? "many-valued" : "there" },
    ];
  });
  const own = (name: "chainPath" | "cursors" | "ids", said: Readonly<Record<string, string>>) =>
    (said === shipped?.[name] ? [] : Object.entries(said)).map(([entity, text]) => ({
      place: `protocols.${key}.${name}.${entity}`,
      entity,
      text,
    }));
  return [
    ...ofIdentity,
    ...own("chainPath", chainPath).map(({ text, ...at }): Claim => ({ ...at, field: text, is: "path" })),
    ...own("cursors", cursors).map(({ text, ...at }): Claim => ({ ...at, field: text, is: "many-valued" })),
    ...own("ids", ids).flatMap(({ text, ...at }) =>
      [...text.matchAll(/\{(\w+)\}/g)].map(([, field = ""]): Claim => ({ ...at, field, is: "scalar" })),
    ),
  ];
}
