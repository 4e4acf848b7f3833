import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type ConfirmedRename,
  findApiRenames,
  findFollowers,
  type Rename,
  type RenameOptions,
} from "../../src/compare/find-api-renames.ts";
import type { EntityModel } from "../../src/dialects/entity-model.ts";
import { styles } from "../../src/dialects/index.ts";
import { parseEntities } from "../../src/dialects/parse-entities.ts";
import type { StyleName } from "../../src/dialects/surface.ts";
import { apiOf, mergedModel, mergeRenames, oldApi } from "../support/merged-indexer.ts";
import { runs } from "../support/runs.ts";
import { STYLES } from "./fixtures.ts";

/** Returns the model that an API shows, for entities in the notation of `sdlOf`. */
function modelOf(style: StyleName, entities: string): EntityModel {
  return styles[style].schemas.read(apiOf(style, parseEntities(sdlOf(entities), "entities.graphql")));
}

/** Writes entity SDL: `Pool name fee:Int swaps:Swap.pool | enum Kind A B`, texts by default and lists by their reference. */
function sdlOf(entities: string): string {
  return entities
    .split("|")
    .map((one) => {
      const [name = "", ...members] = one.trim().split(/\s+/);
      if (name === "enum") return `enum ${members[0]} { ${members.slice(1).join(" ")} }`;
      const fields = members.map((member) => {
        const [field, type = "String", derivedFrom] = member.split(/[:.]/);
        return derivedFrom
          ? `${field}: [${type}!]! @derivedFrom(field: "${derivedFrom}")`
          : `${field}: ${type}!`;
      });
      return `type ${name} @entity { id: ID! ${fields.join(" ")} }`;
    })
    .join("\n");
}

const show = ({ owner, from, to, certain }: Pick<Rename, "owner" | "from" | "to" | "certain">) =>
  `${owner === null ? "" : `${owner}.`}${from} →${certain ? "" : "?"} ${to}`;

function find(
  style: StyleName,
  [before, after]: readonly [string, string],
  options?: RenameOptions,
): string[] {
  return findApiRenames(modelOf(style, before), modelOf(style, after), options).map(show);
}

const certainOf = (rows: readonly string[]) => rows.filter((row) => !row.includes("?"));

describe.each(STYLES)("the merge of both built-in protocols: %s", (style) => {
  const read = (api: ReturnType<typeof oldApi>) => styles[style].schemas.read(api);
  const merged = read(apiOf(style, mergedModel(style)));
  it.each(["lockup", "flow"] as const)("%s: every rename is certain, and nothing else", (protocol) => {
    const family = protocol === "lockup" ? "Lockup" : "Flow";
    const found = findApiRenames(read(oldApi(protocol, style)), merged);
    expect(found.map(show).sort()).toEqual(mergeRenames(family, style).map(show).sort());
  });
});

type History = [name: string, before: string, after: string, ...certain: string[]];

