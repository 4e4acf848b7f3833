import { describe, expect, it } from "vitest";
import { inFolder, readRepositoryTree } from "../support/repository.ts";
import { run } from "../support/run.ts";
import { type TempProject, tempProject } from "../support/temp-project.ts";

// The files of `init` are tested in test/tasks/init, without commands.

const PACKAGE = '{\n  "name": "app"\n}\n';

const LAST_SCREEN = `Next
  1. npm install --save-dev lockflow graphql
     Installs the command for scripts and CI.
  2. npm run generate
     Writes typed operations to generated/.
  3. npx lockflow ask StreamsByRecipient --chain ethereum --protocol lockup \\
       --var recipient=0x7a8ee2d0ac6a4aeb092e11b1ca344349c39e88ac
     Prints rows.

The snapshots are those of the reference indexers. To replace them, put your
hosts into lockflow.config.mjs or the variables of .env.example, and run:
  npx lockflow introspect

package.json has no "type". If your own .js files are ES modules, run this and
generate again:
  npm pkg set type=module

If they call require():
  npm pkg set type=commonjs

In CI, run this for every change. It is offline:
  npx lockflow check

In CI, run this every night:
  npx lockflow drift

Commit everything, including generated/. To use it in code, read
  node_modules/lockflow/docs/start.md

  import { createClient, run } from "./generated/client.js";
  import { StreamsByRecipient } from "./generated/lockup/portable.js";
  const { data } = await run(createClient(), StreamsByRecipient, {
    recipient: "0x7a8ee2d0ac6a4aeb092e11b1ca344349c39e88ac",
  }, { chain: "ethereum" });
`;

/** A package with snapshots, so that none are fetched. */
const WITH_SNAPSHOTS = { "package.json": PACKAGE, "generated/schemas/deployments.json": "" };

describe("lockflow init", () => {
  it("sets up a package", async () => {
    const project = tempProject({ "package.json": PACKAGE });
    const { code, out, err } = await run(project.root, ["init", "--yes"]);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(paths(project)).toEqual([
      ".env.example",
      ".gitattributes",
      ".gitignore",
      "generated/schemas/deployments.json",
      "generated/schemas/flow/multichain.graphql",
      "generated/schemas/flow/subgraph.graphql",
      "generated/schemas/lockup/multichain.graphql",
      "generated/schemas/lockup/subgraph.graphql",
      "graphql.config.json",
      "lockflow.config.mjs",
      "operations/flow/portable/streams-by-recipient.graphql",
      "operations/lockup/portable/streams-by-recipient.graphql",
      "package.json",
    ]);
    expect(out).toContain("app: npm, JavaScript, fetch\n");
    expect(out).toContain("Wrote 13 files.\n");
    expect(out.slice(out.indexOf("Next\n"))).toBe(LAST_SCREEN);
    expect(JSON.parse(project.read("package.json")).scripts).toEqual({
      generate: "lockflow generate",
      check: "lockflow check",
    });
    for (const text of Object.values(project.files())) expect(text).not.toContain("\r");

    const before = project.files();
    const again = await run(project.root, ["init"]);
    expect(again).toMatchObject({ code: 0, err: "" });
    expect(again.out).toContain("Everything is already set up.");
    expect(project.files()).toEqual(before);
  });

  it("writes TypeScript beside the sources, with which the other commands work", async () => {
    const project = tempProject({
      "package.json": '{ "type": "module" }',
      "tsconfig.json": "{}",
      ...inFolder("src/generated/schemas", readRepositoryTree("generated/schemas")),
    });
    expect(await run(project.root, ["init", "--yes", "--protocol", "lockup"])).toMatchObject({
      code: 0,
      err: "",
    });
    expect(paths(project).filter((path) => !path.startsWith("src/generated/schemas/"))).toEqual([
      ".env.example",
      ".gitattributes",
      ".gitignore",
      "graphql.config.ts",
      "lockflow.config.ts",
      "operations/lockup/portable/streams-by-recipient.graphql",
      "package.json",
      "tsconfig.json",
    ]);
    expect(await run(project.root, ["generate"])).toMatchObject({ code: 0, err: "" });
    // Its rows of several chains can be merged.
    expect(project.read("src/generated/lockup/portable.ts")).toMatch(
      /export const StreamsByRecipient: PortableOperation<"lockup", .*, "list", typeof StreamsByRecipientColumns> =/,
    );
    // .env.example has the variables that the manifest reads.
    const variables = (path: string) => new Set(project.read(path).match(/\bLOCKFLOW_[A-Z_]+\b/g));
    expect(variables(".env.example")).toEqual(variables("src/generated/routes.ts"));
  });

  it("prints the changes, and writes nothing, without a terminal to confirm on", async () => {
    const project = tempProject({ "package.json": PACKAGE });
    const { code, out, err } = await run(project.root, ["init"]);
    expect(code).toBe(2);
    expect(out).toContain("Will write\n  lockflow.config.mjs ");
    expect(err).toBe(
      "Nothing was written: there is no terminal to confirm on. `npx lockflow init --yes` writes without confirmation.\n",
    );
    expect(project.files()).toEqual({ "package.json": PACKAGE });
  });

  it.each<[answer: string | null, isYes: boolean]>([
    ["", true],
    [" Yes ", true],
    ["what?", false],
    [null, false],
  ])("asks once; the answer %j confirms: %s", async (answer, isYes) => {
    const project = tempProject(WITH_SNAPSHOTS);
    const questions: string[] = [];
    const { code, out } = await run(project.root, ["init", "--protocols", "flow"], {
      ask: async (question) => {
        questions.push(question);
        return answer;
      },
    });
    expect({ code, questions }).toEqual({ code: 0, questions: ["Write these changes? [Y/n] "] });
    expect(paths(project).includes(".env.example")).toBe(isYes);
    if (!isYes) expect(out.endsWith("Nothing was written.\n")).toBe(true);
  });

  it("error: does not overwrite a file that appeared during the question", async () => {
    const project = tempProject({ "package.json": PACKAGE });
    const { code, err } = await run(project.root, ["init"], {
      ask: async () => {
        project.write(".env.example", "MINE=");
        return "y";
      },
    });
    expect(code).toBe(2);
    expect(err).toContain("The repository changed after the list was shown. Nothing was written.");
    expect(project.files()).toEqual({ "package.json": PACKAGE, ".env.example": "MINE=" });
  });

  it("writes all operations of the library with --library", async () => {
    const project = tempProject({ ...WITH_SNAPSHOTS, "tsconfig.json": "{}" });
    const { code, err, out } = await run(project.root, ["init", "--yes", "--library"]);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    const library = inFolder("operations", readRepositoryTree("operations"));
    expect(project.files("operations")).toEqual(library);
    expect(Object.keys(library)).toHaveLength(36);
    expect(out).toMatch(/operations\/lockup\/portable\/stream-by-id\.graphql +from the library\n/);
    const again = await run(project.root, ["init", "--library"]);
    expect(again.out).toContain("Everything is already set up.");
  });

  it("error: an unknown protocol exits with 2, and nothing is written", async () => {
    const project = tempProject({ "package.json": PACKAGE });
    const { code, out, err } = await run(project.root, ["init", "--yes", "--protocol", "moon"]);
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err).toContain("--protocols must be lockup or flow");
    expect(project.files()).toEqual({ "package.json": PACKAGE });
  });
});

function paths(project: TempProject): string[] {
  return Object.keys(project.files()).sort();
}
