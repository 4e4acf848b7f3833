import { describe, expect, it } from "vitest";
import { FAULT_KINDS } from "../../emulator/faults/check-fault.ts";
import { parseFaults } from "../../emulator/faults/parse-faults.ts";
import { readRepositoryFile } from "../support/repository.ts";

describe("the table of faults in the documentation of the emulator", () => {
  const rows = readRepositoryFile("docs/emulator.md")
    .split("\n")
    .map((line) => /^\| (.+?) \| `\{ kind: "([\w-]+)"/.exec(line))
    .filter((row) => row !== null);

  it("has every kind, in the syntax of the command line", () => {
    const written = rows.flatMap(([, forms = ""]) => forms.match(/[^`]+(?=`(?: |$))/g) ?? []);
    const kinds = parseFaults(written, []).map(({ kind }) => kind);
    expect(new Set(kinds)).toEqual(new Set(Object.keys(FAULT_KINDS)));
  });

  it("has the same kind in the column for tests", () => {
    for (const [, forms = "", kind = ""] of rows) {
      const [first = ""] = forms.match(/[^`]+/) ?? [];
      expect(parseFaults([first], [])[0]?.kind, forms).toBe(kind);
    }
  });
});