describe.each(STYLES)("certain renames of entities: %s", (style) => {
  it.each<History>([
    // Other rows, with names that share words.
    ["some fields", "Token address symbol", "TokenHolder address balance"],
    ["all fields and one more", "Token address symbol", "TokenHolder address symbol balance"],
    [
      "all fields and one more, with a reference",
      "Token a b c d | User one:Token",
      "TokenHolder a b c d balance | User one:TokenHolder",
    ],
    [
      "snapshots of two entities",
      "Position a b c d | Account a b c d",
      "PositionSnapshot a b c d timestamp | AccountSnapshot a b c d timestamp",
    ],
    ["a snapshot with equal fields", "Position a b c d", "PositionSnapshot a b c d"],
    ["the plural of such a word", "Position a b c d", "PositionSnapshots a b c d"],
    ["a number", "Pool a b c d", "PoolV2 a b c d"],
    [
      "opposite events",
      "DepositEvent a b c d | DepositRequest a b c d",
      "WithdrawEvent a b c d | WithdrawRequest a b c d",
    ],
    [
      "opposite orders, with a reference",
      "BuyOrder a b c | User one:BuyOrder",
      "SellOrder a b c | User one:SellOrder",
    ],
    ["inflected opposites", "Locked a b c | User one:Locked", "Unlock a b c | User one:Unlock"],
    ["another quantity", "APRInTime a b c | User one:APRInTime", "APYInTime a b c | User one:APYInTime"],
    ["a quantity", "Holding a b c | User one:Holding", "Balance a b c | User one:Balance"],
    ["a word replaced without a reference", "FrpVault a b c d", "SVVault a b c d"],
    // More than one candidate.
    ["split in two", "Transfer a b c d", "OriginTransfer a b c d | DestinationTransfer a b c d"],
    ["merged from two", "OriginTransfer a b c d | DestinationTransfer a b c d", "Transfer a b c d"],
    ["beside a new one", "UserDeposit a b c d", "Deposit a b c d | VaultDeposit a b c d"],
    // Too little in common.
    ["half of the fields", "Transfer a b c d", "DestinationTransfer a b e f"],
    ["two equal fields", "Swap a b", "UniSwap a b"],
    ["an entity that grew", "Swap a b c", "UniSwap a b c d"],
    ["two changes of words", "Pool a b c | User one:Pool", "UniPoolData a b c | User one:UniPoolData"],
    ["another type of a field", "Pool a b c:Int | User one:Pool", "UniPool a b d e f | User one:UniPool"],
    [
      "more references than before",
      "Pool a b c d | Owner x y z | User one:Pool",
      "UniPool a b c d owner:Owner | Owner x y z | User one:UniPool",
    ],
    [
      "one reference leads elsewhere",
      "Pool a b c d | User one:Pool two:Pool",
      "UniPool a b c d | Other x y z | User one:UniPool two:Other",
    ],
    ["words in an order that matters", "TokenPerShare a b c", "ShareInToken a b c"],
    ["reversed", "BaseToQuote a b c", "QuoteToBase a b c"],

    // Renames.
    [
      "a reference that follows",
      "Vault a b c d | User one:Vault",
      "PrizeVault a b c e d | User one:PrizeVault",
      "Vault → PrizeVault",
    ],
    [
      "a word at the start of two names",
      "Pool a b c | Swap a b pool:Pool",
      "UniPool a b c | UniSwap a b pool:UniPool",
      "Pool → UniPool",
      "Swap → UniSwap",
    ],
    [
      "a small entity follows a large one",
      "Pool a b c d | Swap e f",
      "UniPool a b c d | UniSwap e f",
      "Pool → UniPool",
      "Swap → UniSwap",
    ],
    ["a removed word", "UniPool a b c", "Pool a b c", "UniPool → Pool"],
    ["a word at the end", "Pool a b c", "PoolEntity a b c", "Pool → PoolEntity"],
    [
      "a word replaced, with a reference",
      "FrpVault a b | User one:FrpVault",
      "SVVault a b | User one:SVVault",
      "FrpVault → SVVault",
    ],
    ["another notation", "DAO a b", "Dao a c", "DAO → Dao"],
    [
      "another notation beside a snapshot of it",
      "DAO a b c d",
      "Dao a b c d | DaoSnapshot a b c d",
      "DAO → Dao",
    ],
    ["a singular", "UserDailyClaims a b", "UserDailyClaim a b", "UserDailyClaims → UserDailyClaim"],
    ["a plural in ies", "Entry a b", "Entries a b", "Entry → Entries"],
    ["another order of words", "PoolUni a b", "UniPool a b", "PoolUni → UniPool"],
    [
      "types are compared after renaming",
      "Stream a actions:Action.stream | Action stream:Stream b c",
      "LockupStream a actions:LockupAction.stream | LockupAction stream:LockupStream b c",
      "Action → LockupAction",
      "Stream → LockupStream",
    ],
    [
      "a merge: most of the other family fits as well, and the largest entity decides",
      "Action a b c | Batch d e | Stream a b c d e f g h",
      "LockupAction a b c | LockupBatch d e | LockupStream a b c d e f g h | FlowAction a b c | FlowBatch d e | FlowStream a b x y z",
      "Action → LockupAction",
      "Batch → LockupBatch",
      "Stream → LockupStream",
    ],
    [
      "a merge that dropped an entity, which the other family has",
      "Action a b c | Batch d e | Note f g h i | Stream a b c d e f g h",
      "LockupAction a b c | LockupBatch d e | LockupStream a b c d e f g h | FlowAction a b c | FlowBatch d e | FlowNote f g h i | FlowStream a b x y z",
      "Action → LockupAction",
      "Batch → LockupBatch",
      "Stream → LockupStream",
    ],
    [
      "a merge that renamed an entity in another way",
      "Action a b c | Batch d e | Note f g h i | Stream a b c d e f g h",
      "LockupAction a b c | LockupBatch d e | LockupStream a b c d e f g h | FlowAction a b c | FlowBatch d e | FlowNote f g h i | FlowStream a b x y z | NoteEntity f g h i",
      "Action → LockupAction",
      "Batch → LockupBatch",
      "Note → NoteEntity",
      "Stream → LockupStream",
    ],
    [
      "a type in another notation",
      "Pool a b dao:DAO | DAO x",
      "UniPool a b dao:Dao | Dao x",
      "DAO → Dao",
      "Pool → UniPool",
    ],
    [
      "all rows are snapshots now, but only a reference proves it",
      "Position a b c d | Account a b c d | User one:Position",
      "PositionSnapshot a b c d | AccountSnapshot a b c d | User one:PositionSnapshot",
      "Position → PositionSnapshot",
    ],
    [
      "and back",
      "LockupAction a b c | LockupBatch d e | LockupStream a b c d e f g h | FlowAction a b c | FlowBatch d e | FlowStream a b x y z",
      "Action a b c | Batch d e | Stream a b c d e f g h",
      "LockupAction → Action",
      "LockupBatch → Batch",
      "LockupStream → Stream",
    ],
  ])("%s", (_, before, after, ...want) => {
    expect(certainOf(find(style, [before, after]))).toEqual(want);
  });
});

