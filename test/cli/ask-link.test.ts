import { lstatSync, mkdirSync, readFileSync, readlinkSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Emulator, startEmulator } from "../../emulator/server/start-emulator.ts";
import { IS_THOROUGH } from "../support/is-thorough.ts";
import { copyFromRepository } from "../support/repository.ts";
import { run } from "../support/run.ts";
import { tempProject } from "../support/temp-project.ts";

let emulator: Emulator;

beforeAll(async () => {
  emulator = await startEmulator({ streams: 5 });
});
afterAll(() => emulator.close());

function library() {
  const project = tempProject({ "lockflow.config.json": '{ "protocols": ["lockup"] }' });
  copyFromRepository(
    project.root,
    "generated/schemas",
    "operations/lockup/portable/fragments",
    "operations/lockup/portable/all-streams.graphql",
  );
  mkdirSync(join(project.root, "disk"));
  return project;
}

const ask = (root: string, args: readonly string[]) =>
  run(root, ["ask", "AllStreams", "--protocol", "lockup", "--chain", "base", ...args], {
    env: emulator.env(),
    stopped: new Promise<void>(() => {}),
  });

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
      const { root, files } = library();
      // The first run creates the file. The link points to another link.
      symlinkSync(`disk/${name}`, join(root, "other"));
      symlinkSync("other", join(root, link));
      const out = flags.includes("--out") ? [] : ["--out", link];
      for (let night = 0; night < 2; night++) {
        const { code, err } = await ask(root, [...flags, ...out]);
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
