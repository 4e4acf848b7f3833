import { lstatSync, mkdirSync, readFileSync, readlinkSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { asking } from "../support/asking.ts";
import { IS_THOROUGH } from "../support/is-thorough.ts";
import { libraryProject } from "../support/library-project.ts";

const { ask } = asking({ streams: 5 });

const OUTPUTS: readonly (readonly [name: string, flags: readonly string[]])[] = [
  ["AllStreams", ["--pages", "--since-last", "--out", "./"]],
  ["rows.csv", []],
  ["rows.csv", ["--pages"]],
  ["rows.parquet", ["--pages"]],
];

describe.each(IS_THOROUGH ? OUTPUTS : OUTPUTS.slice(0, 2))(
  "--out with a symbolic link to %s %j",
  (name, flags) => {
    const link = name === "AllStreams" ? "AllStreams" : `link${name.slice(4)}`;

    it.skipIf(process.platform === "win32")("writes to the file or folder that it points to", async () => {
      const { root, files } = libraryProject("all-streams");
      mkdirSync(join(root, "disk"));
      // The first run creates the file. The link points to another link.
      symlinkSync(`disk/${name}`, join(root, "other"));
      symlinkSync("other", join(root, link));
      const out = flags.includes("--out") ? [] : ["--out", link];
      for (let night = 0; night < 2; night++) {
        const { code, err } = await ask(root, ["AllStreams", "--chain", "base", ...flags, ...out]);
        expect([code, err]).toEqual([0, expect.stringMatching(/ (in|added to) \.?\/?(AllStreams|link)/)]);
      }
      expect(lstatSync(join(root, link)).isSymbolicLink()).toBe(true);
      expect(readlinkSync(join(root, link))).toBe("other");
      const written = Object.keys(files("disk")).map((path) => path.replace("disk/", ""));
      const lake = ["AllStreams/_lockflow.json", "AllStreams/part-000001.parquet"];
      expect(written.sort()).toEqual(name === "AllStreams" ? lake : [name]);
      if (name === "rows.csv") expect(readFileSync(join(root, link), "utf8").split("\n").length).toBe(7);
    });
  },
);
