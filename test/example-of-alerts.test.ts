import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, watch } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { build } from "esbuild";
import { expect, it, onTestFinished } from "vitest";
import type { Emulator } from "../emulator/server/start-emulator.ts";
import { startProjectEmulator } from "../emulator/server/start-project-emulator.ts";
import { loadProject } from "../src/project/load-project.ts";
import { installAll } from "./support/built-client.ts";
import { REPOSITORY } from "./support/repository.ts";
import { run } from "./support/run.ts";
import { type TempProject, tempProject } from "./support/temp-project.ts";
import { testServer } from "./support/test-server.ts";

it("the alerts example sends every alert at least once, even if it is killed at any time", {
  timeout: 300_000,
}, async () => {
  const project = await buildExample();
  const emulator = await startProjectEmulator(await loadProject(project.root), { streams: 120 });
  onTestFinished(() => emulator.close());
  const sent: string[] = [];
  let bot: ChildProcess | undefined;
  const kill = () => bot?.kill("SIGKILL");
  onTestFinished(() => void kill());
  let refuses = (_: number): boolean => false;
  let count = 0;
  const webhook = await testServer(({ headers }, response) => {
    if (refuses(++count)) return;
    sent.push(String(headers["idempotency-key"]));
    response.end();
  });
  const cursor = join(project.root, "cursor.json");
  const env = {
    ...process.env,
    ...emulator.env(),
    ALERT_WEBHOOK: webhook.url,
    ALERT_CURSOR: cursor,
    ALERT_INTERVAL: "20",
  };
  const start = () => {
    count = 0;
    bot = spawn(process.execPath, ["alerts.mjs"], {
      cwd: project.root,
      env,
      stdio: ["ignore", "ignore", "inherit"],
    });
    return once(bot, "exit");
  };
  // Killed while an alert is sent, shortly after one is accepted, and while the position is stored.
  for (let round = 0; round < 20; round++) {
    const at = 1 + ((round * 7) % 25);
    const files = watch(project.root, (_, name) => {
      if (round % 3 === 2 && name === "cursor.json.new") kill();
    });
    refuses = (number) => {
      if (number < at || round % 3 === 2) return false;
      if (round % 3 === 0) kill();
      else void setTimeout(round % 5).then(kill);
      return round % 3 === 0;
    };
    expect(await start()).toEqual([null, "SIGKILL"]);
    files.close();
    if (round % 5 === 4) emulator.advance(200);
  }
  expect(existsSync(cursor)).toBe(true);
  refuses = () => false;
  const [before, all] = [new Set(sent), await readWithdrawals(emulator)];
  expect(all.length).toBeGreaterThan(100);
  expect(before.size).toBeLessThan(all.length);
  const ended = start();
  for (let wait = 0; new Set(sent).size < all.length && wait < 600; wait++) await setTimeout(50);
  kill();
  await ended;
  expect([...new Set(sent)].sort()).toEqual(all.sort());
});

type Answer = {
  readonly _meta: { readonly block: { readonly number: number } };
  readonly actions: readonly { readonly id: string }[];
};

/** The ids of the withdrawals with 12 blocks above them. */
async function readWithdrawals({ endpoints }: Emulator): Promise<string[]> {
  const read = async (name: string) => {
    const { url = "" } =
      endpoints.find(({ deployment, environment }) => deployment === name && environment === "testing") ?? {};
    const query = async (text: string) => {
      const headers = { "content-type": "application/json" };
      const response = await fetch(url, { method: "POST", headers, body: JSON.stringify({ query: text }) });
      const { data } = (await response.json()) as { readonly data: Answer };
      return data;
    };
    const { _meta } = await query("{ _meta { block { number } } }");
    const block = `block: { number: ${_meta.block.number - 12} }`;
    const { actions } = await query(
      `{ actions(where: { category: Withdraw }, first: 1000, ${block}) { id } }`,
    );
    return actions.map(({ id }) => id);
  };
  return (await Promise.all(["protocol-lockup-base", "protocol-lockup-mainnet"].map(read))).flat();
}

/** The example with its packages, bundled so that it starts at once. */
async function buildExample(): Promise<TempProject> {
  const project = tempProject({ "package.json": '{ "type": "module" }' });
  for (const path of ["alerts.ts", "lockflow.config.ts", "operations"]) {
    cpSync(join(REPOSITORY, "examples/alerts", path), join(project.root, path), { recursive: true });
  }
  installAll(project.root);
  expect(await run(project.root, ["sync"])).toMatchObject({ code: 0 });
  await build({
    entryPoints: [join(project.root, "alerts.ts")],
    outfile: join(project.root, "alerts.mjs"),
    bundle: true,
    format: "esm",
    platform: "node",
    logLevel: "silent",
  });
  return project;
}