describe.each(STYLES)("certain renames of enums: %s", (style) => {
  const lower = (rows: readonly string[]) => rows.map((row) => row.toLowerCase());
  it.each<History>([
    [
      "of a kept entity",
      "Stream a kind:Kind | enum Kind A B",
      "Stream a kind:StreamKind | enum StreamKind A B",
      "kind → streamkind",
    ],
    [
      "of a renamed entity",
      "Stream a b c kind:Kind | enum Kind A B",
      "LockupStream a b c kind:LockupKind | enum LockupKind A B",
      "stream → lockupstream",
      "kind → lockupkind",
    ],
    [
      "of a field whose name has the accepted change",
      "Stream a b c | Watcher kind:Kind | enum Kind A B",
      "LockupStream a b c | Watcher lockupKind:LockupKind | enum LockupKind A B",
      "stream → lockupstream",
      "kind → lockupkind",
      "watcher.kind → lockupkind",
    ],
    [
      "two enums of one",
      "Stream a one:Kind two:Kind | enum Kind A B",
      "Stream a one:OneKind two:TwoKind | enum OneKind A B | enum TwoKind A B",
    ],
    [
      "one enum of two",
      "Stream a one:OneKind two:TwoKind | enum OneKind A B | enum TwoKind A B",
      "Stream a one:Kind two:Kind | enum Kind A B",
    ],
    ["a text", "Stream a kind:Kind | enum Kind A B", "Stream a kind:String"],
    ["another enum", "Stream a kind:Kind | enum Kind A B", "Stream a kind:Shape | enum Shape C D"],
  ])("%s", (_, before, after, ...want) => {
    expect(lower(certainOf(find(style, [before, after])))).toEqual(want);
  });
});

