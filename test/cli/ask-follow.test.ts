import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Emulator, startEmulator } from "../../emulator/server/start-emulator.ts";
import { IS_THOROUGH } from "../support/is-thorough.ts";
import { libraryProject } from "../support/library-project.ts";
import { run } from "../support/run.ts";

let emulator: Emulator;
let env: Readonly<Record<string, string>>;

beforeAll(async () => {
  emulator = await startEmulator({ streams: 12 });
  env = emulator.env();
});
afterAll(() => emulator.close());

const library = () => libraryProject("all-streams", "recent-streams");

const ALL = ["ask", "AllStreams", "--chain", "base,optimism"];

describe("lockflow ask --follow", () => {
  it.each(IS_THOROUGH ? [[[]], [["--confirmations", "2"]]] : [[["--confirmations", "2"]]])(
    "prints rows as NDJSON until it is interrupted: %j",
    async (options) => {
      const { root } = library();
      const all = await run(root, [...ALL, "--pages", "--format", "ndjson"], {
        env,
        stopped: new Promise<void>(() => {}),
      });
      let out = "";
      let stop = () => {};
      const followed = await run(root, [...ALL, "--follow", ...options], {
        env,
        stopped: new Promise<void>((resolve) => {
          stop = resolve;
        }),
        deliver: async (text) => {
          out += text;
          // Duplicate rows would be printed immediately.
          if (out.length >= all.out.length) setTimeout(stop, 100);
          return true;
        },
      });
      expect(all.code).toBe(0);
      expect(followed.code).toBe(130);
      expect(followed.err).toContain("Interrupted after");
      const idsOf = (text: string) =>
        text
          .trim()
          .split("\n")
          .map((line) => JSON.parse(line).id)
          .sort();
      expect(idsOf(out)).toEqual(idsOf(all.out));
    },
  );

  it.each<[options: readonly string[], sentence: string]>([
    [["--follow", "--pages"], "--follow and --pages exclude each other."],
    [["--follow", "--out", "a.ndjson"], "--follow and --out exclude each other."],
    [["--follow", "--block", "5"], "--follow and --block exclude each other."],
    [["--follow", "--format", "csv"], "--follow prints NDJSON, not csv."],
    [["--confirmations", "2"], "--confirmations needs --follow or --pages."],
  ])("rejects %j", async (options, sentence) => {
    const { code, err } = await run(library().root, [...ALL, ...options], { env });
    expect([code, err]).toEqual([2, expect.stringContaining(sentence)]);
  });

  it("rejects an operation without a cursor", async () => {
    const args = ["ask", "RecentStreams", "--chain", "base", "--follow"];
    const { code, err } = await run(library().root, args, { env });
    expect(code).toBe(2);
    expect(err).toContain("RecentStreams");
  });
});
