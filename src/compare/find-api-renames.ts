import { cached, compareCodeUnits, findNamed, groupBy, indexByName } from "../base/collections.ts";
import { baseTypeName } from "../dialects/api-schema.ts";
import { type EntityField, type EntityModel, isRowDefinition } from "../dialects/entity-model.ts";
import { findEntityRenames, type ModelParts } from "./find-entity-renames.ts";
import { findRenames, pairUp } from "./find-renames.ts";
import { isOtherQuantity, wordsOf } from "./name-similarity.ts";
import { changeOfWords } from "./word-change.ts";

/** A part of an API that has another name. Its new owner follows from the rows of entities and enums. */
export type Rename = {
  readonly kind: "entity" | "enum" | "field" | "enum-value";
  /** The old entity or enum of a field or value; null for entities and enums. */
  readonly owner: string | null;
  readonly from: string;
  readonly to: string;
  readonly certain: boolean;
  /** `guess` if it is not certain. */
  readonly why: "confirmed" | "structure" | "systematic" | "name" | "guess";
};

/** A rename that was stated, or that the other style proves. */
export type ConfirmedRename = Pick<Rename, "kind" | "owner" | "from" | "to">;

export type RenameOptions = {
  /** A confirmed rename also accepts the same change of words in other names. One that does not apply has no effect. */
  readonly confirmed?: readonly ConfirmedRename[];
  /** The versions in between, the oldest first. If one of them has both names, they are not a rename. */
  readonly between?: readonly EntityModel[];
};

/** Finds the renamed parts between two versions of an API, sorted by kind, owner and old name. */
export function findApiRenames(
  before: EntityModel,
  after: EntityModel,
  { confirmed = [], between = [] }: RenameOptions = {},
): Rename[] {
  const search: Search = {
    was: indexModel(before),
    is: indexModel(after),
    between: between.map(indexModel),
    confirmed,
    accepted: new Set(),
    names: new Map(),
  };
  const entities = findEntityRenames(search.was, search.is, {
    confirmed: new Map(confirmed.flatMap(({ kind, from, to }) => (kind === "entity" ? [[from, to]] : []))),
    changes: changesOf(confirmed, ["entity", "enum"]),
    coexisted: (from, to) => search.between.some(({ rows }) => rows.has(from) && rows.has(to)),
  });
  for (const { from, to, why } of entities.renames) if (why !== "guess") search.names.set(from, to);
  for (const key of [...entities.accepted, ...changesOf(confirmed, ["field", "enum-value"])]) {
    search.accepted.add(key);
  }
  const enums = findEnumRenames(search);
  for (const { from, to, certain } of enums) if (certain) search.names.set(from, to);
  return [
    ...entities.renames.map(({ why, ...pair }) => toRename({ kind: "entity", owner: null }, pair, why)),
    ...enums,
    ...findFieldRenames(search),
    ...findValueRenames(search),
  ].sort(
    (a, b) =>
      compareCodeUnits(a.kind, b.kind) ||
      compareCodeUnits(a.owner ?? "", b.owner ?? "") ||
      compareCodeUnits(a.from, b.from),
  );
}

/** Returns the renames that become certain if one is confirmed, without that one. */
export function findFollowers(
  { before, after }: { readonly before: EntityModel; readonly after: EntityModel },
  rename: ConfirmedRename,
  options: RenameOptions = {},
): Rename[] {
  const find = (confirmed: readonly ConfirmedRename[]) =>
    findApiRenames(before, after, { ...options, confirmed }).filter(({ certain }) => certain);
  const { confirmed = [] } = options;
  const keys = new Set([rename, ...find(confirmed)].map(keyOf));
  return find([...confirmed, rename]).filter((follower) => !keys.has(keyOf(follower)));
}

function keyOf({ kind, owner, from, to }: ConfirmedRename): string {
  return [kind, owner, from, to].join(" ");
}

