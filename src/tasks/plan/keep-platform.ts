import { indexByName } from "../../base/collections.ts";
import { indexSchema, readSide } from "../../compare/indexed-schema.ts";
import { type ApiSchema, type ApiType, fieldsOf } from "../../dialects/api-schema.ts";
import { canonicalize } from "../../dialects/canonicalize.ts";
import type { Style } from "../../dialects/style.ts";

/**
 * Replaces what no entity derives, such as the platform's own tables, by what the deployed API has. A release that is newer
 * than all known ones has other members there.
 */
export function keepPlatform(derived: ApiSchema, shown: ApiSchema, style: Style): ApiSchema {
  const models = [shown, derived].map((schema) => readSide(schema, style).model);
  const originsOf = style.deriver.traceOrigins(models, derived);
  const isPlatforms = (coordinate: string) => originsOf(coordinate).every(({ kind }) => kind === "platform");
  const roots = new Map([
    [derived.queryType, fieldsOf(shown, shown.queryType)],
    [derived.subscriptionType, fieldsOf(shown, shown.subscriptionType)],
  ]);
  const withRootFields = (type: ApiType): ApiType => {
    const others = roots.get(type.name);
    if (others === undefined || type.kind !== "OBJECT") return type;
    const isKept = ({ name }: { readonly name: string }) => isPlatforms(`${type.name}.${name}`);
    return { ...type, fields: [...type.fields.filter((field) => !isKept(field)), ...others.filter(isKept)] };
  };
  const chosen = [
    ...derived.types.filter(({ name }) => roots.has(name) || !isPlatforms(name)).map(withRootFields),
    ...shown.types.filter(({ name }) => isPlatforms(name)),
  ];
  const names = new Set(chosen.map(({ name }) => name));
  // Scalars may be needed by entities on one side, and by the platform on the other.
  const scalars = shown.types.filter(({ kind }) => kind === "SCALAR" || kind === "INPUT_OBJECT");
  const types = [...indexByName([...chosen, ...derived.types, ...scalars]).values()];
  const { isInput, isOutput } = indexSchema({ ...derived, types });
  return canonicalize({
    ...derived,
    types: types.filter(({ name }) => names.has(name) || isInput(name) || isOutput(name)),
    directives: [
      ...derived.directives.filter(({ name }) => !isPlatforms(`@${name}`)),
      ...shown.directives.filter(({ name }) => isPlatforms(`@${name}`)),
    ],
  });
}
