import { describe, expect, it } from "vitest";
import { parseRequirement } from "../../../src/compare/decide-outcome.ts";
import type { ApiSchema } from "../../../src/dialects/api-schema.ts";
import { parseSdl } from "../../../src/dialects/parse-sdl.ts";
import { renderSdl } from "../../../src/dialects/render-sdl.ts";
import type { Report } from "../../../src/report/report.ts";
import { BASELINE_PATH } from "../../../src/workspace/baseline.ts";
import { CHAIN_COUNTS } from "../../support/chain-counts.ts";
import { beyondOneScreen, ONE_SCREEN } from "../../support/one-screen.ts";
import {
  type Answers,
  DOWN,
  EXTRA,
  failure,
  type Given,
  judge,
  judgedFleet,
  MEMBER,
  NEWER,
  NO_SENDER,
  nameOf,
  PART,
  RENAMED,
  summaryOf,
} from "./judged-fleet.ts";

/** Ten deployments fail. */
const outage: Answers = Object.fromEntries(
  "base gnosis linea sepolia chiliz optimism polygon scroll xdc zksync"
    .split(" ")
    .map((name) => [name, DOWN]),
);

const FLAPPING: Given = { ...NEWER, again: { options: { release: "0.40" } } };
const of = (chainId: number): Given => ({ probe: { chainIds: [chainId] } });
const [BASE, GNOSIS, POLYGON] = [of(8453), of(100), of(137)];

function statusOf({ endpoints }: Report, suffix: string): string | undefined {
  return endpoints.find(({ deployment }) => deployment === nameOf(suffix))?.status;
}

/** The deployments whose status is not "same": `base refused, gnosis unreachable`. */
function unusual({ endpoints }: Report): string {
  const rest = endpoints.filter(({ status }) => status !== "same");
  return rest.map(({ deployment, status }) => `${deployment.split("-").at(-1)} ${status}`).join(", ");
}