function indexModel({ definitions }: EntityModel): ModelParts {
  return {
    rows: indexByName(definitions.filter(isRowDefinition)),
    enums: indexByName(definitions.filter((definition) => definition.kind === "enum")),
  };
}

type Search = {
  readonly was: ModelParts;
  readonly is: ModelParts;
  readonly between: readonly ModelParts[];
  readonly confirmed: readonly ConfirmedRename[];
  /** The keys of the changes of words that are accepted for all names. */
  readonly accepted: Set<string>;
  /** The certain new names of entities and enums by their old ones. */
  readonly names: Map<string, string>;
};

type Names = Pick<Rename, "from" | "to">;

function toRename(part: Pick<Rename, "kind" | "owner">, { from, to }: Names, why: Rename["why"]): Rename {
  return { ...part, from, to, certain: why !== "guess", why };
}

/** Returns the keys of the changes of words in some confirmed renames. */
function changesOf(
  confirmed: readonly ConfirmedRename[],
  kinds: readonly Rename["kind"][],
): ReadonlySet<string> {
  const renames = confirmed.filter(({ kind }) => kinds.includes(kind));
  return new Set(renames.flatMap(({ from, to }) => sharedChange(from, to) ?? []));
}

/** Returns the key of a change of words that other names can share; null for none. */
function sharedChange(from: string, to: string): string | null {
  const change = changeOfWords(from, to);
  return change === null || change.kind === "spelling" || change.kind === "order" ? null : change.key;
}

function isAccepted({ from, to }: Names, { accepted }: Search): boolean {
  const key = accepted.size === 0 ? null : sharedChange(from, to);
  return key !== null && accepted.has(key) && !isOtherQuantity(wordsOf(from), wordsOf(to));
}

/** Returns the kept and certainly renamed entities, with both versions. */
function pairOwners({ was, is, names }: Search) {
  return [...was.rows.values()].flatMap((old) => {
    const now = is.rows.get(names.get(old.name) ?? old.name);
    return now === undefined ? [] : [{ old, now }];
  });
}

/** Finds renamed enums by the fields that had the old one and have the new one. */
function findEnumRenames(search: Search): Rename[] {
  const { was, is, between, confirmed } = search;
  const isRename = (from: string, to: string) =>
    was.enums.has(from) && !is.enums.has(from) && is.enums.has(to) && !was.enums.has(to);
  const stated = new Map(
    confirmed.flatMap((rename) => {
      const [from, to] = [findEnum(was, rename.from), findEnum(is, rename.to)];
      return rename.kind === "enum" && from && to && isRename(from, to) ? [[from, to]] : [];
    }),
  );
  const targets = new Map<string, Set<string>>();
  for (const { old, now } of pairOwners(search)) {
    for (const { name, type } of old.fields) {
      const from = baseTypeName(type);
      if (!was.enums.has(from) || is.enums.has(from)) continue;
      const kept = findNamed(now.fields, name);
      const others = kept
        ? [kept]
        : now.fields.filter((field) => isAccepted({ from: name, to: field.name }, search));
      for (const other of others)
        cached(targets, from, () => new Set<string>()).add(baseTypeName(other.type));
    }
  }
  const inferred = [...targets].flatMap(([from, [to = "", ...more]]): Rename[] => {
    const isShared = [...targets].some(([name, types]) => name !== from && types.has(to));
    const isTaken = stated.has(from) || [...stated.values()].includes(to);
    const coexisted = between.some(({ enums }) => enums.has(from) && enums.has(to));
    if (more.length > 0 || isShared || isTaken || coexisted || !isRename(from, to)) return [];
    const why = isAccepted({ from, to }, search) ? "systematic" : "structure";
    return [toRename({ kind: "enum", owner: null }, { from, to }, isAlike(from, to, search) ? why : "guess")];
  });
  return [
    ...[...stated].map(([from, to]) => toRename({ kind: "enum", owner: null }, { from, to }, "confirmed")),
    ...inferred,
  ];
}

