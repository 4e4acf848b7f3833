import { join } from "node:path";
import { expect, it } from "vitest";
import { temporaryOf } from "../../../src/base/unfinished-run.ts";
import { unwritable } from "../../../src/base/write-files.ts";

it("names the file that somebody asked for, and not the one that is written beside it first", () => {
  const path = temporaryOf("/folder", "report.v1.json", "a841a466-80c5-4a84-988b-0fffe7e612d8");
  const cause = Object.assign(new Error("read-only"), { code: "EROFS", path });
  expect(unwritable("/folder", cause, "look.").message).toBe(
    `${join("/folder", "report.v1.json")} cannot be written (EROFS).\nHint: look.`,
  );
});
