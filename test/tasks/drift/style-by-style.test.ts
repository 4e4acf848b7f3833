import { describe, expect, it } from "vitest";
import { IS_THOROUGH } from "../../support/is-thorough.ts";
import { beyondOneScreen, ONE_SCREEN } from "../../support/one-screen.ts";
import { run } from "../../support/run.ts";
import {
  type Answers,
  DOWN,
  failure,
  type Given,
  judge,
  judgedFleet,
  judgeSnapshots,
  MEMBER,
  NO_SENDER,
  RENAMED,
  summaryOf,
} from "./judged-fleet.ts";

const OPTIONAL: Given = { edits: [{ kind: "retype-field", field: "Stream.asset", type: "Asset" }] };

/** Changes of one style: in its answers and, after an update, compared with the other style. */
describe("a change of one style", () => {
  it.each<[name: string, answers: Answers, code: number, finding: string, parity: string | null]>([
    [
      "a field is renamed in the subgraphs",
      { subgraph: RENAMED },
      1,
      "drift/field-renamed breaking entity Stream.sender; broken AllStreams; broken RecentStreams; broken OfSender; at-risk Filtered",
      "parity/renamed breaking entity Stream.sender",
    ],
    [
      "a field is renamed in the multichain style",
      { multichain: RENAMED },
      1,
      "drift/field-renamed breaking entity Stream.sender; broken RecentStreams",
      "parity/renamed breaking entity Stream.senderAddress",
    ],
    [
      "a relation of the subgraphs may be null",
      { subgraph: OPTIONAL },
      1,
      "drift/field-type-changed breaking entity Stream.asset; changes-type AllStreams; changes-type RecentStreams",
      "parity/nullability risky entity Stream.asset",
    ],
    [
      // Its field was nullable before; the column of the reference shows it.
      "a relation of the multichain style may be null",
      { multichain: OPTIONAL },
      0,
      "drift/field-type-changed breaking entity Stream.asset",
      "parity/nullability risky entity Stream.asset",
    ],
    [
      "an enum of the subgraphs gains a member, which the other style cannot show",
      { subgraph: MEMBER },
      0,
      "drift/enum-value-added risky entity StreamCategory.Vesting; changes-type AllStreams; changes-type RecentStreams",
      null,
    ],
  ])("%s", async (_, answers, code, finding, parity) => {
    const fleet = judgedFleet();
    const online = await judge(fleet, answers, { update: true });
    expect([online.code, ...online.report.findings.map(summaryOf)]).toEqual([code, finding]);
    expect(beyondOneScreen(online.out)).toEqual(ONE_SCREEN);
    const { findings, outcome } = await judgeSnapshots(fleet);
    // Without fields that only the multichain style should have.
    const different = findings.filter(({ severity }) => severity !== "additive").map(summaryOf);
    expect([outcome.exit, ...different]).toEqual(parity === null ? [0] : [1, parity]);
  });

  it("suggests an alias for the renamed field, and lists operations that are valid nowhere", async () => {
    const fleet = judgedFleet();
    for (const name of ["BySender", "Everybody", "Senders"]) {
      const query = `query ${name} { streams { sender } }`;
      fleet.files.write(`operations/lockup/subgraph/${name}.graphql`, query);
    }
    await judge(fleet, { subgraph: RENAMED }, { update: true });
    const { out } = await run(fleet.project.root, ["diff"]);
    expect(out).toMatch(/Stream\.sender {2}multichain: sender, subgraph: senderAddress/);
    expect(out).toContain("use an alias in operations to give both one name");
    expect(out).toContain(
      "  not valid on any chain: `lockflow check` lists the errors: AllStreams, BySender, Everybody and 3 more\n",
    );
    expect(beyondOneScreen(out)).toEqual(ONE_SCREEN);
  });
});

describe("entities as large as real ones", () => {
  const [refused, foreign] = [failure("ENDPOINT_RATE_LIMITED"), { probe: { chainIds: [11155111] } }];
  const EVERYTHING = {
    base: DOWN,
    gnosis: DOWN,
    polygon: refused,
    linea: foreign,
    zksync: NO_SENDER,
    scroll: NO_SENDER,
  };
  it.each<[name: string, code: number, answers: Answers]>([
    ["everything at once", 1, EVERYTHING],
    ["a release with other tables", 0, { multichain: { options: { release: "2.27" } } }],
  ])("fit on one screen: %s", async (_, code, answers) => {
    const fleet = judgedFleet(["lockup"], "real");
    const online = await judge(fleet, answers, { update: true });
    expect({ code: online.code, ...beyondOneScreen(online.out) }).toEqual({ code, ...ONE_SCREEN });
    expect(beyondOneScreen((await run(fleet.project.root, ["diff"])).out)).toEqual(ONE_SCREEN);
  });

  it.runIf(IS_THOROUGH)("can gain the aggregates of seven entities without a finding to act on", async () => {
    const more = ["Action", "Asset", "Batch", "Batcher", "Segment", "Tranche", "Watcher"];
    const known = ["Revenue", "RevenueTransaction", "Stream", "User", "UserTransaction"];
    const answers = { multichain: { options: { aggregates: [...more, ...known] } } };
    const { code, out, report } = await judge(judgedFleet(["lockup"], "real"), answers, { update: true });
    expect(report.findings.map(summaryOf)).toEqual(
      more.map((name) => `drift/platform-feature-added additive platform aggregates of ${name}`),
    );
    const multichain = report.endpoints.find(({ style }) => style === "multichain");
    expect(multichain?.status).toBe("platform-variant");
    expect({ code, ...beyondOneScreen(out) }).toEqual({ code: 0, ...ONE_SCREEN });
  });
});