/** Returns the name of an enum in a style: multichain shows it as a scalar with the name in lower case. */
function findEnum({ enums }: ModelParts, name: string): string | undefined {
  if (enums.has(name)) return name;
  return [...enums.keys()].find((key) => key.toLowerCase() === name.toLowerCase());
}

/** Returns whether half of the values are alike. Without values, one name has to begin or end with the other. */
function isAlike(from: string, to: string, search: Search): boolean {
  const [left, right] = [search.was.enums.get(from)?.values, search.is.enums.get(to)?.values];
  if (left == null || right == null) {
    const [short = "", long = ""] = [from, to].map(flat).sort((a, b) => a.length - b.length);
    return long.startsWith(short) || long.endsWith(short);
  }
  const alike = left.filter((described) =>
    right.some(
      (other) =>
        flat(described.name) === flat(other.name) ||
        isAccepted({ from: described.name, to: other.name }, search),
    ),
  );
  return alike.length * 2 >= Math.max(left.length, right.length);
}

function flat(name: string): string {
  return name.toLowerCase().replaceAll("_", "");
}

function findFieldRenames(search: Search): Rename[] {
  const { was, is, names } = search;
  const newType = (type: string) => type.replace(/\w+/, (name) => names.get(name) ?? name);
  const bare = (type: string) => type.replaceAll("!", "");
  const isEntity = (type: string) => is.rows.has(type) || was.rows.has(type);
  const splits = new Map<string, Split<EntityField>>();
  const renames = pairOwners(search).flatMap(({ old, now }): Rename[] => {
    // With the new names of types, fields of both sides can be compared.
    const fields =
      names.size === 0 ? old.fields : old.fields.map((field) => ({ ...field, type: newType(field.type) }));
    const split = splitMembers(fields, now.fields);
    if (split.removed.length === 0 || split.added.length === 0) return [];
    splits.set(old.name, split);
    const members = { kind: "field", owner: old.name, ...split } as const;
    const paired = pairKnownMembers(members, search, (field, other) => {
      const isSame = bare(field.type) === bare(other.type) && field.derived === other.derived;
      return isSame && isAccepted({ from: field.name, to: other.name }, search) ? "systematic" : null;
    });
    const isOpen = ({ name }: EntityField) => !paired.some(({ from, to }) => name === from || name === to);
    const inferred = findRenames(split.removed.filter(isOpen), split.added.filter(isOpen), {
      stayed: [
        ...fields.filter((field) => !split.removed.includes(field)),
        ...now.fields.filter((field) => !split.added.includes(field)),
      ],
      isSameType: (a, b) => a === b,
      isEntity,
    }).map(({ removed, added, why }) => toRename(members, { from: removed.name, to: added.name }, why));
    return [...paired, ...inferred.filter((rename) => !coexisted(rename, search))];
  });
  return [...renames, ...findSharedRenames(renames, splits, search)];
}

type Named = { readonly name: string };

type Split<T> = { readonly removed: readonly T[]; readonly added: readonly T[] };

function splitMembers<T extends Named>(before: readonly T[], after: readonly T[]): Split<T> {
  return {
    removed: before.filter(({ name }) => !findNamed(after, name)),
    added: after.filter(({ name }) => !findNamed(before, name)),
  };
}

type Members<T> = Pick<Rename, "kind"> & { readonly owner: string } & Split<T>;

