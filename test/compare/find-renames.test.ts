import { describe, expect, it } from "vitest";
import { findRenames } from "../../src/compare/find-renames.ts";
import { isOpposed, nameSimilarity } from "../../src/compare/name-similarity.ts";

type Field = { readonly name: string; readonly type: string; readonly description: string | null };

const field = (name: string, type = "Int", description: string | null = null): Field => ({
  name,
  type,
  description,
});

const OTHERS = ["sender", "recipient", "position", "hash"].map((name) => field(name));

const pairs = (removed: Field[], added: Field[], stayed: Field[] = OTHERS) =>
  findRenames(removed, added, {
    stayed,
    isSameType: (a, b) => a === b,
    isEntity: (type) => ["Asset", "Stream"].includes(type),
  }).map(({ removed, added, why }) => `${removed.name} ${why === "guess" ? "→?" : "→"} ${added.name}`);

describe("findRenames", () => {
  it.each<[string, string[], string[]]>([
    ["the type alone is not enough", pairs([field("alias", "String!")], [field("version", "String!")]), []],
    ["the only pair of a type is not enough", pairs([field("a")], [field("b")]), []],
    [
      "a word in common is enough",
      pairs([field("depositAmount")], [field("amount")]),
      ["depositAmount →? amount"],
    ],
    [
      "a word in common is not enough if the types differ",
      pairs([field("depositAmount")], [field("amount", "Int!")]),
      [],
    ],
    [
      "the same description is enough",
      pairs([field("a", "Int", "What.")], [field("b"), field("c", "Int", "What.")]),
      ["a → c"],
    ],
    [
      "a description that another field has too is not enough",
      pairs(
        [field("a", "Int", "What.")],
        [field("c", "Int", "What.")],
        [...OTHERS, field("d", "Int", "What.")],
      ),
      [],
    ],
    [
      "the same description is not certain if most fields changed",
      pairs([field("a", "Int", "What.")], [field("c", "Int", "What.")], []),
      ["a →? c"],
    ],
    [
      "the same description is not certain for opposites",
      pairs([field("amountIn", "Int", "What.")], [field("amountOut", "Int", "What.")]),
      ["amountIn →? amountOut"],
    ],
    [
      "the same description is not certain if another removed field had it",
      pairs([field("a", "Int", "What."), field("b", "String", "What.")], [field("c", "Int", "What.")]),
      ["a →? c"],
    ],
    [
      "the same words are not certain if their order matters",
      pairs([field("token0PerToken1")], [field("token1PerToken0")]),
      ["token0PerToken1 →? token1PerToken0"],
    ],
    [
      "a reference to the same entity is enough",
      pairs([field("asset", "Asset!")], [field("token", "Asset!")]),
      ["asset →? token"],
    ],
    [
      "a list of the same entity is enough",
      pairs([field("streams", "[Stream!]!")], [field("flows", "[Stream!]!")]),
      ["streams →? flows"],
    ],
    ["an enum is not enough", pairs([field("category", "Kind!")], [field("position", "Kind!")]), []],
    [
      "a list of an enum is not enough",
      pairs([field("kinds", "[Kind!]!")], [field("roles", "[Kind!]!")]),
      [],
    ],
    [
      "the same words in another order are certain",
      pairs([field("amountDeposit")], [field("depositAmount")]),
      ["amountDeposit → depositAmount"],
    ],
    [
      "a corrected spelling is certain",
      pairs([field("recievedAt")], [field("receivedAt")]),
      ["recievedAt → receivedAt"],
    ],
    ["another unit is not enough", pairs([field("feesUSD")], [field("feesETH")]), []],
    [
      "another unit is not enough for the same description",
      pairs([field("feesUSD", "Int", "What.")], [field("fees", "Int", "What.")]),
      [],
    ],
    [
      "a reference is not enough if another field refers to the same entity",
      pairs([field("asset", "Asset!")], [field("token", "Asset!")], [...OTHERS, field("fee", "Asset")]),
      [],
    ],
    ["two equally similar candidates", pairs([field("amount")], [field("amountIn"), field("amountOut")]), []],
    [
      "the more similar of two candidates",
      pairs([field("depositAmount")], [field("depositedAmount"), field("feeAmount")]),
      ["depositAmount →? depositedAmount"],
    ],
    [
      "two pairs at once",
      pairs([field("depositAmount"), field("cliffAmount")], [field("depositedAmount"), field("cliffUnlock")]),
      ["depositAmount →? depositedAmount", "cliffAmount →? cliffUnlock"],
    ],
    [
      "an entity without other fields that stayed",
      pairs([field("depositAmount")], [field("amount")], []),
      [],
    ],
    [
      "all fields change from snake case to camel case",
      pairs([field("deposit_amount"), field("start_time")], [field("depositAmount"), field("startTime")], []),
      ["deposit_amount → depositAmount", "start_time → startTime"],
    ],
  ])("%s", (_, found, want) => {
    expect(found).toEqual(want);
  });
});

it("findRenames returns nothing if there are too many candidates", () => {
  const fields = (prefix: string, count: number) =>
    Array.from({ length: count }, (_, index) => field(`${prefix}${index}`, "Int", `What ${index}.`));
  const of = (count: number) => pairs(fields("a", 100), fields("b", count), fields("c", 100)).length;
  expect([of(100), of(101)]).toEqual([100, 0]);
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

describe("a similarity of 1", () => {
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
  ])("means the same words: %s and %s: %s", (a, b, isSame) => {
    expect(nameSimilarity(a, b) === 1).toBe(isSame);
  });
});

describe("isOpposed", () => {
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
  ])("%s and %s: %s", (a, b, want) => {
    expect([isOpposed(a, b), isOpposed(b, a)]).toEqual([want, want]);
  });
});