describe("judging the answers of a fleet", () => {
  it.each<[name: string, answers: Answers, code: number, statuses: string, ...findings: string[]]>([
    ["nothing differs", {}, 0, ""],
    [
      "chains differ in schema, release and health",
      {
        linea: EXTRA,
        chiliz: MEMBER,
        avalanche: NEWER,
        polygon: NEWER,
        zksync: NEWER,
        base: { probe: { hasIndexingErrors: true } },
        gnosis: { behind: 1001 },
        scroll: { behind: 1000 },
      },
      0,
      "avalanche platform-variant, base indexing-error, chiliz drifted, linea drifted, polygon platform-variant, zksync platform-variant",
      "drift/enum-value-added risky StreamCategory.Vesting",
      "health/indexing-error risky protocol-lockup-base",
      "health/behind risky protocol-lockup-gnosis",
      "drift/field-added additive Stream.extra",
      "fleet/platform-variant additive schema",
    ],
    [
      "one flaps between releases",
      { linea: FLAPPING },
      0,
      "linea flapping",
      "fleet/flapping risky graph-node-0.38 and graph-node-0.44",
    ],
    [
      "two chains are swapped, and one serves a third",
      { gnosis: BASE, base: GNOSIS, scroll: POLYGON },
      1,
      "base wrong-chain, gnosis wrong-chain, scroll wrong-chain",
      "identity/wrong-chain breaking protocol-lockup-base",
      "identity/wrong-chain breaking protocol-lockup-gnosis",
      "identity/wrong-chain breaking protocol-lockup-scroll",
    ],
    [
      "one serves the other protocol, and one lacks a chain",
      { base: failure("ENDPOINT_WRONG_PROTOCOL"), multichain: { without: "linea" } },
      1,
      "base wrong-protocol",
      "identity/wrong-protocol breaking protocol-lockup-base",
      "identity/missing-chain breaking protocol-lockup-multichain",
    ],
    [
      "a few fail in different ways",
      {
        linea: failure("ENDPOINT_TIMEOUT"),
        base: failure("ENDPOINT_RATE_LIMITED", { status: 429 }),
        gnosis: failure("ENDPOINT_STATUS", { status: 502 }),
        sepolia: failure("ENDPOINT_NOT_JSON"),
        optimism: failure("ENDPOINT_STATUS", { status: 402 }),
        polygon: failure("ENDPOINT_INTROSPECTION_DISABLED"),
      },
      0,
      "base refused, gnosis unreachable, linea unreachable, optimism refused, polygon malformed, sepolia malformed",
    ],
  ])("%s", async (_, answers, code, statuses, ...findings) => {
    const fleet = judgedFleet();
    const before = fleet.files.files("generated");
    const { report, ...run } = await judge(fleet, answers, { require: parseRequirement("quorum:20") });
    expect(
      report.findings.map(({ code, severity, subject }) =>
        `${code} ${severity} ${subject}`.replace(/(schema) \w{8}/, "$1"),
      ),
    ).toEqual(findings);
    expect(unusual(report)).toBe(statuses);
    // A deployment without an answer counts with its last schema.
    const health = report.operations.find(({ name }) => name === "Health");
    expect(health).toMatchObject({ missing: [] });
    expect(health?.chains).toHaveLength(CHAIN_COUNTS.subgraph);
    expect(run.code).toBe(code);
    expect(run.out.trimEnd().split("\n").at(-1)).toMatch(new RegExp(`^exit ${code}: `));
    expect(beyondOneScreen(run.out)).toEqual(ONE_SCREEN);
    expect(fleet.files.files("generated")).toEqual(before);
  });

  it("lists the operations that a dropped field breaks, once, with their places", async () => {
    const { code, out, report } = await judge(judgedFleet(), { linea: NO_SENDER });
    expect(code).toBe(1);
    expect(report.findings).toHaveLength(1);
    expect(report.findings[0]).toMatchObject({
      code: "drift/field-removed",
      coordinate: "Stream.sender",
      before: "Bytes!",
      after: null,
      where: { deployments: [nameOf("linea")] },
      place: { file: "generated/schemas/lockup/subgraph.graphql" },
    });
    expect(report.findings[0]?.derived).toBeGreaterThan(10);
    expect(out).toMatch(/fragments\/stream-fields\.graphql:2:21 {2}(AllStreams|RecentStreams)/);
    expect(out).toContain("lockflow explain drift/field-removed");
    const recent = report.operations.find(
      ({ name, style }) => name === "RecentStreams" && style === "subgraph",
    );
    expect(recent).toMatchObject({ impact: "broken", missing: ["linea"] });
    expect(recent?.chains).toHaveLength(CHAIN_COUNTS.subgraph - 1);
    expect(report).not.toHaveProperty("moved");
    expect(beyondOneScreen(out)).toEqual(ONE_SCREEN);
  });

  it("explains a rename in both styles if one style proves it", async () => {
    const answers = { subgraph: RENAMED, multichain: RENAMED };
    const { report } = await judge(judgedFleet(["lockup"], "real"), answers);
    expect(
      report.findings.map(({ code, where, isOnlyPossible }) => [code, where?.style, isOnlyPossible]),
    ).toEqual([
      ["drift/field-renamed", "multichain", undefined],
      ["drift/field-renamed", "subgraph", undefined],
    ]);
    const messages = report.findings.flatMap(({ operations }) => operations.map(({ message }) => message));
    expect(messages.filter((message) => message.includes("Did you mean"))).toEqual([]);
  });

  it("separates accepted differences from new ones", async () => {
    const fleet = judgedFleet();
    const answers = { linea: NO_SENDER, base: NO_SENDER };
    const [finding] = (await judge(fleet, answers)).report.findings;
    const accept = (scope: readonly string[]) => {
      const { fingerprint, code, coordinate, before, after } = finding ?? {};
      const entry = { fingerprint, code, coordinate, before, after, scope, reason: "known" };
      fleet.files.write(BASELINE_PATH, JSON.stringify({ version: 1, accepted: [entry] }));
      return judge(fleet, answers);
    };
    const one = await accept([nameOf("base")]);
    expect(one.code).toBe(1);
    expect(unusual(one.report)).toBe("base accepted, linea drifted");
    const both = await accept([nameOf("base"), nameOf("linea")]);
    expect(both.code).toBe(0);
    expect(both.report.operations.every(({ impact }) => impact === "unaffected")).toBe(true);
  });

  it.each<[name: string, answers: Answers, require: string, want: number]>([
    ["inconclusive", {}, "quorum:80%", 3],
    ["conclusive with a lower quorum", {}, "quorum:10", 0],
    ["a proven break fails anyway", { avalanche: of(130) }, "quorum:80%", 1],
  ])("ten are down: %s", async (_, answers, require, want) => {
    const { code, out } = await judge(
      judgedFleet(),
      { ...outage, ...answers },
      { require: parseRequirement(require) },
    );
    expect({ code, ...beyondOneScreen(out) }).toEqual({ code: want, ...ONE_SCREEN });
  });
});

const WORDS = `Other words, ${"and more of them, ".repeat(40)}and an end.`;

/** The differing answer of one deployment, by its chain; its status, whether it fails the run, and its findings. */
const CASES: Readonly<
  Record<
    string,
    [what: string, answer: Answers[string], status: string, fails: boolean, ...findings: string[]]
  >
