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
import { STYLE_NAMES, type StyleName } from "../../src/dialects/surface.ts";
import { apiOf, mergedModel, mergeRenames, oldApi } from "../support/merged-indexer.ts";
import { runs } from "../support/runs.ts";

/** Returns the model that an API shows, for entities in the notation of `sdlOf`. */
function modelOf(style: StyleName, entities: string): EntityModel {
  return styles[style].schemas.read(apiOf(style, parseEntities(sdlOf(entities), "entities.graphql")));
}

/**
 * Writes entity SDL: `Pool 3 name fee:Int swaps:Swap.pool | enum Kind A B`. Fields are texts by default, lists have their
 * reference, and a number is so many fields from `a`.
 */
function sdlOf(entities: string): string {
  return entities
    .split("|")
    .map((line) => {
      const [name = "", ...members] = line.trim().split(/\s+/);
      if (name === "enum") return `enum ${members[0]} { ${members.slice(1).join(" ")} }`;
      const names = members.flatMap((member) =>
        /^\d+$/.test(member) ? [..."abcdefghijkl".slice(0, Number(member))] : [member],
      );
      const fields = names.map((member) => {
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

/** Returns the renames in a history, `before → after`. */
function find(style: StyleName, history: string, options?: RenameOptions): string[] {
  const [before = "", after = ""] = history.split(" → ");
  return findApiRenames(modelOf(style, before), modelOf(style, after), options).map(show);
}

const certainOf = (rows: readonly string[]) => rows.filter((row) => !row.includes("?"));

describe.each(STYLE_NAMES)("the merge of both built-in protocols: %s", (style) => {
  const read = (api: ReturnType<typeof oldApi>) => styles[style].schemas.read(api);
  const merged = read(apiOf(style, mergedModel(style)));
  it.each(["lockup", "flow"] as const)("%s: every rename is certain, and nothing else", (protocol) => {
    const family = protocol === "lockup" ? "Lockup" : "Flow";
    const found = findApiRenames(read(oldApi(protocol, style)), merged);
    expect(found.map(show).sort()).toEqual(mergeRenames(family, style).map(show).sort());
  });
});

type History = [name: string, history: string, certain?: string];

describe.each(STYLE_NAMES)("certain renames of entities: %s", (style) => {
  it.each<History>([
    // Other rows, with names that share words.
    ["some fields", "Token address symbol → TokenHolder address balance"],
    ["all fields and one more", "Token address symbol → TokenHolder address symbol balance"],
    [
      "all fields and one more, with a reference",
      "Token 4 | User one:Token → TokenHolder 4 balance | User one:TokenHolder",
    ],
    [
      "snapshots of two entities",
      "Position 4 | Account 4 → PositionSnapshot 4 timestamp | AccountSnapshot 4 timestamp",
    ],
    ["a snapshot with equal fields", "Position 4 → PositionSnapshot 4"],
    ["the plural of such a word", "Position 4 → PositionSnapshots 4"],
    ["a number", "Pool 4 → PoolV2 4"],
    ["opposite events", "DepositEvent 4 | DepositRequest 4 → WithdrawEvent 4 | WithdrawRequest 4"],
    [
      "opposite orders, with a reference",
      "BuyOrder 3 | User one:BuyOrder → SellOrder 3 | User one:SellOrder",
    ],
    ["inflected opposites", "Locked 3 | User one:Locked → Unlock 3 | User one:Unlock"],
    ["another quantity", "APRInTime 3 | User one:APRInTime → APYInTime 3 | User one:APYInTime"],
    ["a quantity", "Holding 3 | User one:Holding → Balance 3 | User one:Balance"],
    ["a word replaced without a reference", "FrpVault 4 → SVVault 4"],
    // More than one candidate.
    ["split in two", "Transfer 4 → OriginTransfer 4 | DestinationTransfer 4"],
    ["merged from two", "OriginTransfer 4 | DestinationTransfer 4 → Transfer 4"],
    ["beside a new one", "UserDeposit 4 → Deposit 4 | VaultDeposit 4"],
    // Too little in common.
    ["half of the fields", "Transfer 4 → DestinationTransfer 2 e f"],
    ["two equal fields", "Swap 2 → UniSwap 2"],
    ["an entity that grew", "Swap 3 → UniSwap 4"],
    ["two changes of words", "Pool 3 | User one:Pool → UniPoolData 3 | User one:UniPoolData"],
    ["another type of a field", "Pool 2 c:Int | User one:Pool → UniPool 2 d e f | User one:UniPool"],
    [
      "more references than before",
      "Pool 4 | Owner x y z | User one:Pool → UniPool 4 owner:Owner | Owner x y z | User one:UniPool",
    ],
    [
      "one reference leads elsewhere",
      "Pool 4 | User one:Pool two:Pool → UniPool 4 | Other x y z | User one:UniPool two:Other",
    ],
    ["words in an order that matters", "TokenPerShare 3 → ShareInToken 3"],
    ["reversed", "BaseToQuote 3 → QuoteToBase 3"],

    // Renames.
    [
      "a reference that follows",
      "Vault 4 | User one:Vault → PrizeVault 3 e d | User one:PrizeVault",
      "Vault → PrizeVault",
    ],
    [
      "a word at the start of two names",
      "Pool 3 | Swap 2 pool:Pool → UniPool 3 | UniSwap 2 pool:UniPool",
      "Pool → UniPool, Swap → UniSwap",
    ],
    [
      "a small entity follows a large one",
      "Pool 4 | Swap e f → UniPool 4 | UniSwap e f",
      "Pool → UniPool, Swap → UniSwap",
    ],
    ["a removed word", "UniPool 3 → Pool 3", "UniPool → Pool"],
    ["a word at the end", "Pool 3 → PoolEntity 3", "Pool → PoolEntity"],
    [
      "a word replaced, with a reference",
      "FrpVault 2 | User one:FrpVault → SVVault 2 | User one:SVVault",
      "FrpVault → SVVault",
    ],
    ["another notation", "DAO 2 → Dao a c", "DAO → Dao"],
    ["another notation beside a snapshot of it", "DAO 4 → Dao 4 | DaoSnapshot 4", "DAO → Dao"],
    ["a singular", "UserDailyClaims 2 → UserDailyClaim 2", "UserDailyClaims → UserDailyClaim"],
    ["a plural in ies", "Entry 2 → Entries 2", "Entry → Entries"],
    ["another order of words", "PoolUni 2 → UniPool 2", "PoolUni → UniPool"],
    [
      "types are compared after renaming",
      "Stream a actions:Action.stream | Action stream:Stream b c → LockupStream a actions:LockupAction.stream | LockupAction stream:LockupStream b c",
      "Action → LockupAction, Stream → LockupStream",
    ],
    [
      "a merge: most of the other family fits as well, and the largest entity decides",
      "Action 3 | Batch d e | Stream 8 → LockupAction 3 | LockupBatch d e | LockupStream 8 | FlowAction 3 | FlowBatch d e | FlowStream 2 x y z",
      "Action → LockupAction, Batch → LockupBatch, Stream → LockupStream",
    ],
    [
      "a merge that dropped an entity, which the other family has",
      "Action 3 | Batch d e | Note f g h i | Stream 8 → LockupAction 3 | LockupBatch d e | LockupStream 8 | FlowAction 3 | FlowBatch d e | FlowNote f g h i | FlowStream 2 x y z",
      "Action → LockupAction, Batch → LockupBatch, Stream → LockupStream",
    ],
    [
      "a merge that renamed an entity in another way",
      "Action 3 | Batch d e | Note f g h i | Stream 8 → LockupAction 3 | LockupBatch d e | LockupStream 8 | FlowAction 3 | FlowBatch d e | FlowNote f g h i | FlowStream 2 x y z | NoteEntity f g h i",
      "Action → LockupAction, Batch → LockupBatch, Note → NoteEntity, Stream → LockupStream",
    ],
    [
      "a type in another notation",
      "Pool 2 dao:DAO | DAO x → UniPool 2 dao:Dao | Dao x",
      "DAO → Dao, Pool → UniPool",
    ],
    [
      "all rows are snapshots now, but only a reference proves it",
      "Position 4 | Account 4 | User one:Position → PositionSnapshot 4 | AccountSnapshot 4 | User one:PositionSnapshot",
      "Position → PositionSnapshot",
    ],
    [
      "and back",
      "LockupAction 3 | LockupBatch d e | LockupStream 8 | FlowAction 3 | FlowBatch d e | FlowStream 2 x y z → Action 3 | Batch d e | Stream 8",
      "LockupAction → Action, LockupBatch → Batch, LockupStream → Stream",
    ],
  ])("%s", (_, history, want = "") => {
    expect(certainOf(find(style, history)).join(", ")).toBe(want);
  });
});

describe.each(STYLE_NAMES)("possible renames of entities: %s", (style) => {
  it.each<History>([
    ["most of many fields equal", "Foo 9 → Bar 8 j", "Foo →? Bar"],
    ["only half of many fields equal", "Foo 8 → Bar d e f g h"],
    ["as many equal fields as required", "Foo 8 → Bar 8", "Foo →? Bar"],
    ["one equal field fewer than required", "Foo 7 → Bar 7"],
    ["three quarters of the larger entity equal", "Foo 9 → Bar 12", "Foo →? Bar"],
    ["less than three quarters of the larger entity equal", "Foo 8 → Bar 8 j k l"],
    ["a shared word and half of the fields", "Farm 2 → FarmLot a c", "Farm →? FarmLot"],
    ["a shared word and less than half of the fields", "Farm 3 → FarmLot a d e"],
    ["equal fields, but too few", "Deposit amount → Refund amount"],
    ["a shared word but no shared field", "Farm a → FarmLot fee"],
    ["an entity that still exists", "Foo 8 → Foo 8 | FooBar 8"],
    // Certain, because of a reference.
    ["without a shared word", "Batch x | User y one:Batch → Series x | User y one:Series", "Batch → Series"],
    [
      "split in two, only one of them referred to",
      "Stream 8 | User one:Stream → LockupStream 8 | FlowStream 8 | User one:FlowStream",
      "Stream → FlowStream",
    ],
  ])("%s", (_, history, want = "") => {
    expect(find(style, history).join()).toBe(want);
  });
});

describe.each(STYLE_NAMES)("certain renames of enums: %s", (style) => {
  /** Defines the enums with the same values that fields have. */
  const withEnums = (entities: string) =>
    [entities, ...new Set(entities.match(/(?<=:)\w*Kind/g))]
      .map((text, at) => (at === 0 ? text : `enum ${text} A B`))
      .join(" | ");
  it.each<History>([
    ["of a kept entity", "Stream a kind:Kind → Stream a kind:StreamKind", "kind → streamkind"],
    [
      "of a renamed entity",
      "Stream 3 kind:Kind → LockupStream 3 kind:LockupKind",
      "stream → lockupstream, kind → lockupkind",
    ],
    [
      "of a field whose name has the accepted change",
      "Stream 3 | Watcher kind:Kind → LockupStream 3 | Watcher lockupKind:LockupKind",
      "stream → lockupstream, kind → lockupkind, watcher.kind → lockupkind",
    ],
    ["two enums of one", "Stream a one:Kind two:Kind → Stream a one:OneKind two:TwoKind"],
    ["one enum of two", "Stream a one:OneKind two:TwoKind → Stream a one:Kind two:Kind"],
    ["a text", "Stream a kind:Kind → Stream a kind:String"],
    ["another enum", "Stream a kind:Kind → Stream a kind:Shape | enum Shape C D"],
  ])("%s", (_, history, want = "") => {
    const found = certainOf(find(style, history.split(" → ").map(withEnums).join(" → ")));
    expect(found.join(", ").toLowerCase()).toBe(want);
  });
});

describe.each(STYLE_NAMES)("certain renames of fields: %s", (style) => {
  it.each([
    ["opposite orders", "token0PerToken1", "token1PerToken0", false],
    ["opposites", "amountIn", "amountOut", false],
    ["numbers", "amount0", "amount1", false],
    ["another unit", "fees", "feesUSD", false],
    ["a word in common", "sender", "senderAddress", false],
    ["another type", "totalUSD", "totalUsd:Int", false],
    ["another notation", "totalValueLockedUSD", "totalValueLockedUsd", true],
    ["another order", "amountDeposit", "depositAmount", true],
    ["a corrected spelling", "recievedAt", "receivedAt", true],
  ])("%s", (_, from, to, isCertain) => {
    const certain = certainOf(find(style, `Pool 2 ${from} → Pool 2 ${to}`));
    expect(certain).toEqual(isCertain ? [`Pool.${from} → ${to}`] : []);
  });

  it.each<History>([
    [
      "the change of an entity",
      "Stream 3 | Watcher actionCounter:Int streamCounter:Int → LockupStream 3 | Watcher lockupActionCounter:Int lockupStreamCounter:Int",
      "Stream → LockupStream, Watcher.actionCounter → lockupActionCounter, Watcher.streamCounter → lockupStreamCounter",
    ],
    [
      "the type after renaming",
      "Stream 3 asset:Asset | Asset d streams:Stream.asset → LockupStream 3 asset:Asset | Asset d lockupStreams:LockupStream.asset",
      "Stream → LockupStream, Asset.streams → lockupStreams",
    ],
    [
      "the change of an entity, but another type",
      "Stream 3 | Watcher counter:Int → LockupStream 3 | Watcher lockupCounter",
      "Stream → LockupStream",
    ],
    [
      "the field of the other family of a merge",
      "Stream 4 | Watcher d counter:Int → LockupStream 4 | FlowStream 2 e f | Watcher d flowCounter:Int",
      "Stream → LockupStream",
    ],
    [
      "the change of entities that could be another one",
      "Transfer 4 | Watcher counter:Int → OriginTransfer 4 | DestinationTransfer 4 | Watcher originCounter:Int",
    ],
    [
      "a field of a renamed entity",
      "Stream 4 startTime | Action 3 → LockupStream 4 start_time | LockupAction 3",
      "Action → LockupAction, Stream → LockupStream, Stream.startTime → start_time",
    ],
  ])("%s", (_, history, want = "") => {
    expect(certainOf(find(style, history)).join(", ")).toBe(want);
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

it.each<History>([
  ["another notation", "LockupLinear B → LOCKUP_LINEAR B", "Kind.LockupLinear → LOCKUP_LINEAR"],
  ["the same position", "A B → A C"],
  ["the same words in another order", "LinearLockup B → LockupLinear B"],
])("renames of enum values: %s", (_, history, want = "") => {
  const entities = history.split(" → ").map((members) => `Stream 3 kind:Kind | enum Kind ${members}`);
  expect(find("subgraph", entities.join(" → ")).join()).toBe(want);
});

it("renames of enum values: the change of an entity", () => {
  const before = "Stream 3 kind:Kind | enum Kind Linear Dynamic";
  const after = "LockupStream 3 kind:LockupKind | enum LockupKind LockupLinear LockupDynamic";
  expect(find("subgraph", `${before} → ${after}`)).toEqual([
    "Stream → LockupStream",
    "Kind → LockupKind",
    "Kind.Dynamic → LockupDynamic",
    "Kind.Linear → LockupLinear",
  ]);
});

describe.each(STYLE_NAMES)("with what is known: %s", (style) => {
  /** Reads `Stream.alias → moniker`. */
  function renameOf(text: string): ConfirmedRename {
    const [from = "", to = ""] = text.split(" → ");
    const [name = "", owner = null] = from.split(".").reverse();
    return { kind: owner === null ? "entity" : "field", owner, from: name, to };
  }

  function expectRenames(history: string, rename: ConfirmedRename, own: string[], followers: string[]): void {
    const certain = certainOf(find(style, history, { confirmed: [rename] }));
    expect(certain.sort()).toEqual([...own, ...followers].sort());
    const [before = "", after = ""] = history.split(" → ");
    const sides = { before: modelOf(style, before), after: modelOf(style, after) };
    expect(findFollowers(sides, rename).map(show)).toEqual(followers);
  }

  it.each<[name: string, history: string, rename: string, ...followers: string[]]>([
    [
      "an entity also confirms the same change of other names",
      "FrpVault 3 | FrpShare d e f | FrpState g → SVVault 3 | SVShare d e f x | SVState h",
      "FrpVault → SVVault",
      "FrpShare → SVShare",
    ],
    ["an entity that is not similar confirms itself", "Pool 2 → Market c d", "Pool → Market"],
    [
      "a field also confirms the same change of other fields",
      "Stream 2 alias | Batch c d streamAlias → Stream 2 moniker | Batch c d streamMoniker",
      "Stream.alias → moniker",
      "Batch.streamAlias → streamMoniker",
    ],
    [
      "an entity leaves one candidate for another one",
      "Transfer 4 | Other e → OriginTransfer 4 | DestinationTransfer 4",
      "Other → DestinationTransfer",
      "Transfer → OriginTransfer",
    ],
    [
      "an entity that became snapshots says nothing of others",
      "Position 4 | Account 4 → PositionSnapshot 4 | AccountSnapshot 4",
      "Position → PositionSnapshot",
    ],
  ])("%s", (_, history, rename, ...followers) => {
    expectRenames(history, renameOf(rename), [rename], followers);
  });

  it("an enum confirms that of the other style, a scalar with its name in lower case", () => {
    const history = "Pool a kind:Kind | enum Kind A B → Pool a kind:Manner | enum Manner C D";
    const rename = { kind: "enum", owner: null, from: "Kind", to: "manner" } as const;
    expectRenames(history, rename, [], [style === "multichain" ? "kind → manner" : "Kind → Manner"]);
  });

  it.each([
    ["kept", "Pool → Pool"],
    ["missing", "Pool.b → d"],
  ])("a %s name confirms nothing", (_, rename) => {
    expectRenames("Pool 2 → Pool a c", renameOf(rename), [], []);
  });

  it.each([
    ["an entity", "Pool 3 | User d", "UniPool 3 | User d", "Pool 3 | User d | UniPool 3"],
    ["a field", "User d totalUSD", "User d totalUsd", "User d totalUSD totalUsd"],
  ])("both names at once in between are not a rename: %s", (_, before, after, both) => {
    const history = `${before} → ${after}`;
    expect(find(style, history)).toHaveLength(1);
    const between = [`${before} | Other x`, both].map((one) => modelOf(style, one));
    expect(find(style, history, { between })).toEqual([]);
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
              !before.some((entity) => entity.name === name) &&
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
          const found = findApiRenames(write(before), write(after)).filter((rename) => rename.certain);
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
