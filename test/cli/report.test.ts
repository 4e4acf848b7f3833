import { execFile, execFileSync } from "node:child_process";
import { statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { BUILT_IN_PROTOCOLS } from "../../src/project/protocols.ts";
import { json } from "../../src/report/forms/json.ts";
import { endpoint, PLAIN, report } from "../report/fixtures.ts";
import { copyFewOperations } from "../support/repository.ts";
import { run } from "../support/run.ts";
import { tempProject } from "../support/temp-project.ts";

const stored = json.render(
  report({
    run: { command: "drift", version: "0.1.0", startedAt: "2026-11-20T03:00:00.000Z", durationMs: 5 },
  }),
  PLAIN,
);

describe("lockflow report", () => {
  it("renders a stored report in other forms, without a project", async () => {
    const { root, read } = tempProject({ "drift.json": stored });
    const { code, out, err } = await run(root, [
      "report",
      "drift.json",
      "--report",
      "text,json=again.json,markdown=drift.md",
    ]);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(out).toMatch(/^Not clean: 1 breaking/);
    expect(out).toContain("lockflow accept 9c41e07ab2d5 --reason");
    expect(out).toContain("--from report.json");
    expect(read("again.json")).toBe(stored);
    expect(read("drift.md")).toContain("## Lockflow: Not clean");
  });

  it.skipIf(process.platform === "win32")("writes to a pipe and to a device", async () => {
    const { root } = tempProject({ "drift.json": stored });
    const pipe = join(root, "pipe");
    execFileSync("mkfifo", [pipe]);
    const piped = promisify(execFile)("cat", [pipe]);
    const { code, err } = await run(root, ["report", "drift.json", "--report", "json=pipe,text=/dev/null"]);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect((await piped).stdout).toBe(stored);
    expect(statSync("/dev/null").isCharacterDevice()).toBe(true);
  });

  it.each([
    ["diff", /accept 9c41e07ab2d5 --reason "…"$/m],
    ["diff a.graphql b.graphql", /Next\n {2}lockflow explain drift\/field-removed\n\n/],
  ])("prints how to accept findings of `%s`", async (command, want) => {
    const value = JSON.parse(stored);
    value.run.command = command;
    const { root } = tempProject({ "report.json": JSON.stringify(value) });
    expect((await run(root, ["report", "report.json"])).out).toMatch(want);
  });

  it("renders what the command itself renders, to the byte", async () => {
    const project = tempProject({ "lockflow.config.json": "{}" });
    for (const protocol of BUILT_IN_PROTOCOLS) copyFewOperations(project.root, protocol);
    const diff = await run(project.root, ["diff", "--report", "text,json=diff.json,html=diff.html"]);
    expect(diff.code).toBe(0);
    expect(diff.out).toMatch(/^lockup: both styles have 8 entities/);
    // The text, too, with its first lines.
    expect(await run(project.root, ["report", "diff.json"])).toEqual({ ...diff, code: 0 });
    const again = ["report", "diff.json", "--report", "html=again.html,json=again.json"];
    expect(await run(project.root, again)).toEqual({ code: 0, out: "", err: "" });
    expect(project.read("again.html")).toBe(project.read("diff.html"));
    expect(project.read("again.json")).toBe(project.read("diff.json"));
    const check = await run(project.root, ["check", "--report", "text,json=check.json,html=check.html"]);
    expect(
      await run(project.root, ["report", "check.json", "--report", "text,html=check-again.html"]),
    ).toEqual({
      ...check,
      code: 0,
    });
    expect(project.read("check-again.html")).toBe(project.read("check.html"));
    // The page contains the whole report: the fleet of the snapshots, parity, and the texts of operations.
    const page = project.read("again.html");
    for (const part of ['"deployments":[{', '"rows":[{"entity":', "query RecentStreams("]) {
      expect(page).toContain(part);
    }
  });

  it.each([
    ["no report", [], /"lockflow report" needs a report: <report\.json>/],
    ["a missing file", ["none.json"], /The file "none\.json" does not exist/],
    ["another file", ["other.json"], /other.json is not a valid report: "version" is not 1/],
    ["an unknown form", ["report.json", "--report", "pdf"], /Unknown form "pdf"/],
  ])("error: %s", async (_, args, want) => {
    const { root } = tempProject({ "report.json": stored, "other.json": "{}" });
    const { code, out, err } = await run(root, ["report", ...args]);
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err).toMatch(want);
  });

  it.each(["report.json", "./report.json", "link.json"])(
    "error: does not overwrite itself as %s",
    async (file) => {
      const { root, read } = tempProject({ "report.json": stored });
      symlinkSync("report.json", join(root, "link.json"));
      const { code, out, err } = await run(root, ["report", "report.json", "--report", `text,html=${file}`]);
      expect({ code, out }).toEqual({ code: 2, out: "" });
      expect(err).toContain(`--report html=${file} would overwrite the report itself.`);
      expect(read("report.json")).toBe(stored);
    },
  );

  it("escapes messages of endpoints", async () => {
    const message = "\u001b[31m::add-mask::x";
    const hostile = json.render(
      report({ endpoints: [endpoint("base", { status: "refused", message })] }),
      PLAIN,
    );
    const { root } = tempProject({ "report.json": hostile });
    const { out } = await run(root, ["report", "report.json"]);
    expect(out).not.toContain("\u001b");
    expect(out).not.toContain("::");
  });
});