describe.each(STYLES)("certain renames of fields: %s", (style) => {
  it.each<History>([
    ["opposite orders", "Pool a b token0PerToken1", "Pool a b token1PerToken0"],
    ["opposites", "Pool a b amountIn", "Pool a b amountOut"],
    ["numbers", "Pool a b amount0", "Pool a b amount1"],
    ["another unit", "Pool a b fees", "Pool a b feesUSD"],
    ["a word in common", "Pool a b sender", "Pool a b senderAddress"],
    ["another type", "Pool a b totalUSD", "Pool a b totalUsd:Int"],
    [
      "another notation",
      "Pool a b totalValueLockedUSD",
      "Pool a b totalValueLockedUsd",
      "Pool.totalValueLockedUSD → totalValueLockedUsd",
    ],
    [
      "another order",
      "Pool a b amountDeposit",
      "Pool a b depositAmount",
      "Pool.amountDeposit → depositAmount",
    ],
    ["a corrected spelling", "Pool a b recievedAt", "Pool a b receivedAt", "Pool.recievedAt → receivedAt"],
    [
      "the change of an entity",
      "Stream a b c | Watcher actionCounter:Int streamCounter:Int",
      "LockupStream a b c | Watcher lockupActionCounter:Int lockupStreamCounter:Int",
      "Stream → LockupStream",
      "Watcher.actionCounter → lockupActionCounter",
      "Watcher.streamCounter → lockupStreamCounter",
    ],
    [
      "the type after renaming",
      "Stream a b c asset:Asset | Asset d streams:Stream.asset",
      "LockupStream a b c asset:Asset | Asset d lockupStreams:LockupStream.asset",
      "Stream → LockupStream",
      "Asset.streams → lockupStreams",
    ],
    [
      "the change of an entity, but another type",
      "Stream a b c | Watcher counter:Int",
      "LockupStream a b c | Watcher lockupCounter",
      "Stream → LockupStream",
    ],
    [
      "the field of the other family of a merge",
      "Stream a b c d | Watcher d counter:Int",
      "LockupStream a b c d | FlowStream a b e f | Watcher d flowCounter:Int",
      "Stream → LockupStream",
    ],
    [
      "the change of entities that could be another one",
      "Transfer a b c d | Watcher counter:Int",
      "OriginTransfer a b c d | DestinationTransfer a b c d | Watcher originCounter:Int",
    ],
    [
      "a field of a renamed entity",
      "Stream a b c d startTime | Action a b c",
      "LockupStream a b c d start_time | LockupAction a b c",
      "Action → LockupAction",
      "Stream → LockupStream",
      "Stream.startTime → start_time",
    ],
  ])("%s", (_, before, after, ...want) => {
    expect(certainOf(find(style, [before, after]))).toEqual(want);
  });
});

it("in a renamed interface and its implementers, a field is renamed together", () => {
  const entities = (name: string) =>
    parseEntities(
      `interface Party { id: ID! ${name}: String! a: Int b: Int }
     type Alice implements Party @entity { id: ID! ${name}: String! a: Int b: Int }
     type Bob implements Party @entity { id: ID! ${name}: String! a: Int b: Int c: Int }`,
      "entities.graphql",
    );
  expect(findApiRenames(entities("recievedAt"), entities("receivedAt")).map(show)).toEqual(
    ["Alice", "Bob", "Party"].map((owner) => `${owner}.recievedAt → receivedAt`),
  );
});

describe("renames of enum values", () => {
  it.each<History>([
    ["another notation", "LockupLinear B", "LOCKUP_LINEAR B", "Kind.LockupLinear → LOCKUP_LINEAR"],
    ["the same position", "A B", "A C"],
    ["the same words in another order", "LinearLockup B", "LockupLinear B"],
  ])("%s", (_, before, after, ...want) => {
    const of = (members: string) => `Stream a b c kind:Kind | enum Kind ${members}`;
    expect(find("subgraph", [of(before), of(after)])).toEqual(want);
  });

  it("the change of an entity", () => {
    const after = "LockupStream a b c kind:LockupKind | enum LockupKind LockupLinear LockupDynamic";
    expect(find("subgraph", ["Stream a b c kind:Kind | enum Kind Linear Dynamic", after])).toEqual([
      ...["Stream → LockupStream", "Kind → LockupKind"],
      ...["Kind.Dynamic → LockupDynamic", "Kind.Linear → LockupLinear"],
    ]);
  });
});