/** Pairs members as confirmed, then those with a reason of their own, if only one fits. */
function pairKnownMembers<T extends Named>(
  members: Members<T>,
  search: Search,
  reasonOf: (removed: T, added: T) => "name" | "systematic" | null,
): Rename[] {
  const { kind, owner, removed, added } = members;
  const part = { kind, owner };
  const confirmed = search.confirmed.filter((rename) => rename.kind === kind && rename.owner === owner);
  const stated = removed.flatMap((member) => {
    const to = confirmed.find(({ from }) => from === member.name)?.to;
    const other = findNamed(added, to ?? "");
    return other === undefined ? [] : [{ removed: member, added: other }];
  });
  const inferred = pairUp(
    removed.filter((member) => !stated.some((pair) => pair.removed === member)),
    added.filter((member) => !stated.some((pair) => pair.added === member)),
    (member, other) => {
      const reason = reasonOf(member, other);
      if (reason === null || coexisted({ ...part, from: member.name, to: other.name }, search)) return 0;
      return reason === "name" ? 2 : 1;
    },
  );
  return [
    ...stated.map((pair) => toRename(part, namesOf(pair), "confirmed")),
    ...inferred.map((pair) => toRename(part, namesOf(pair), reasonOf(pair.removed, pair.added) ?? "guess")),
  ];
}

function namesOf({ removed, added }: { readonly removed: Named; readonly added: Named }): Names {
  return { from: removed.name, to: added.name };
}

/** Returns whether a version in between had both members, in the owner by its old or new name. */
function coexisted({ kind, owner, from, to }: ConfirmedRename, { between, names }: Search): boolean {
  const owners = [owner ?? "", names.get(owner ?? "") ?? ""];
  return between.some(({ rows, enums }) =>
    owners.some((name) => {
      const members: readonly Named[] =
        (kind === "field" ? rows.get(name)?.fields : enums.get(name)?.values) ?? [];
      return findNamed(members, from) !== undefined && findNamed(members, to) !== undefined;
    }),
  );
}

/** Applies a rename of an interface's field to its implementers, and those of an implementer to its interfaces and theirs. */
function findSharedRenames(
  renames: readonly Rename[],
  splits: ReadonlyMap<string, Split<EntityField>>,
  { was }: Search,
): Rename[] {
  const implementers = groupBy(
    [...was.rows.values()].flatMap((row) =>
      row.kind === "entity" ? row.interfaces.map((parent) => ({ parent, name: row.name })) : [],
    ),
    ({ parent }) => parent,
  );
  const candidates = [...implementers].flatMap(([parent, children]) => {
    const relatives = [parent, ...children.map(({ name }) => name)];
    return renames
      .filter(({ owner }) => relatives.includes(owner ?? ""))
      .flatMap((rename) =>
        relatives.flatMap((owner): Rename[] => {
          const { removed = [], added = [] } = splits.get(owner) ?? {};
          const [was, is] = [findNamed(removed, rename.from), findNamed(added, rename.to)];
          return was && is && was.type === is.type ? [{ ...rename, owner }] : [];
        }),
      );
  });
  const shared: Rename[] = [];
  for (const rename of candidates) {
    const isKnown = [...renames, ...shared].some(
      ({ owner, from, to }) => owner === rename.owner && (from === rename.from || to === rename.to),
    );
    if (!isKnown) shared.push(rename);
  }
  return shared;
}

/** Finds renamed values of kept and renamed enums. Their order proves nothing. */
function findValueRenames(search: Search): Rename[] {
  return [...search.was.enums.values()].flatMap(({ name: owner, values }) => {
    const now = search.is.enums.get(search.names.get(owner) ?? owner)?.values;
    if (values === null || now == null) return [];
    return pairKnownMembers(
      { kind: "enum-value", owner, ...splitMembers(values, now) },
      search,
      (described, other) => {
        if (flat(described.name) === flat(other.name)) return "name";
        return isAccepted({ from: described.name, to: other.name }, search) ? "systematic" : null;
      },
    );
  });
}

/** Returns whether a model has the old name of an entity or a field, and not the new one. */
export function hasOldName({ definitions }: EntityModel, { kind, owner, from, to }: Rename): boolean {
  const rows = definitions.filter(isRowDefinition);
  const names = (kind === "entity" ? rows : (findNamed(rows, owner ?? "")?.fields ?? [])).map(
    ({ name }) => name,
  );
  return names.includes(from) && !names.includes(to);
}
