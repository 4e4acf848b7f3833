import { describe, expect, it } from "vitest";
import { asking } from "../support/asking.ts";
import { IS_THOROUGH } from "../support/is-thorough.ts";
import { libraryProject } from "../support/library-project.ts";

const { ask } = asking({ streams: 12 });

const library = () => libraryProject("all-streams", "recent-streams");

const ALL = ["AllStreams", "--chain", "base,optimism"];

describe("lockflow ask --follow", () => {
  it.each(IS_THOROUGH ? [[[]], [["--confirmations", "2"]]] : [[["--confirmations", "2"]]])(
    "prints rows as NDJSON until it is interrupted: %j",
    async (options) => {
      const { root } = library();
      const all = await ask(root, [...ALL, "--pages", "--format", "ndjson"]);
      let out = "";
      let stop = () => {};
      const followed = await ask(root, [...ALL, "--follow", ...options], {
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
    const { code, err } = await ask(library().root, [...ALL, ...options]);
    expect([code, err]).toEqual([2, expect.stringContaining(sentence)]);
  });

  it("rejects an operation without a cursor", async () => {
    const { code, err } = await ask(library().root, ["RecentStreams", "--chain", "base", "--follow"]);
    expect([code, err]).toEqual([2, expect.stringContaining("RecentStreams")]);
  });
});
