import { fieldsOfId, type ResolvedProtocol } from "../dialects/protocol.ts";
import { BUILT_IN } from "../project/protocols.ts";

/** The parts of a definition that name entities and fields. */
export type FieldFacts = Pick<
  ResolvedProtocol,
  "key" | "identity" | "chainPath" | "cursors" | "ids" | "times" | "amounts" | "clock"
>;

/** Returns whether a definition names a field. Fields of built-in definitions do not count. */
export function namesFields(definition: FieldFacts): boolean {
  return collectClaims(definition).length > 0;
}

/** A field in a definition, and its required kind: any field, a scalar, a scalar with many values, or a path to a chain. */
export type Claim = {
  /** The key of the configuration that names it. */
  readonly place: string;
  readonly entity: string;
  readonly field: string;
  readonly is: "there" | "scalar" | "many-valued" | "path";
};

/** Collects the fields of a definition, without those of built-in definitions. */
export function collectClaims(definition: FieldFacts): Claim[] {
  const { key, identity, chainPath, cursors, ids, times, amounts, clock } = definition;
  const shipped = BUILT_IN.find((builtIn) => builtIn.key === key);
  const shippedAmounts = Object.values(shipped?.amounts ?? {}).flat();
  const ofIdentity = (["protocol", "chain"] as const).flatMap((name): Claim[] => {
    const source = identity[name];
    if (source === null || `${source.entity}.${source.field}` === shipped?.identity?.[name]) return [];
    const is = name === "chain" ? "many-valued" : "there";
    return [{ place: `protocols.${key}.identity.${name}`, ...source, is }];
  });
  const entriesOf = <T>(name: "chainPath" | "cursors" | "ids", entries: Readonly<Record<string, T>>) =>
    (entries === shipped?.[name] ? [] : Object.entries(entries)).map(([entity, value]) => ({
      at: { place: `protocols.${key}.${name}.${entity}`, entity },
      value,
    }));
  return [
    ...ofIdentity,
    ...entriesOf("chainPath", chainPath).map(({ at, value }): Claim => ({ ...at, field: value, is: "path" })),
    ...entriesOf("cursors", cursors).map(
      ({ at, value }): Claim => ({ ...at, field: value, is: "many-valued" }),
    ),
    ...entriesOf("ids", ids).flatMap(({ at, value }): Claim[] =>
      typeof value === "string"
        ? fieldsOfId(value).map((field) => ({ ...at, field, is: "scalar" }))
        : // The id is an address, and no other field has it.
          [{ ...at, field: "id", is: "there" }],
    ),
    ...times
      .filter(({ entity, field }) => !shipped?.times?.includes(`${entity}.${field}`))
      .map((time): Claim => ({ place: `protocols.${key}.times`, ...time, is: "scalar" })),
    ...(["block", "time"] as const).flatMap((name): Claim[] => {
      if (clock === null || `${clock.entity}.${clock[name]}` === shipped?.clock?.[name]) return [];
      const place = `protocols.${key}.clock.${name}`;
      return [{ place, entity: clock.entity, field: clock[name], is: "scalar" }];
    }),
    ...amounts
      .filter(({ path }) => !shippedAmounts.includes(path.join(".")))
      .map(({ path: [entity = "", field = "", ...below] }): Claim => {
        const is = below.length === 0 ? "scalar" : "there";
        return { place: `protocols.${key}.amounts`, entity, field, is };
      }),
  ];
}
