import { expect, it } from "vitest";
import { observeAnswers } from "../../../src/compare/observation.ts";
import { findSuspects } from "../../../src/tasks/drift/judge-answers.ts";
import { answerOf, recordOf, servedWith } from "./fixtures.ts";

const KNOWN = servedWith();
const NEWS = servedWith([["alias: String!", "alias: String! extra: String"]]);
const OTHER_NEWS = servedWith([["alias: String!", ""]]);
const CHAINS = ["arbitrum", "base", "gnosis", "linea", "polygon", "scroll"];

/** Returns the chains to request again if some of a fleet give one unexpected answer, and others another. */
function suspectsOf(size: number, news: number, otherNews = 0): string[] {
  const chains = CHAINS.slice(0, size);
  const { snapshot, rows } = recordOf(Object.fromEntries(chains.map((chain) => [chain, KNOWN])));
  const answered = chains.map((chain, index) =>
    answerOf(chain, index < news ? NEWS : index < news + otherNews ? OTHER_NEWS : KNOWN),
  );
  return findSuspects(observeAnswers(answered, snapshot, rows)).flatMap(({ chains }) => chains);
}

it.each<[name: string, size: number, news: number, otherNews: number, want: readonly string[]]>([
  ["none, if all answer as expected", 6, 0, 0, []],
  ["one", 6, 1, 0, ["arbitrum"]],
  ["one less than half of a fleet", 6, 2, 0, ["arbitrum", "base"]],
  ["exactly half of a fleet: that many do not flap at once", 6, 3, 0, []],
  ["more than half", 6, 4, 0, []],
  ["exactly half of the smallest fleet", 4, 2, 0, []],
  ["half of a fleet with two different answers", 6, 2, 1, ["arbitrum", "base", "gnosis"]],
  ["one less than half of a fleet of five", 5, 2, 0, ["arbitrum", "base"]],
  ["all of three, which are too few for a fleet", 3, 3, 0, ["arbitrum", "base", "gnosis"]],
  ["the only one", 1, 1, 0, ["arbitrum"]],
])("requests again: %s", (_, size, news, otherNews, want) => {
  expect(suspectsOf(size, news, otherNews)).toEqual(want);
});