describe.each(STYLES)("with what is known: %s", (style) => {
  const entity = (from: string, to: string) => ({ kind: "entity", owner: null, from, to }) as const;
  const field = (owner: string, from: string, to: string) => ({ kind: "field", owner, from, to }) as const;
  const MANNER = style === "multichain" ? "kind → manner" : "Kind → Manner";

  it.each<[name: string, before: string, after: string, ConfirmedRename, own: string[], followers: string[]]>(
    [
      [
        "an entity also confirms the same change of other names",
        "FrpVault a b c | FrpShare d e f | FrpState g",
        "SVVault a b c | SVShare d e f x | SVState h",
        entity("FrpVault", "SVVault"),
        ["FrpVault → SVVault"],
        ["FrpShare → SVShare"],
      ],
      [
        "an entity that is not similar confirms itself",
        "Pool a b",
        "Market c d",
        entity("Pool", "Market"),
        ["Pool → Market"],
        [],
      ],
      [
        "a field also confirms the same change of other fields",
        "Stream a b alias | Batch c d streamAlias",
        "Stream a b moniker | Batch c d streamMoniker",
        field("Stream", "alias", "moniker"),
        ["Stream.alias → moniker"],
        ["Batch.streamAlias → streamMoniker"],
      ],
      [
        "an enum confirms that of the other style, a scalar with its name in lower case",
        "Pool a kind:Kind | enum Kind A B",
        "Pool a kind:Manner | enum Manner C D",
        { kind: "enum", owner: null, from: "Kind", to: "manner" },
        [],
        [MANNER],
      ],
      [
        "an entity leaves one candidate for another one",
        "Transfer a b c d | Other e",
        "OriginTransfer a b c d | DestinationTransfer a b c d",
        entity("Other", "DestinationTransfer"),
        ["Other → DestinationTransfer"],
        ["Transfer → OriginTransfer"],
      ],
      [
        "an entity that became snapshots says nothing of others",
        "Position a b c d | Account a b c d",
        "PositionSnapshot a b c d | AccountSnapshot a b c d",
        entity("Position", "PositionSnapshot"),
        ["Position → PositionSnapshot"],
        [],
      ],
      ["a kept name confirms nothing", "Pool a b", "Pool a c", entity("Pool", "Pool"), [], []],
      ["a missing name confirms nothing", "Pool a b", "Pool a c", field("Pool", "b", "d"), [], []],
    ],
  )("%s", (_, before, after, rename, own, followers) => {
    expect(certainOf(find(style, [before, after], { confirmed: [rename] })).sort()).toEqual(
      [...own, ...followers].sort(),
    );
    const sides = { before: modelOf(style, before), after: modelOf(style, after) };
    expect(findFollowers(sides, rename).map(show)).toEqual(followers);
  });

  it.each<History>([
    ["an entity", "Pool a b c | User d", "UniPool a b c | User d"],
    ["a field", "User d totalUSD", "User d totalUsd"],
  ])("both names at once in between are not a rename: %s", (_, before, after) => {
    expect(find(style, [before, after])).toHaveLength(1);
    const between = [
      `${before} | Other x`,
      before.includes("Pool") ? `${before} | UniPool a b c` : "User d totalUSD totalUsd",
    ];
    expect(find(style, [before, after], { between: between.map((one) => modelOf(style, one)) })).toEqual([]);
  });
});

