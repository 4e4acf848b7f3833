import { listSome } from "../../base/clean-text.ts";
import { UsageError } from "../../base/errors.ts";
import type { ConfirmedRename } from "../../compare/find-api-renames.ts";
import { type EntityModel, isRowDefinition } from "../../dialects/entity-model.ts";

/** A rename of the command line. */
export type StatedRename = {
  readonly text: string;
  /** The old entity or enum of a member; null for an entity or enum. */
  readonly owner: string | null;
  readonly from: string;
  readonly to: string;
};

/**
 * Parses `Stream.alias=moniker` and `Stream=LockupStream`.
 *
 * @throws UsageError for another form, and for renames that contradict each other.
 */
export function parseRenames(texts: readonly string[]): StatedRename[] {
  const renames = texts.map((text): StatedRename => {
    const [, owner, from = "", to = ""] =
      /^(?:([A-Za-z_]\w*)\.)?([A-Za-z_]\w*)=([A-Za-z_]\w*)$/.exec(text) ?? [];
    if (from === "") {
      throw new UsageError({
        sentence: `--rename must be Entity.field=newField or Entity=NewEntity; got "${text}".`,
      });
    }
    return { text, owner: owner ?? null, from, to };
  });
  for (const [index, { text, owner, from, to }] of renames.entries()) {
    const others = renames.slice(0, index).filter((rename) => rename.owner === owner);
    const hint = "give each name once.";
    if (from === to) throw new UsageError({ sentence: `--rename ${text} does not change the name.` });
    if (others.some((other) => other.from === from)) {
      throw new UsageError({
        sentence: `--rename names ${owner === null ? "" : `${owner}.`}${from} twice.`,
        hint,
      });
    }
    if (others.some((other) => other.to === to)) {
      throw new UsageError({ sentence: `--rename gives two parts the name "${to}".`, hint });
    }
  }
  return renames;
}

/** The models of an old and a new version. */
type ModelPair = { readonly before: EntityModel; readonly after: EntityModel };

/** Returns the renames that apply from one version to another, as `findApiRenames` takes them. */
export function applyingRenames(renames: readonly StatedRename[], pair: ModelPair): ConfirmedRename[] {
  return renames
    .map((rename) => readRename(rename, pair, renames))
    .filter((applied) => typeof applied !== "string");
}

/**
 * Requires that each rename applies to at least one selected surface.
 *
 * @param pairs the old and new versions of the surfaces.
 * @throws UsageError
 */
export function requireApplying(renames: readonly StatedRename[], pairs: readonly ModelPair[]): void {
  for (const rename of renames) {
    const reasons = pairs.map((pair) => readRename(rename, pair, renames));
    if (reasons.some((reason) => typeof reason !== "string")) continue;
    const [first = "No earlier version of a snapshot is known."] = reasons.filter(
      (reason) => typeof reason === "string",
    );
    throw new UsageError({
      sentence: `--rename ${rename.text} does not apply: ${first}`,
      hint: "the first name must be of the old schema only, the second one of the new schema only.",
    });
  }
}

/** Returns a rename with its kind, or why it does not apply. */
function readRename(
  { owner, from, to }: StatedRename,
  { before, after }: ModelPair,
  all: readonly StatedRename[],
): ConfirmedRename | string {
  if (owner === null) {
    const [was, is] = [findType(before, from), findType(after, to)];
    if (was === undefined) return `the old schema has no ${from}${suggest(before, from)}.`;
    if (is === undefined) return `the new schema has no ${to}.`;
    if (findType(after, from)) return `the new schema has ${from} too.`;
    if (findType(before, to)) return `the old schema has ${to} too.`;
    if (was.kind !== is.kind) return `${was.name} is an ${was.kind}, and ${is.name} is an ${is.kind}.`;
    return { kind: was.kind === "enum" ? "enum" : "entity", owner: null, from: was.name, to: is.name };
  }
  const was = findType(before, owner);
  if (was === undefined) return `the old schema has no ${owner}.`;
  const newOwner = all.find((rename) => rename.owner === null && rename.from === owner)?.to;
  if (was.kind === "enum") {
    const is = findOwner(after, was.name, newOwner, to);
    const [oldValues, newValues] = [was.values ?? [], is?.kind === "enum" ? (is.values ?? []) : []];
    if (!oldValues.some(({ name }) => name === from))
      return `${owner} has no value ${from} in the old schema.`;
    if (!newValues.some(({ name }) => name === to)) return `${owner} has no value ${to} in the new schema.`;
    if (newValues.some(({ name }) => name === from)) return `${owner} has ${from} in the new schema too.`;
    if (oldValues.some(({ name }) => name === to)) return `${owner} has ${to} in the old schema too.`;
    return { kind: "enum-value", owner: was.name, from, to };
  }
  if (!isRowDefinition(was)) return `${owner} is not an entity or an enum.`;
  const old = was.fields.find(({ name }) => name === from);
  if (old === undefined) return `${owner} has no field ${from} in the old schema.`;
  const is = findOwner(after, was.name, newOwner, to);
  if (is === undefined || !isRowDefinition(is)) return `the new schema has no ${owner} with ${to}.`;
  const now = is.fields.find(({ name }) => name === to);
  if (now === undefined) return `${is.name} has no field ${to} in the new schema.`;
  if (is.fields.some(({ name }) => name === from)) return `${is.name} has ${from} in the new schema too.`;
  if (was.fields.some(({ name }) => name === to)) return `${owner} has ${to} in the old schema too.`;
  if (!isSameType(old.type, now.type, { before, after })) {
    return `${owner}.${from} is of type ${old.type}, and ${is.name}.${to} of type ${now.type}.`;
  }
  return { kind: "field", owner: was.name, from, to };
}

/** The new owner of a member has its old name, the stated one, or any name that the old schema does not have. */
function findOwner({ definitions }: EntityModel, name: string, stated: string | undefined, member: string) {
  const types = definitions.filter((definition) => definition.kind !== "fulltext");
  const has = (type: (typeof types)[number]) =>
    ("fields" in type && type.fields.some((field) => field.name === member)) ||
    (type.kind === "enum" && type.values?.some((value) => value.name === member));
  return (
    types.find((type) => type.name === (stated ?? name)) ??
    types.find((type) => has(type) && type.name.toLowerCase().includes(name.toLowerCase())) ??
    types.find(has)
  );
}

/** Multichain APIs show enums as scalars in lower case. */
function findType({ definitions }: EntityModel, name: string) {
  const types = definitions.filter((definition) => definition.kind !== "fulltext");
  return (
    types.find((type) => type.name === name) ??
    types.find((type) => type.kind === "enum" && type.name === name.toLowerCase())
  );
}

function suggest({ definitions }: EntityModel, name: string): string {
  const near = definitions.filter((definition) => definition.name.toLowerCase() === name.toLowerCase());
  return near.length === 0
    ? ""
    : `; did you mean ${listSome(
        near.map((definition) => definition.name),
        3,
      )}?`;
}

/** Types are equal up to `!` and types that only one of the schemas has. */
function isSameType(a: string, b: string, { before, after }: ModelPair): boolean {
  const plain = (type: string) => type.replaceAll("!", "");
  if (plain(a) === plain(b)) return true;
  const [was, is] = [/\w+/.exec(a)?.[0] ?? "", /\w+/.exec(b)?.[0] ?? ""];
  const isRenamed =
    findType(before, was) && !findType(after, was) && findType(after, is) && !findType(before, is);
  return Boolean(isRenamed) && plain(a).replace(was, is) === plain(b);
}
