import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Emulator, startEmulator } from "../../emulator/server/start-emulator.ts";
import { copyFromRepository, readRepositoryFile } from "../support/repository.ts";
import { run } from "../support/run.ts";
import { tempProject } from "../support/temp-project.ts";

let emulator: Emulator;

beforeAll(async () => {
  emulator = await startEmulator({ streams: 12 });
});
afterAll(() => emulator.close());

function library() {
  const project = tempProject({ "lockflow.config.json": '{ "protocols": ["lockup"] }' });
  const portable = "operations/lockup/portable";
  for (const path of ["all-streams", "recent-streams", "fragments/stream-fields", "fragments/asset-fields"]) {
    project.write(`${portable}/${path}.graphql`, readRepositoryFile(`${portable}/${path}.graphql`));
  }
  copyFromRepository(project.root, "generated/schemas");
  return project;
}

/** Resolves once the emulator got requests, and no more of them for a while. */
async function untilQuiet() {
  const count = () => emulator.requests().reduce((sum, one) => sum + one.count, 0);
  const before = count();
  for (let last = before; ; last = count()) {
    await pause(1500);
    if (count() === last && last > before) return;
  }
}

const ALL = ["ask", "AllStreams", "--chain", "base,optimism"];

describe("lockflow ask --follow", () => {
  it.each([[[]], [["--confirmations", "2"]]])(
    "prints the rows as NDJSON until it is stopped: %j",
    async (options) => {
      const { root } = library();
      const env = emulator.env();
      const all = await run(root, [...ALL, "--pages", "--format", "ndjson"], {
        env,
        stopped: new Promise<void>(() => {}),
      });
      const followed = await run(root, [...ALL, "--follow", ...options], { env, stopped: untilQuiet() });
      expect(all.code).toBe(0);
      expect(followed.code).toBe(130);
      expect(followed.err).toContain("Interrupted after");
      const idsOf = (text: string) =>
        text
          .trim()
          .split("\n")
          .map((line) => JSON.parse(line).id)
          .sort();
      expect(idsOf(followed.out)).toEqual(idsOf(all.out));
    },
  );

  it.each<[options: readonly string[], sentence: string]>([
    [["--follow", "--pages"], "--follow and --pages exclude each other."],
    [["--follow", "--out", "a.ndjson"], "--follow and --out exclude each other."],
    [["--follow", "--block", "5"], "--follow and --block exclude each other."],
    [["--follow", "--format", "csv"], "--follow prints NDJSON, not csv."],
    [["--confirmations", "2"], "--confirmations needs --follow or --pages."],
  ])("refuses %j", async (options, sentence) => {
    const { code, err } = await run(library().root, [...ALL, ...options], { env: emulator.env() });
    expect([code, err]).toEqual([2, expect.stringContaining(sentence)]);
  });

  it("refuses an operation without a cursor", async () => {
    const args = ["ask", "RecentStreams", "--chain", "base", "--follow"];
    const { code, err } = await run(library().root, args, { env: emulator.env() });
    expect(code).toBe(2);
    expect(err).toContain("RecentStreams");
  });
});
