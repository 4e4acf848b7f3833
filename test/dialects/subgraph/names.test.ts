import { describe, expect, test } from "vitest";
import { rootFieldNames } from "../../../src/dialects/subgraph/names.ts";

// At least one name per rule of plurals, and names of real deployments.
const NAMES: readonly (readonly [type: string, singular: string, plural: string])[] = [
  ["Asset", "asset", "assets"],
  ["Activity", "activity", "activities"],
  ["PairDayData", "pairDayData", "pairDayDatas"],
  ["ERC20Token", "erc20Token", "erc20Tokens"],
  ["AccountCToken", "accountCToken", "accountCTokens"],
  ["UniswapV3", "uniswapV3", "uniswapV3S"],
  ["Person", "person", "persons"],
  ["Gas", "gas", "gas_collection"],
  ["Analysis", "analysis", "analyses"],
  ["Leaf", "leaf", "leaves"],
  ["money", "money", "money_collection"],
  ["foo_bar", "fooBar", "fooBars"],
  ["FlowBatch", "flowBatch", "flowBatches"],
  ["Stats", "stats", "stats_collection"],
  ["Metadata", "metadata", "metadata_collection"],
  ["LPToken", "lptoken", "lptokens"],
  ["NFTBalance", "nftbalance", "nftbalances"],
  ["Status", "status", "statuses"],
  ["Alias", "alias", "alias_collection"],
  ["Index", "index", "indexes"],
  ["Address", "address", "addresses"],
  ["Information", "information", "informations"],
  ["Money", "money", "monies"],
  ["Slice", "slice", "sliceice"],
  ["Salesperson", "salesperson", "salespersonople"],
  // irregular words, matched whole and in lower case only
  ["ox", "ox", "oxen"],
  ["Ox", "ox", "oxes"],
  ["woman", "woman", "women"],
  ["quiz", "quiz", "quizzes"],
  ["Quiz", "quiz", "quizs"],
  // uncountable words, matched the same way
  ["sheep", "sheep", "sheep_collection"],
  ["Sheep", "sheep", "sheeps"],
  // the endings, in the order of the rules
  ["Plateaux", "plateaux", "plateaux_collection"],
  ["Grandchild", "grandchild", "grandchildren"],
  ["Grandchildren", "grandchildren", "grandchildren_collection"],
  ["Townspeople", "townspeople", "townspeopleople"],
  ["Woodlouse", "woodlouse", "woodlouseice"],
  ["Reindex", "reindex", "reindices"],
  ["Codex", "codex", "codexes"],
  ["Bypass", "bypass", "bypasses"],
  ["Boxes", "boxes", "boxes_collection"],
  ["Pimoney", "pimoney", "pimonies"],
  ["Money_honey", "moneyHoney", "moneyHoneys"],
  ["Valley", "valley", "valleys"],
  ["Trolley", "trolley", "trolleys"],
  ["Soliloquy", "soliloquy", "soliloquies"],
  ["Day", "day", "days"],
  ["Shelf", "shelf", "shelves"],
  ["Roof", "roof", "roofs"],
  ["Hoof", "hoof", "hoofs"],
  ["Midwife", "midwife", "midwives"],
  ["Basis", "basis", "bases"],
  ["Photoautomaton", "photoautomaton", "photoautomata"],
  ["Metadatum", "metadatum", "metadata"],
  ["Tomato", "tomato", "tomatoes"],
  ["Archeraph", "archeraph", "archeraphs"],
  ["Metaseraphim", "metaseraphim", "metaseraphim_collection"],
  ["Subalga", "subalga", "subalgae"],
  ["Sublocus", "sublocus", "subloci"],
  ["Canvas", "canvas", "canvas_collection"],
  ["Bias", "bias", "bias_collection"],
  ["Pancreas", "pancreas", "pancreas_collection"],
  ["Siam", "siam", "siam_collection"],
  ["Emu", "emu", "emus"],
  ["Menus", "menus", "menus_collection"],
  ["Subalias", "subalias", "subaliases"],
  ["Atlas", "atlas", "atlases"],
  ["Octopus", "octopus", "octopuses"],
  ["Contestis", "contestis", "contestes"],
  ["Burmese", "burmese", "burmese_collection"],
  ["Stream_", "stream", "streamS"],
  ["_Stream", "stream", "streams"],
  ["a1b", "a1B", "a1Bs"],
];

describe("names of root fields", () => {
  test.each(NAMES)("%s: %s, %s", (type, singular, plural) => {
    expect(rootFieldNames(type, { collectionSuffix: true })).toEqual({ singular, plural });
  });

  test("have no suffix before 0.35, so both fields share a name", () => {
    expect(rootFieldNames("Stats", { collectionSuffix: false })).toEqual({
      singular: "stats",
      plural: "stats",
    });
  });
});
