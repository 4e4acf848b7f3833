import { describe, expect, it } from "vitest";
import { findRenames } from "../../src/compare/find-renames.ts";
import { isOpposed, nameSimilarity } from "../../src/compare/name-similarity.ts";

type Field = { readonly name: string; readonly type: string; readonly description: string | null };

/** Fields as `name:Type "description"`, separated by commas; the type is Int by default. */
const fields = (text: string): Field[] =>
  text.split(", ").flatMap((field) => {
    const [, name, type = "Int", description = null] = /^(\w+):?(\S+)?(?: "(.*)")?$/.exec(field) ?? [];
    return name === undefined ? [] : [{ name, type, description }];
  });

const pairs = (removed: Field[], added: Field[], stayed: Field[]) =>
  findRenames(removed, added, {
    stayed,
    isSameType: (a, b) => a === b,
    isEntity: (type) => ["Asset", "Stream"].includes(type),
  }).map(({ removed, added, why }) => `${removed.name} ${why === "guess" ? "→?" : "→"} ${added.name}`);

describe("findRenames", () => {
  const OTHERS = "sender, recipient, position, hash";

  it.each<[name: string, change: string, ...want: string[]]>([
    ["the type alone is not enough", "alias:String! → version:String!"],
    ["the only pair of a type is not enough", "a → b"],
    ["a word in common is enough", "depositAmount → amount", "depositAmount →? amount"],
    ["a word in common is not enough if the types differ", "depositAmount → amount:Int!"],
    ["the same description is enough", 'a "What." → b, c "What."', "a → c"],
    [
      "the same description is not certain for opposites",
      'amountIn "What." → amountOut "What."',
      "amountIn →? amountOut",
    ],
    [
      "the same description is not certain if another removed field had it",
      'a "What.", b:String "What." → c "What."',
      "a →? c",
    ],
    [
      "the same words are not certain if their order matters",
      "token0PerToken1 → token1PerToken0",
      "token0PerToken1 →? token1PerToken0",
    ],
    ["a reference to the same entity is enough", "asset:Asset! → token:Asset!", "asset →? token"],
    ["a list of the same entity is enough", "streams:[Stream!]! → flows:[Stream!]!", "streams →? flows"],
    ["an enum is not enough", "category:Kind! → position:Kind!"],
    ["a list of an enum is not enough", "kinds:[Kind!]! → roles:[Kind!]!"],
    [
      "the same words in another order are certain",
      "amountDeposit → depositAmount",
      "amountDeposit → depositAmount",
    ],
    ["a corrected spelling is certain", "recievedAt → receivedAt", "recievedAt → receivedAt"],
    ["another unit is not enough", "feesUSD → feesETH"],
    ["another unit is not enough for the same description", 'feesUSD "What." → fees "What."'],
    ["two equally similar candidates", "amount → amountIn, amountOut"],
    [
      "the more similar of two candidates",
      "depositAmount → depositedAmount, feeAmount",
      "depositAmount →? depositedAmount",
    ],
    [
      "two pairs at once",
      "depositAmount, cliffAmount → depositedAmount, cliffUnlock",
      "depositAmount →? depositedAmount",
      "cliffAmount →? cliffUnlock",
    ],
  ])("%s", (_, change, ...want) => {
    const [removed = "", added = ""] = change.split(" → ");
    expect(pairs(fields(removed), fields(added), fields(OTHERS))).toEqual(want);
  });

  it.each<[name: string, removed: string, added: string, stayed: string, ...want: string[]]>([
    [
      "a description that another field has too is not enough",
      'a "What."',
      'c "What."',
      `${OTHERS}, d "What."`,
    ],
    ["the same description is not certain if most fields changed", 'a "What."', 'c "What."', "", "a →? c"],
    [
      "a reference is not enough if another field refers to the same entity",
      "asset:Asset!",
      "token:Asset!",
      `${OTHERS}, fee:Asset`,
    ],
    ["a word in common is not enough without other fields", "depositAmount", "amount", ""],
    [
      "all fields change from snake case to camel case",
      "deposit_amount, start_time",
      "depositAmount, startTime",
      "",
      "deposit_amount → depositAmount",
      "start_time → startTime",
    ],
  ])("among other fields, %s", (_, removed, added, stayed, ...want) => {
    expect(pairs(fields(removed), fields(added), fields(stayed))).toEqual(want);
  });

  it("returns nothing if there are too many candidates", () => {
    const many = (prefix: string, count: number) =>
      fields(Array.from({ length: count }, (_, at) => `${prefix}${at} "What ${at}."`).join(", "));
    const of = (count: number) => pairs(many("a", 100), many("b", count), many("c", 100)).length;
    expect([of(100), of(101)]).toEqual([100, 0]);
  });
});

