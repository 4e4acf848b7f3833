import { compareCodeUnits } from "../base/compare-code-units.ts";
import { ConfigError } from "../base/errors/config-error.ts";
import { nearestName } from "../base/nearest-name.ts";
import type { ApiSchema } from "../schema/api-schema.ts";
import type { Snapshot } from "../snapshots/snapshot.ts";
import type { Style } from "../styles/style.ts";
import { isScalarImport } from "./leaf-types.ts";
import { typeKinds } from "./type-kinds.ts";

/**
 * Checks the scalars of a configuration; what only a compiler could judge, such as an imported type, is left to it.
 *
 * @param known as `knownScalars` has them.
 * @throws ConfigError for an unknown name, for a text that is no type, and for a type that contradicts what travels.
 */
export function checkScalars(
  configured: Readonly<Record<string, string>>,
  known: ReadonlyMap<string, string | null>,
): void {
  for (const [name, type] of Object.entries(configured)) {
    const travels = known.get(name);
    if (travels === undefined) throw unknownScalar(name, known);
    if (isScalarImport(type)) continue;
    const kinds = typeKinds(type);
    if (kinds === null)
      throw refused(name, type, "is not a TypeScript type", `give a type, as in ${name}: "string".`);
    if (travels === null) continue;
    const arriving = typeKinds(travels) ?? new Set();
    if (isPossible(kinds, arriving)) continue;
    const [kind] = arriving;
    throw refused(
      name,
      type,
      `contradicts what travels: ${name} arrives as JSON${kind === "unclear" ? "" : `, as a ${kind}`}, and nothing converts it`,
      kind === "string"
        ? `leave it a string, give the string a brand, as in \`string & { readonly __scalar: "${name}" }\`, and convert where you calculate: \`BigInt(value)\`.`
        : `leave the entry out: the type is \`${travels}\`.`,
    );
  }
}

function isPossible(kinds: ReadonlySet<string>, arriving: ReadonlySet<string>): boolean {
  // Somebody would have to make it, and nobody does: JSON is handed on as it comes.
  if (kinds.has("foreign")) return false;
  if (kinds.has("unclear")) return true;
  return arriving.has("unclear") ? kinds.size > 0 : [...kinds].some((kind) => arriving.has(kind));
}

function refused(name: string, type: string, reason: string, hint: string): ConfigError {
  return new ConfigError({
    code: "CONFIG_INVALID_VALUE",
    sentence: `The configuration's "scalars.${name}", ${JSON.stringify(type)}, ${reason}.`,
    hint,
  });
}

function unknownScalar(name: string, known: ReadonlyMap<string, unknown>): ConfigError {
  const names = [...known.keys()].sort(compareCodeUnits);
  const nearest = nearestName(name, names)?.toLowerCase();
  // One platform has a BigInt, the other a bigint.
  const meant = names.filter((each) => each.toLowerCase() === nearest);
  return new ConfigError({
    code: "CONFIG_UNKNOWN_KEY",
    sentence: `The configuration's "scalars.${name}" is the name of no scalar.`,
    hint:
      meant.length === 0
        ? `known scalars: ${names.join(", ")}.`
        : `did you mean ${meant.map((each) => `"${each}"`).join(" or ")}?`,
  });
}

/**
 * The scalars of platforms and snapshots, each with the TypeScript type of what travels; null where nobody knows.
 *
 * @param schemas the bases of the snapshots.
 */
export function knownScalars(
  styles: readonly Style[],
  snapshots: readonly Snapshot[],
  schemas: readonly ApiSchema[],
): ReadonlyMap<string, string | null> {
  const known = new Map<string, string | null>();
  const types = schemas.flatMap((schema) => schema.types);
  // An enum that a platform shows as an opaque scalar is folded to lower case there, and its members are texts.
  const enums = new Set(types.flatMap(({ kind, name }) => (kind === "ENUM" ? [name.toLowerCase()] : [])));
  // Snapshots are printed by us, so a scalar stands on a line of its own.
  const variants = snapshots.flatMap((snapshot) => snapshot.variants.map(({ text }) => text)).join("\n");
  const names = [
    ...types.flatMap(({ kind, name }) => (kind === "SCALAR" ? [name] : [])),
    ...[...variants.matchAll(/^scalar (\w+)/gm)].map(([, name = ""]) => name),
  ];
  for (const name of names) known.set(name, enums.has(name) ? "string" : null);
  for (const { scalars } of styles) {
    for (const [name, { typescript }] of scalars) known.set(name, typescript);
  }
  return known;
}
