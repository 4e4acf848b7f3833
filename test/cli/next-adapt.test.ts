import { expect, it, onTestFinished } from "vitest";
import type { Fault } from "../../emulator/faults/fault.ts";
import { startEmulator } from "../../emulator/server/start-emulator.ts";
import { commitAll } from "../support/commit-all.ts";
import { run } from "../support/run.ts";
import { type TempProject, tempProject } from "../support/temp-project.ts";

const CHAINS = ["arbitrum-one", "base", "mainnet"];

const RENAMED: Fault = { kind: "rename-field", field: "Stream.depositAmount", to: "deposit_amount" };

/** Returns the commands of the toolkit below "Next". */
async function nextOf({ root }: TempProject, ...args: string[]): Promise<string[]> {
  const { out } = await run(root, args);
  const [, list = ""] = /\nNext\n((?: {2}.*\n?)+)/.exec(out) ?? [];
  return list.match(/lockflow (adapt|drift|generate).*/g) ?? [];
}

// For which operations is tested in test/compare/is-adaptable.test.ts.
it("each command names adapt after a rename, until the operations are adapted", async () => {
  const emulator = await startEmulator({ streams: 1 });
  onTestFinished(() => emulator.close());
  const deployments = Object.fromEntries(
    emulator.endpoints
      .filter(({ environment }) => environment === "testing")
      .filter(({ deployment }) => CHAINS.some((chain) => deployment === `protocol-lockup-${chain}`))
      .map(({ deployment, url }) => [deployment, { testing: { url } }]),
  );
  const config = { protocols: ["lockup"], only: { styles: ["subgraph"] }, deployments };
  const project = tempProject({
    "lockflow.config.json": JSON.stringify(config),
    "operations/lockup/subgraph/a.graphql": "query Recent {\n  streams(first: 5) { id depositAmount }\n}\n",
  });
  expect(await nextOf(project, "introspect")).toEqual([]);
  await run(project.root, ["generate"]);
  commitAll(project, "main");

  // A minority keeps the operations valid for the fleet.
  await emulator.fault({ ...RENAMED, deployment: "protocol-lockup-base" });
  expect(await nextOf(project, "drift")).toEqual([]);

  await emulator.fault(RENAMED);
  expect(await nextOf(project, "drift")).toEqual(["lockflow drift --update", "lockflow adapt"]);
  expect(await nextOf(project, "drift", "--update")).toEqual(["lockflow adapt", "lockflow generate"]);
  for (const command of ["introspect", "check"]) {
    expect(await nextOf(project, command)).toEqual(["lockflow adapt"]);
  }
  expect(await run(project.root, ["adapt", "--write"])).toMatchObject({ code: 0 });
  expect(await nextOf(project, "check")).toEqual([]);
});
