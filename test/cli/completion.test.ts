import { spawnSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { COMMANDS } from "../../src/cli/commands.ts";
import { run } from "../support/run.ts";
import { tempProject } from "../support/temp-project.ts";

async function script(shell: string): Promise<string> {
  const { code, out, err } = await run(tempProject().root, ["completion", shell]);
  expect({ code, err }).toEqual({ code: 0, err: "" });
  return out;
}

describe("completion", () => {
  it.each<[line: string, want: string]>([
    ["", COMMANDS.map(({ name }) => name).join(" ")],
    ["ex", "explain"],
    ["check --fail-on ", "breaking risky any"],
    ["drift --environment t", "testing"],
    ["check --ex", "--exhaustive-enums"],
    ["check --config ", ""],
    ["explain ", "--help"],
  ])("bash completes: lockflow %s", async (line, want) => {
    const words = ["lockflow", ...line.split(" ")].map((word) => `'${word}'`);
    const ask = `COMP_WORDS=(${words.join(" ")}); COMP_CWORD=${words.length - 1}; _lockflow; echo "\${COMPREPLY[*]}"`;
    const { stdout, stderr } = spawnSync("bash", ["--norc", "-c", `${await script("bash")}\n${ask}`], {
      encoding: "utf8",
    });
    expect({ stdout, stderr }).toEqual({ stdout: `${want}\n`, stderr: "" });
  });

  it.each(["bash", "zsh", "fish"])("%s gets every option of the table", async (shell) => {
    const text = await script(shell);
    const mark = shell === "fish" ? "-l " : "--";
    for (const { name, options } of COMMANDS) {
      expect(text).toContain(name);
      for (const option of Object.keys(options)) {
        expect(text).toContain(mark + option.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`));
      }
    }
  });

  it("error: another shell", async () => {
    const { code, err } = await run(tempProject().root, ["completion", "cmd"]);
    expect(code).toBe(2);
    expect(err).toBe('lockflow: The shell must be bash, zsh or fish; got "cmd".\n');
  });
});