describe("nameSimilarity", () => {
  it.each([
    ["deposit", "depositAmount"],
    ["depositAmount", "depositedAmount"],
    ["sender", "senderAddress"],
    ["tokenURI", "tokenUri"],
    ["start_time", "startTime"],
    ["startTime", "startTimestamp"],
    ["intactAmount", "remainingAmount"],
    ["amount", "amount0"],
    ["createdAt", "createdOn"],
    ["chainId", "chain"],
    ["canceled", "cancelled"],
    ["withdrawn", "withdrawals"],
    ["assetAddress", "tokenAddress"],
    ["feeAmount", "feesAmount"],
    ["blockTimestamp", "timestamp"],
    // At the thresholds: a stem of four letters, six letters in common, half of the longer word in common.
    ["paidOn", "paiduntilOn"],
    ["streamed", "streaming"],
    ["settleabcdef", "settlezz"],
  ])("%s is like %s", (a, b) => {
    expect(nameSimilarity(a, b)).toBeGreaterThan(0);
    expect(nameSimilarity(b, a)).toBeGreaterThan(0);
  });

  it.each([
    ["alias", "version"],
    ["sender", "payer"],
    ["startTime", "endTime"],
    ["minFee", "maxFee"],
    ["tokenIn", "tokenOut"],
    ["amount0", "amount1"],
    ["depositAmount", "withdrawnAmount"],
    ["createdAt", "updatedAt"],
    ["isCanceled", "isTransferable"],
    ["streamId", "batchId"],
    ["paidAt", "closedAt"],
    // From real histories; each pair names two different quantities.
    ["tokensDelta", "actualCumulativeFeeUsdPerGmToken"],
    ["depositRate", "cumulativeDepositUSD"],
    ["uncollectedFeesToken0", "totalValueLockedToken0"],
    ["hourIndex", "hourStartUnix"],
    ["totalProtocolFeePaidInBPT", "totalProtocolFee"],
    ["depositedShares", "depositedAmount"],
    ["borrowRate", "borrowRateRay"],
    ["priceWad", "price"],
    ["totalAssets", "totalDebt"],
    ["poolHourData", "poolDayData"],
    ["createdBlock", "createdTimestamp"],
    ["to", "token"],
    ["contract", "control"],
    ["transferable", "transaction"],
    ["fee", "feed"],
    ["claimed", "claiming"],
    ["settleabcdefg", "settlezz"],
  ])("%s is not like %s", (a, b) => {
    expect(nameSimilarity(a, b)).toBe(0);
    expect(nameSimilarity(b, a)).toBe(0);
  });
});

it.each([
  ["adressOwner", "addressOwner", true],
  ["lenghtOf", "lengthOf", true],
  ["cancelledAt", "canceledAt", true],
  ["token0Price", "priceToken0", true],
  ["mintedAt", "minterAt", false],
  ["lenderOf", "leaderOf", false],
  ["fundedAt", "foundedAt", false],
  ["unlockedAmount", "unblockedAmount", false],
  ["tokensOf", "tokenOf", false],
  ["stakedAt", "stakesAt", false],
])("a similarity of 1 means the same words: %s and %s: %s", (a, b, isSame) => {
  expect(nameSimilarity(a, b) === 1).toBe(isSame);
});

it.each([
  ["createdAt", "updatedAt", true],
  ["deposits", "withdrawal", true],
  ["depositor", "withdrawer", true],
  ["blockStart", "timestampStart", true],
  ["Borrow", "Repaid", true],
  ["staked", "unstaking", true],
  ["minted", "burnt", true],
  ["v2Pool", "v3Pool", true],
  ["lockAmount", "unlockAmount", true],
  ["lockAmount", "lockupAmount", false],
  ["Stream", "LockupStream", false],
  ["endowment", "starter", false],
  ["Pool", "PoolV2", false],
  ["Pool2", "V2Pool", false],
])("isOpposed: %s and %s: %s", (a, b, want) => {
  expect([isOpposed(a, b), isOpposed(b, a)]).toEqual([want, want]);
});