describe("in random histories", () => {
  const WORDS = "pool vault token stream action day user pair order fee swap note".split(" ");
  const words = fc.uniqueArray(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 2 });
  const camel = (parts: readonly string[]) =>
    parts.map((part, at) => (at === 0 ? part : title(part))).join("");
  const title = (text: string) => text.replace(/^./, (letter) => letter.toUpperCase());
  /** The names and types of columns; a number refers to an entity by its place. */
  const types = fc.oneof(fc.constantFrom("Int", "String", "Kind"), fc.nat(20));
  const unique = { selector: ([name]: readonly [string, unknown]) => name };
  const columns = fc.uniqueArray(fc.tuple(words.map(camel), types), {
    minLength: 1,
    maxLength: 8,
    ...unique,
  });
  const names = words.map((parts) => title(camel(parts)));
  const entities = fc.uniqueArray(fc.tuple(names, columns), { minLength: 2, maxLength: 7, ...unique });
  type Entities = readonly (readonly [
    name: string,
    columns: readonly (readonly [string, string | number])[],
  ])[];

  /** Renders entities whose names, and the names of columns that refer to them, may have another prefix. */
  function render(all: Entities, prefix: string, isRenamed: (name: string) => boolean) {
    const nameOf = (name: string) => (isRenamed(name) ? prefix + name : name);
    return all.map(([name, fields]) => ({
      name: nameOf(name),
      fields: fields.map(([field, type]) => {
        const target = typeof type === "number" ? (all[type % all.length]?.[0] ?? "") : type;
        const isOwn = typeof type === "number" && isRenamed(target) && !isRenamed(name);
        return `${isOwn ? prefix.toLowerCase() + title(field) : field}:${nameOf(target)}`;
      }),
    }));
  }
  const write = (all: readonly { readonly name: string; readonly fields: readonly string[] }[]) =>
    parseEntities(
      sdlOf(`enum Kind A B | ${all.map(({ name, fields }) => [name, ...fields].join(" ")).join(" | ")}`),
      "entities.graphql",
    );

  it("no rename is certain that is not one", () => {
    let [count, total] = [0, 0];
    fc.assert(
      fc.property(
        entities,
        entities,
        fc.infiniteStream(fc.boolean()),
        fc.record({ sibling: fc.boolean(), isKept: fc.infiniteStream(fc.nat(9)), others: fc.boolean() }),
        (old, others, coin, { sibling, isKept, others: withOthers }) => {
          const flips = new Map(old.map(([name]) => [name, coin.next().value]));
          const isRenamed = (name: string) => flips.get(name) === true;
          const before = render(old, "", () => false);
          const renamed = render(old, "Lockup", isRenamed);
          // The other indexer of the merge has some of the entities, with most of their columns.
          const family = render(old, "Flow", isRenamed)
            .filter(({ name }) => name.startsWith("Flow") && coin.next().value)
            .map(({ name, fields }) => ({
              name,
              fields: fields.filter((field) => (isKept.next().value ?? 0) > 2 && !/:[A-Z]/.test(field)),
            }));
          const unrelated = render(others, "", () => false).filter(
            ({ name, fields }) =>
              !before.some((one) => one.name === name) &&
              !fields.some((field) => /:(?!Int|String|Kind)/.test(field)),
          );
          const after = [...renamed, ...(sibling ? family : []), ...(withOthers ? unrelated : [])];
          const truth = new Set(
            old.flatMap(([name], at) => [
              ...(isRenamed(name) ? [`${name} → Lockup${name}`] : []),
              ...(before[at]?.fields ?? []).map((field, index) => {
                const [from, to] = [field, renamed[at]?.fields[index] ?? ""].map(
                  (text) => text.split(":")[0],
                );
                return `${name}.${from} → ${to}`;
              }),
            ]),
          );
          const found = findApiRenames(write(before), write(after)).filter((one) => one.certain);
          expect(found.map(show).filter((row) => !truth.has(row))).toEqual([]);
          count += found.length;
          total += [...truth].filter((row) => row.includes("ockup")).length;
        },
      ),
      { numRuns: runs(150, 1500), seed: 46 },
    );
    // Most are found: a search that finds nothing is never wrong.
    expect(count / total).toBeGreaterThan(0.5);
  });
});
