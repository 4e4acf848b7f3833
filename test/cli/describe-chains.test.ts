import { describe, expect, it } from "vitest";
import { IndexerError } from "../../packages/client/src/client/indexer-error.ts";
import type { AskedChain } from "../../src/ask/asked-rows.ts";
import { describeChains } from "../../src/cli/describe-answers.ts";

const HEAD = { block: 1234, hash: null, time: null, lag: 4.4, isEstimate: false, behindBlocks: 0 };
const LIMITED = new IndexerError("rate-limited", "acme-lockup-multichain: HTTP 429");
const AUTH = new IndexerError("auth", "acme-lockup-base: set KEY.");

const chain = (key: string, more: Partial<AskedChain> = {}): AskedChain => ({
  chain: key,
  rows: 3,
  style: "multichain",
  cappedAt: null,
  head: HEAD,
  error: null,
  tried: [],
  cappedLists: [],
  ...more,
});

const PAGED = { canBePaged: true, isOfAllChains: false };

describe("the summary of the chains of a query", () => {
  it.each([
    [119, "119 s"],
    [120, "2 min"],
    [7200, "2 h"],
    [172_799, "48 h"],
    [41_012_493, "475 days"],
  ])("formats the lag of %i s", (lag, want) => {
    expect(describeChains([chain("base", { head: { ...HEAD, lag } })], PAGED)).toContain(
      `block 1234, ${want} old.`,
    );
  });

  it.each<[name: string, chains: AskedChain[], want: string[]]>([
    ["one", [chain("base")], ["3 rows of base, from its multichain indexer at block 1234, 4 s old."]],
    ["one row", [chain("base", { rows: 1, head: null })], ["One row of base, from its multichain indexer."]],
    [
      "more rows that pages have",
      [chain("base", { cappedAt: 3 })],
      [
        "3 rows of base, from its multichain indexer at block 1234, 4 s old.",
        "There may be more rows: a list has at most 3. Read all with --pages.",
      ],
    ],
    ["no rows", [chain("base", { rows: 0, style: null, head: null })], ["0 rows of base."]],
    ["several", [chain("base"), chain("optimism")], ["6 rows of 2 chains."]],
    [
      "another style",
      [chain("base", { style: "subgraph", tried: [{ style: "multichain", error: LIMITED }] })],
      [
        "3 rows of base, from its subgraph indexer at block 1234, 4 s old.",
        "base was answered by subgraph, because multichain failed: rate-limited: acme-lockup-multichain: HTTP 429",
      ],
    ],
    [
      "a failure in one style",
      [chain("base", { rows: 0, error: AUTH, tried: [{ style: "subgraph", error: AUTH }] })],
      ["base failed:", "  base: auth: acme-lockup-base: set KEY."],
    ],
    [
      "a failure in both, after some rows",
      [
        chain("optimism"),
        chain("base", {
          rows: 2000,
          error: AUTH,
          tried: [
            { style: "multichain", error: LIMITED },
            { style: "subgraph", error: AUTH },
          ],
        }),
      ],
      [
        "3 rows of optimism, from its multichain indexer at block 1234, 4 s old.",
        "One of 2 chains failed, so rows are missing:",
        "  base after 2000 rows:",
        "    multichain: rate-limited: acme-lockup-multichain: HTTP 429",
        "    subgraph: auth: acme-lockup-base: set KEY.",
      ],
    ],
    [
      "failures everywhere, with untrusted messages",
      ["a", "b"].map((key) =>
        chain(key, { rows: 0, error: new IndexerError("rejected", "::stop\u001b[2J\u202e me") }),
      ),
      ["All 2 chains failed:", "  a, b: rejected: : :stop [2J  me"],
    ],
    [
      "equal results of many chains, once",
      [
        ...["base", "optimism", "gnosis"].map((key) =>
          chain(key, { style: "subgraph", tried: [{ style: "multichain", error: LIMITED }] }),
        ),
        ...["form", "superseed", "tangle"].map((key, at) =>
          chain(key, {
            rows: at === 2 ? 1 : 0,
            error: LIMITED,
            tried: [{ style: "multichain", error: LIMITED }],
          }),
        ),
      ],
      [
        "9 rows of 3 chains.",
        "base, optimism, gnosis were answered by subgraph, because multichain failed: rate-limited: acme-lockup-multichain: HTTP 429",
        "3 of 6 chains failed, so rows are missing:",
        "  form, superseed: rate-limited: acme-lockup-multichain: HTTP 429",
        "  tangle after one row: rate-limited: acme-lockup-multichain: HTTP 429",
      ],
    ],
  ])("reports %s", (_, chains, want) => {
    expect(describeChains(chains, PAGED)).toBe(want.map((line) => `${line}\n`).join(""));
  });

  it("mentions all chains if the rows are not filtered by chain", () => {
    expect(describeChains([chain("base")], { canBePaged: false, isOfAllChains: true })).toBe(
      "3 rows of all chains, from its multichain indexer at block 1234, 4 s old.\n",
    );
  });
});
