import { expect, it, onTestFinished } from "vitest";
import type { Fault } from "../../emulator/faults/fault.ts";
import { type Emulator, startEmulator } from "../../emulator/server/start-emulator.ts";
import { commitAll } from "../support/commit-all.ts";
import { run } from "../support/run.ts";
import { type TempProject, tempProject } from "../support/temp-project.ts";

const CHAINS = ["arbitrum-one", "base", "mainnet"];

const RENAMED: Fault = { kind: "rename-field", field: "Stream.depositAmount", to: "deposit_amount" };

/** A project of three subgraphs, in git, generated, and its emulator. */
async function fleet(): Promise<{ project: TempProject; emulator: Emulator }> {
  const emulator = await startEmulator({ streams: 1 });
  onTestFinished(() => emulator.close());
  const deployments = Object.fromEntries(
    emulator.endpoints
      .filter(({ deployment, environment }) =>
        CHAINS.some((chain) => environment === "testing" && deployment === `protocol-lockup-${chain}`),
      )
      .map(({ deployment, url }) => [deployment, { testing: { url } }]),
  );
  const config = { protocols: ["lockup"], only: { styles: ["subgraph"] }, deployments };
  const project = tempProject({
    "lockflow.config.json": JSON.stringify(config),
    "operations/lockup/subgraph/a.graphql": "query Recent {\n  streams(first: 5) { id depositAmount }\n}\n",
  });
  for (const command of ["introspect", "generate"]) {
    expect(await run(project.root, [command])).toMatchObject({ code: 0 });
  }
  commitAll(project, "main");
  return { project, emulator };
}

/** Returns the commands below "Next". */
async function nextOf({ root }: TempProject, ...args: string[]): Promise<string[]> {
  const { out } = await run(root, args);
  const [, list = ""] = /\nNext\n((?: {2}.*\n?)+)/.exec(out) ?? [];
  return list
    .trimEnd()
    .split("\n")
    .map((line) => line.trim());
}

it("each command names adapt after a rename, until the operations are adapted", async () => {
  const { project, emulator } = await fleet();
  const named = async (...args: string[]) =>
    (await nextOf(project, ...args)).filter((line) => /^lockflow (adapt|drift|generate)/.test(line));
  expect(await named("introspect")).toEqual([]);

  // A minority keeps the operations valid for the fleet.
  await emulator.fault({ ...RENAMED, deployment: "protocol-lockup-base" });
  expect((await run(project.root, ["drift"])).code).toBe(1);
  expect(await named("drift")).toEqual([]);

  await emulator.fault(RENAMED);
  expect(await named("drift")).toEqual(["lockflow drift --update", "lockflow adapt"]);
  expect(await named("check")).toEqual([]);
  expect(await named("drift", "--update")).toEqual(["lockflow adapt", "lockflow generate"]);
  for (const command of ["introspect", "check"]) expect(await named(command)).toEqual(["lockflow adapt"]);

  expect(await run(project.root, ["adapt", "--write"])).toMatchObject({ code: 0 });
  for (const command of ["introspect", "check", "drift"]) expect(await named(command)).toEqual([]);
});

it.each<[name: string, fault: Fault, hasGit: boolean]>([
  ["for a removed field", { kind: "drop-field", field: "Stream.depositAmount" }, true],
  ["without git", RENAMED, false],
])("no command names adapt %s", async (_, fault, hasGit) => {
  const { project, emulator } = await fleet();
  if (!hasGit) project.remove(".git");
  await emulator.fault(fault);
  for (const args of [["drift"], ["drift", "--update"], ["introspect"], ["check"]]) {
    expect((await run(project.root, args)).out).not.toContain("lockflow adapt");
  }
});
