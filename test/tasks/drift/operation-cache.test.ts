import { expect, it } from "vitest";
import type { Report } from "../../../src/report/report.ts";
import { runAsBuilt } from "../../support/run-as-built.ts";
import {
  type Answers,
  DOWN,
  type JudgedFleet,
  judge,
  judgedFleet,
  NEWER,
  NO_SENDER,
} from "./judged-fleet.ts";

runAsBuilt();

const SNAPSHOT = "generated/schemas/lockup/subgraph.graphql";
/** A fleet whose last run found nothing. */
async function knownFleet(): Promise<JudgedFleet> {
  const fleet = judgedFleet();
  fleet.files.write("node_modules/.keep", "");
  expect(await judge(fleet)).toMatchObject({ hasRead: true, code: 0 });
  return fleet;
}

function bare({ run: _, ...report }: Report): unknown {
  return report;
}

const answers: readonly (readonly [what: string, answers: Answers, hasRead: boolean])[] = [
  ["an expected answer", {}, false],
  ["an expected answer and a failure", { base: DOWN }, false],
  ["another schema", { linea: NO_SENDER }, true],
  ["another release, with only valid operations", { linea: NEWER }, true],
  ["two alternating schemas", { linea: { ...NEWER, again: {} } }, true],
];
it.each(answers)("the operation cache does not change the report of %s", async (_, given, hasRead) => {
  const fleet = await knownFleet();
  const known = await judge(fleet, given);
  fleet.files.remove("node_modules");
  const anew = await judge(fleet, given);
  expect([known.hasRead, anew.hasRead]).toEqual([hasRead, true]);
  expect(bare(known.report)).toEqual(bare(anew.report));
  expect(known.report.operations.length).toBeGreaterThan(5);
});

const replaceIn = (path: string | null, from: string | RegExp, to: string) => (fleet: JudgedFleet) => {
  const { files } = fleet;
  const own = path ?? cacheOf(files);
  files.write(own, files.read(own).replace(from, to));
};
const changes: readonly (readonly [what: string, change: (fleet: JudgedFleet) => void])[] = [
  [
    "an operation",
    ({ files }) =>
      files.write("operations/lockup/subgraph/more.graphql", "query More { _meta { deployment } }"),
  ],
  ["a snapshot", replaceIn(SNAPSHOT, "  alias: String!\n", "")],
  ["the cache file", replaceIn(null, /.*/s, "{}")],
  ["a cached line", replaceIn(null, /"line":\d+/, '"line":"1"')],
  ["the build", replaceIn(null, '"test"', '"other"')],
];
it.each(changes)("the operation cache is not used after a change of %s", async (_, change) => {
  const fleet = await knownFleet();
  change(fleet);
  expect((await judge(fleet)).hasRead).toBe(true);
});

it("the operation cache is not written for a surface with an operation that is invalid somewhere", async () => {
  const fleet = judgedFleet();
  fleet.files.write("node_modules/.keep", "");
  fleet.files.write("operations/lockup/subgraph/wrong.graphql", "query Wrong { nothing }");
  const [first, second] = [await judge(fleet), await judge(fleet)];
  expect(second.hasRead).toBe(true);
  expect(second.report.operations).toEqual(first.report.operations);
  expect(second.report.operations.find(({ name }) => name === "Wrong")?.missing.length).toBeGreaterThan(20);
});

function cacheOf({ files }: JudgedFleet["files"]): string {
  const path = Object.keys(files("")).find((one) => one.includes("/operations-"));
  if (path === undefined) throw new Error("There is no cache.");
  return path;
}
