import { cpSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import { generatedProject } from "../support/generated-project.ts";
import { SMALL_ENTITIES } from "../support/indexer-answers.ts";
import { IS_THOROUGH } from "../support/is-thorough.ts";
import { run } from "../support/run.ts";
import { exitCode, startCli } from "../support/run-process.ts";
import { startWatch } from "../support/start-watch.ts";
import { type TempProject, tempProject } from "../support/temp-project.ts";

// Which files a watch reads is tested in test/workspace/watch.test.ts, without generating.

const RECENT = "query Recent { streams { id depositAmount } }";
const RECENT_MULTICHAIN = "query Recent { streams: Stream { id depositAmount } }";
const FILE = "operations/lockup/subgraph/recent.graphql";
const DOCUMENTS = "generated/lockup/subgraph.ts";

function project(): TempProject {
  return generatedProject({
    "subgraph/recent.graphql": RECENT,
    "multichain/recent.graphql": RECENT_MULTICHAIN,
  });
}

/** Returns the output of `generate` for a copy of the inputs. */
async function freshOutput({ root }: Pick<TempProject, "root">): Promise<Record<string, string>> {
  const copy = tempProject();
  cpSync(root, copy.root, { recursive: true, dereference: true });
  const { code, err } = await run(copy.root, ["generate"]);
  expect({ code, err }).toEqual({ code: 0, err: "" });
  return copy.files("generated");
}

describe("generate --watch", () => {
  it("generates at once and after every change, and ends on SIGINT", async () => {
    const { root, write, remove, files } = project();
    const watch = await startWatch(root);
    expect(watch.first).toMatch(
      /^Watching operations\/, generated\/schemas\/ and the configuration\. Interrupt to stop\.\nFirst run: wrote 9 files\.\n$/,
    );
    write(FILE, RECENT.replace("id ", "id sender "));
    expect(await watch.next()).toBe(`${FILE} changed: wrote 4 files.\n`);
    // Its own output starts no run.
    await watch.quiet();
    expect(watch.output()).toBe("");
    remove("operations/lockup/multichain/recent.graphql");
    expect(await watch.next()).toMatch(
      /^operations\/lockup\/multichain\/recent\.graphql changed: wrote manifest\.ts, .*removed lockup\/multichain/,
    );
    expect(files("generated")).toEqual(await freshOutput({ root }));
    expect(await watch.stop()).toBe(0);
  });

  it("generates both styles of a portable operation, and prints times on a terminal only", async () => {
    const entities = SMALL_ENTITIES.replace("alias: String!", "alias: String! chainId: BigInt!");
    const path = "operations/lockup/portable/recent.graphql";
    const text = "query Recent { streams(first: 5) { id } }";
    const { root, write } = generatedProject({ "portable/recent.graphql": text }, entities);
    const watch = await startWatch(root, { isTerminal: true });
    expect(watch.first).toMatch(/First run: wrote 15 files \(\d+ ms\)\.\n$/);
    write(path, text.replace("5", "5000"));
    expect(await watch.next()).toContain(`${path} changed: one error; generated/ is unchanged.`);
  });

  it("watches the operations in code, and ignores code without any", async () => {
    const { root, write } = project();
    write("lockflow.config.json", '{ "protocols": ["lockup"], "documents": ["src/**/*.ts"] }');
    write("src/a.ts", "gql`query More { streams { alias } }`");
    write("src/b.ts", "export const b = 1;");
    const watch = await startWatch(root);
    expect(watch.first).toMatch(
      /^Watching operations\/, `documents`, generated\/schemas\/ and the configuration\. /,
    );
    write("src/b.ts", "export const b = 2;");
    await watch.quiet();
    expect(watch.output()).toBe("");
    write("src/a.ts", "\ngql`query Most { streams { alias } }`");
    expect(await watch.next()).toBe("src/a.ts changed: wrote manifest.ts, schemas/operations.json.\n");
    write("src/c.ts", "gql`query Wrong { nope }`");
    expect(await watch.next()).toContain("src/c.ts changed: one error; generated/ is unchanged.");
    write("src/c.ts", "");
    expect(await watch.next()).toBe("src/c.ts changed: nothing to write.\n");
  });

  it("reports errors from its start on, keeps the generated files, and continues when they are fixed", async () => {
    const { root, write, files } = generatedProject({ "subgraph/recent.graphql": "{" });
    write("lockflow.config.json", "{");
    const watch = await startWatch(root);
    expect(watch.first).toMatch(/^lockflow: lockflow\.config\.json could not be loaded/);
    write("lockflow.config.json", '{ "protocols": ["lockup"] }');
    expect(await watch.next()).toMatch(
      /recent\.graphql:1:\d+ .*\[operation\/syntax\]\n.*changed: one error; generated\/ is unchanged\.\n$/,
    );
    write(FILE, RECENT);
    expect(await watch.next()).toMatch(/changed: wrote/);
    const before = files("generated/lockup");
    write(FILE, "query Recent { streams { nope } }");
    expect(await watch.next()).toMatch(/\[operation\/invalid\]/);
    expect(files("generated/lockup")).toEqual(before);
    // A folder in a file's place cannot be overwritten, not even by root.
    rmSync(join(root, DOCUMENTS));
    mkdirSync(join(root, DOCUMENTS));
    write(FILE, RECENT.replace("id ", "sender "));
    expect(await watch.next()).toMatch(/^lockflow: .*subgraph\.ts cannot be written \(EISDIR\)/);
    rmSync(join(root, DOCUMENTS), { recursive: true });
    write(FILE, RECENT.replace("id ", "id sender "));
    expect(await watch.next()).toMatch(/changed: wrote/);
    expect(await watch.stop()).toBe(0);
  });

  it.runIf(IS_THOROUGH)("exits with 0 on SIGINT", async () => {
    const child = startCli(["generate", "--watch"], { cwd: project().root });
    onTestFinished(() => void child.kill("SIGKILL"));
    const ended = exitCode(child);
    await new Promise<void>((resolve) => {
      child.stdout?.on("data", (text) => {
        if (String(text).includes("First run")) resolve();
      });
    });
    child.kill("SIGINT");
    expect(await ended).toBe(0);
  });

  it("error: a missing configuration that --config names", async () => {
    const { root } = tempProject();
    const { code, err } = await run(root, ["generate", "--watch", "--config", "none.json"]);
    expect({ code, err }).toMatchObject({
      code: 2,
      err: expect.stringContaining('no configuration file "none.json"'),
    });
  });

  it("generates once for a burst of changes", async () => {
    const given = project();
    const watch = await startWatch(given.root);
    for (let index = 0; index < 30; index++) {
      given.write(`operations/lockup/subgraph/${index}.graphql`, `query Q${index} { streams { id } }`);
    }
    expect(await watch.next()).toMatch(/^30 files changed: wrote/);
    await watch.quiet();
    expect(watch.output()).toBe("");
  });

  it.runIf(IS_THOROUGH)("writes the output of `generate` after any edits", async () => {
    const place = fc.constantFrom("lockup/subgraph", "lockup/multichain", "flow/subgraph");
    const file = fc
      .tuple(place, fc.constantFrom("a", "b", "deep/c"))
      .map(([folder, name]) => `operations/${folder}/${name}.graphql`);
    const fields = fc.subarray(["id", "sender", "category", "depositAmount", "nope"], { minLength: 1 });
    const remove = (path: string): Edit => {
      return ({ root }) => rmSync(join(root, path), { recursive: true, force: true });
    };
    const edit = fc.oneof<fc.MaybeWeightedArbitrary<Edit>[]>(
      { weight: 6, arbitrary: fc.tuple(file, fields).map(writeOperation) },
      { weight: 2, arbitrary: file.map(remove) },
      {
        weight: 1,
        arbitrary: file.map(
          (path): Edit =>
            ({ write }) =>
              write(path, "{"),
        ),
      },
      { weight: 1, arbitrary: place.map((folder) => remove(`operations/${folder}`)) },
      { weight: 2, arbitrary: fc.nat(25).map((milliseconds) => () => pause(milliseconds)) },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(edit, { minLength: 3, maxLength: 12 }), async (edits) => {
        const given = project();
        const watch = await startWatch(given.root);
        for (const apply of edits) await apply(given);
        // The final state is always valid.
        remove("operations")(given);
        given.write(FILE, RECENT);
        if (edits.length % 2 === 0) given.write("operations/lockup/multichain/z.graphql", RECENT_MULTICHAIN);
        const want = await freshOutput(given);
        await expect.poll(() => given.files("generated"), { timeout: 10_000, interval: 5 }).toEqual(want);
        expect(await watch.stop()).toBe(0);
      }),
      { numRuns: 20 },
    );
  });
});

type Edit = (project: TempProject) => unknown;

function writeOperation([path, fields]: readonly [path: string, fields: readonly string[]]): Edit {
  const name = `Q${path.replaceAll(/\W/g, "")}`;
  const root = path.includes("multichain") ? "Stream" : "streams";
  return ({ write }) => write(path, `query ${name} { ${root} { ${fields.join(" ")} } }`);
}