> = {
  linea: [
    "a default changed",
    { change: inSdl(/( {2}streams\([^)]*\bfirst: Int = )100/, "$150") },
    "drifted",
    false,
    "drift/argument-default-changed risky platform Query.streams(first:); changes-meaning Filtered; changes-meaning OfAsset; changes-meaning OfSender",
  ],
  base: [
    "descriptions changed",
    {
      change: inSdl(
        /^type Stream (\{[^}]*?)( {2}sender: Bytes!)/m,
        `"""${WORDS}"""\ntype Stream $1  "The sender."\n$2`,
      ),
    },
    "drifted",
    false,
    "drift/description-changed cosmetic docs Stream",
    "drift/description-changed cosmetic docs Stream.sender",
  ],
  gnosis: [
    "an input field becomes required",
    { change: inSdl(/(^input Stream_filter \{[^}]*^ {2}asset: String)$/m, "$1!") },
    "drifted",
    true,
    "drift/input-field-type-changed breaking platform Stream_filter.asset; broken OfAsset; broken OfSender; at-risk Filtered",
  ],
  polygon: [
    "a platform of no known release",
    { change: strip },
    "platform-variant",
    true,
    "drift/platform-feature-removed breaking platform _Block_.timestamp; broken Health",
    "drift/platform-feature-removed breaking platform and-or; broken OfAsset; at-risk Filtered",
    "drift/platform-feature-removed breaking platform _change_block; at-risk Filtered",
    "fleet/platform-unknown risky platform schema",
  ],
  scroll: [
    "no chain id",
    { probe: { chainIds: null } },
    "same",
    false,
    "identity/unknown cosmetic identity protocol-lockup-scroll",
  ],
  zksync: [
    "no indexer serves it",
    failure("ENDPOINT_GRAPHQL_ERRORS", { isDormant: true }),
    "dormant",
    false,
    "health/dormant risky health protocol-lockup-zksync",
  ],
  xdc: ["an incomplete schema", PART, "malformed", false],
};

it("reports the differences of each deployment", async () => {
  const answers = Object.fromEntries(Object.entries(CASES).map(([suffix, [, answer]]) => [suffix, answer]));
  const { code, out, report } = await judge(judgedFleet(), answers);
  for (const [suffix, [what, , status, fails, ...findings]] of Object.entries(CASES)) {
    const own = report.findings.filter(({ where }) => where?.deployments.includes(nameOf(suffix)));
    // The hash of a schema cannot be foreseen.
    const found = own.map((finding) => summaryOf(finding).replace(/(schema) \w{8}/, "$1"));
    expect({ what, found }).toEqual({ what, found: findings });
    expect(statusOf(report, suffix)).toBe(status);
    expect(own.some((finding) => finding.fails)).toBe(fails);
    for (const { where } of own) expect(where?.deployments).toEqual([nameOf(suffix)]);
  }
  expect(code).toBe(1);
  expect(out.trimEnd().split("\n").at(-1)).toMatch(/^exit 1: /);
});

it("is inconclusive if the only deployment of a style sends an incomplete schema", async () => {
  const { code, out, report } = await judge(judgedFleet(), { multichain: PART });
  expect({ code, findings: report.findings }).toEqual({ code: 3, findings: [] });
  expect(statusOf(report, "multichain")).toBe("malformed");
  expect(beyondOneScreen(out)).toEqual(ONE_SCREEN);
});

/** Edits the text of a schema; the edit must be possible. */
function inSdl(from: RegExp, to: string): (schema: ApiSchema) => ApiSchema {
  return (schema) => {
    const text = renderSdl(schema);
    const edited = text.replace(from, to);
    if (edited === text) throw new Error(`There is nothing like ${from}.`);
    return parseSdl(edited, "schema.graphql");
  };
}

/** Removes everything that identifies releases of graph-node. */
function strip(schema: ApiSchema): ApiSchema {
  const gone =
    /^(Timestamp|Int8|Aggregation_\w+|BlockChangedFilter|timestamp|parentHash|and|or|_change_block)$/;
  const isLeft = ({ name }: { readonly name: string }) => !gone.test(name);
  const types = schema.types.filter(isLeft).map((type) => {
    if (type.kind === "ENUM")
      return { ...type, values: type.values.filter(({ name }) => !name.includes("__")) };
    if (type.kind === "OBJECT" && type.name === "_Block_")
      return { ...type, fields: type.fields.filter(isLeft) };
    return type.kind === "INPUT_OBJECT" ? { ...type, fields: type.fields.filter(isLeft) } : type;
  });
  return { ...schema, types };
}
