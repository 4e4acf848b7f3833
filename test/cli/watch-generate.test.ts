import { cpSync, mkdirSync, renameSync, rmSync, symlinkSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import { generatedProject, snapshotText } from "../support/generated-project.ts";
import { SMALL_ENTITIES } from "../support/indexer-answers.ts";
import { IS_THOROUGH } from "../support/is-thorough.ts";
import { run } from "../support/run.ts";
import { exitCode, startCli } from "../support/run-process.ts";
import { runs } from "../support/runs.ts";
import { startWatch } from "../support/start-watch.ts";
import { type TempProject, tempProject } from "../support/temp-project.ts";

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

/** Waits until the output equals that of `generate` for the same inputs, to the byte. */
async function expectFreshOutput(given: TempProject): Promise<void> {
  const want = await freshOutput(given);
  await expect.poll(() => given.files("generated"), { timeout: 10_000, interval: 5 }).toEqual(want);
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
    const { root, write, files } = project();
    const watch = await startWatch(root);
    expect(watch.first).toMatch(
      /^Watching operations\/, generated\/schemas\/ and the configuration\. Interrupt to stop\.\nFirst run: wrote 9 files\.\n$/,
    );
    write(FILE, RECENT.replace("id ", "id sender "));
    expect(await watch.next()).toBe(`${FILE} changed: wrote 4 files.\n`);
    expect(files("generated")).toEqual(await freshOutput({ root }));
    expect(await watch.stop()).toBe(0);
  });

  it("generates both styles of a portable operation, and reports errors", async () => {
    const entities = SMALL_ENTITIES.replace("alias: String!", "alias: String! chainId: BigInt!");
    const once = "operations/lockup/portable/recent.graphql";
    const text = "query Recent { streams(first: 5) { id } }";
    const { root, write, files } = generatedProject({ "portable/recent.graphql": text }, entities);
    const watch = await startWatch(root);
    expect(watch.first).toMatch(/First run: wrote 15 files\.\n$/);
    write(once, text.replace("id ", "id sender "));
    expect(await watch.next()).toBe(`${once} changed: wrote 10 files.\n`);
    expect(files("generated")).toEqual(await freshOutput({ root }));
    write(once, text.replace("5", "5000"));
    expect(await watch.next()).toContain(`${once} changed: one error; generated/ is unchanged.`);
    expect(await watch.stop()).toBe(0);
  });

  it("watches the operations in code, and ignores code without any", async () => {
    const { root, write, files } = project();
    write("lockflow.config.json", '{ "protocols": ["lockup"], "documents": ["src/**/*.ts"] }');
    write("src/a.ts", "gql`query More { streams { alias } }`");
    write("src/b.ts", "export const b = 1;");
    const watch = await startWatch(root);
    expect(watch.first).toMatch(
      /^Watching operations\/, `documents`, generated\/schemas\/ and the configuration\. /,
    );
    write("src/b.ts", "export const b = 2;");
    await watch.quiet();
    write("node_modules/p/c.ts", "gql`{ nope }`");
    await watch.quiet();
    expect(watch.output()).toBe("");
    write("src/a.ts", "\ngql`query Most { streams { alias } }`");
    expect(await watch.next()).toBe("src/a.ts changed: wrote manifest.ts, schemas/operations.json.\n");
    expect(files("generated")).toEqual(await freshOutput({ root }));
    write("src/c.ts", "gql`query Wrong { nope }`");
    expect(await watch.next()).toContain("src/c.ts changed: one error; generated/ is unchanged.");
    write("src/c.ts", "");
    expect(await watch.next()).toBe("src/c.ts changed: nothing to write.\n");
    expect(await watch.stop()).toBe(0);
  });

  it("watches the file of ids, even while it is invalid", async () => {
    const { root, write, read } = project();
    const production = { url: "https://gateway.example/{id}", ids: "ids.csv" };
    write("ids.csv", "chain,id\nbase");
    write("lockflow.config.json", JSON.stringify({ protocols: ["lockup"], subgraph: { production } }));
    const watch = await startWatch(root);
    expect(watch.first).toContain("ids.csv:2: the id is missing.");
    write("ids.csv", "chain,id\nbase,AbC");
    expect(await watch.next()).toContain("ids.csv changed: wrote");
    expect(read("generated/routes.ts")).toContain("AbC");
    write("ids.csv", "chain,id\nbase,Xyz");
    expect(await watch.next()).toBe("ids.csv changed: wrote routes.ts.\n");
    expect(read("generated/routes.ts")).toContain("Xyz");
    expect(await watch.stop()).toBe(0);
  });

  it("watches the entities of a custom protocol", async () => {
    const entities = (members: string) =>
      `enum LotPhase { ${members} }\ntype Lot @entity { id: ID! phase: LotPhase! }\n`;
    const { root, write, read } = tempProject({
      "package.json": "{}",
      "lockflow.config.json":
        '{ "protocols": { "lots": { "entities": "lots.graphql", "styles": ["multichain"] } } }',
      "lots.graphql": entities("OPEN CLOSED"),
    });
    expect(await run(root, ["init", "--yes"])).toMatchObject({ code: 0 });
    write("operations/lots/multichain/lot-list.graphql", "query LotList { Lot(limit: 5) { phase } }");
    const watch = await startWatch(root);
    expect(watch.first).toMatch(/First run: wrote 6 files\.\n$/);
    write("lots.graphql", entities("OPEN CLOSED GONE"));
    expect(await watch.next()).toBe("lots.graphql changed: wrote lots/multichain.ts.\n");
    expect(read("generated/lots/multichain.ts")).toContain('"GONE"');
    expect(await watch.stop()).toBe(0);
  });

  it("prints times on a terminal only", async () => {
    const { root, write } = project();
    const watch = await startWatch(root, { isTerminal: true });
    write(FILE, RECENT.replace("id ", "id sender "));
    expect(await watch.next()).toMatch(/wrote 4 files \(\d+ ms\)\.\n$/);
  });

  it.each<
    [name: string, edit: (project: TempProject) => void, said: RegExp, after?: Record<string, RegExp | null>]
  >([
    [
      "an operation is deleted",
      ({ remove }) => remove("operations/lockup/multichain/recent.graphql"),
      /^operations\/lockup\/multichain\/recent\.graphql changed: wrote manifest\.ts, .*removed lockup\/multichain/,
      { "generated/lockup/multichain.ts": null },
    ],
    [
      "a new folder contains an operation",
      ({ write }) => write("operations/lockup/subgraph/deep/er/b.gql", "query Deep { streams { id } }"),
      /^operations\/lockup\/subgraph\/deep\/er\/b\.gql changed: wrote /,
      { [DOCUMENTS]: /DeepQuery/ },
    ],
    [
      "an editor writes a temporary file and renames it",
      ({ root, write }) => {
        write(`${FILE}~`, RECENT.replace("Recent", "Renamed"));
        renameSync(join(root, `${FILE}~`), join(root, FILE));
      },
      /recent\.graphql changed: wrote/,
      { [DOCUMENTS]: /RenamedQuery/ },
    ],
    [
      "the text is reformatted, with Windows line breaks",
      ({ write }) => write(FILE, `${RECENT.replace("{ id", "{\r\n id")}\r\n`),
      /recent\.graphql changed: wrote schemas\/operations\.json\./,
      { [DOCUMENTS]: /RecentQuery/ },
    ],
    [
      "the configuration changes",
      ({ write }) =>
        write("lockflow.config.json", '{ "protocols": ["lockup"], "scalars": { "BigInt": "`${bigint}`" } }'),
      /^lockflow\.config\.json changed: wrote lockup\/subgraph\.ts\.\n/,
      { [DOCUMENTS]: /depositAmount: `\$\{bigint\}`/ },
    ],
    [
      "the configuration sets another folder",
      ({ root, write }) => {
        renameSync(join(root, "operations"), join(root, "queries"));
        write("lockflow.config.json", '{ "protocols": ["lockup"], "operations": "queries" }');
        write("queries/lockup/subgraph/recent.graphql", RECENT.replace("Recent", "Elsewhere"));
      },
      /changed: wrote/,
      { [DOCUMENTS]: /ElsewhereQuery/ },
    ],
    [
      "another configuration takes precedence",
      ({ write }) =>
        write(
          "lockflow.config.mjs",
          'export default { protocols: ["lockup"], scalars: { BigInt: "`${number}`" } };',
        ),
      /lockflow\.config\.mjs changed: wrote|files changed: wrote/,
      { [DOCUMENTS]: /depositAmount: `\$\{number\}`/ },
    ],
    [
      "the snapshot is replaced",
      ({ write }) =>
        write(
          "generated/schemas/lockup/subgraph.graphql",
          snapshotText("subgraph", SMALL_ENTITIES.replace("depositAmount: BigInt!", "depositAmount: Int!")),
        ),
      /^generated\/schemas\/lockup\/subgraph\.graphql changed: wrote lockup\/subgraph\.ts/,
      { [DOCUMENTS]: /depositAmount: number/ },
    ],
  ])("generates when %s", async (_, edit, said, after = {}) => {
    const given = project();
    const watch = await startWatch(given.root);
    edit(given);
    expect(await watch.next()).toMatch(said);
    await expectFreshOutput(given);
    const files = given.files();
    for (const [path, want] of Object.entries(after)) {
      if (want === null) expect(files).not.toHaveProperty([path]);
      else expect(files[path]).toMatch(want);
    }
  });

  it.each<
    [name: string, spoil: (project: TempProject) => void, said: RegExp, mend: (project: TempProject) => void]
  >([
    [
      "a syntax error",
      ({ write }) => write(FILE, "query Recent { streams { id "),
      /recent\.graphql:1:\d+ .*\[operation\/syntax\]\n.*changed: one error; generated\/ is unchanged\.\n$/,
      ({ write }) => write(FILE, RECENT.replace("id ", "sender ")),
    ],
    [
      "an unknown field",
      ({ write }) => write(FILE, "query Recent { streams { nope } }"),
      /\[operation\/invalid\]/,
      ({ write }) => write(FILE, RECENT.replace("id ", "sender ")),
    ],
    [
      "a configuration that is not valid",
      ({ write }) => write("lockflow.config.json", "{"),
      /^lockflow: lockflow\.config\.json could not be loaded/,
      ({ write }) =>
        write("lockflow.config.json", '{ "protocols": ["lockup"], "scalars": { "BigInt": "`${bigint}`" } }'),
    ],
    [
      "a link to nowhere",
      ({ root }) => symlinkSync("nowhere", join(root, "operations/lockup/subgraph/link.graphql")),
      /^lockflow: .*link\.graphql is a broken link/,
      ({ root, write }) => {
        rmSync(join(root, "operations/lockup/subgraph/link.graphql"));
        write(FILE, RECENT.replace("id ", "sender "));
      },
    ],
    [
      "a missing snapshot",
      ({ remove }) => remove("generated/schemas/lockup/subgraph.graphql"),
      /^lockflow: There is no snapshot of lockup in subgraph style/,
      ({ write }) =>
        write(
          "generated/schemas/lockup/subgraph.graphql",
          snapshotText("subgraph", SMALL_ENTITIES.replace("depositAmount: BigInt!", "depositAmount: Int!")),
        ),
    ],
    [
      "a removed folder of operations",
      ({ remove }) => remove("operations"),
      /^lockflow: There are no operations in operations\//,
      ({ write }) => write(FILE, RECENT.replace("id ", "sender ")),
    ],
  ])(
    "reports %s, keeps the generated files, and continues when it is fixed",
    async (_, spoil, said, mend) => {
      const given = project();
      const watch = await startWatch(given.root);
      const before = given.files("generated/lockup");
      spoil(given);
      expect(await watch.next()).toMatch(said);
      expect(given.files("generated/lockup")).toEqual(before);
      mend(given);
      expect(await watch.next()).toMatch(/changed: wrote/);
      if (IS_THOROUGH) await expectFreshOutput(given);
      expect(await watch.stop()).toBe(0);
    },
  );

  it("starts with errors, and continues when they are fixed", async () => {
    const given = generatedProject({ "subgraph/recent.graphql": "{" });
    const config = given.read("lockflow.config.json");
    given.write("lockflow.config.json", "{");
    const watch = await startWatch(given.root);
    expect(watch.first).toMatch(/could not be loaded/);
    given.write("lockflow.config.json", config);
    expect(await watch.next()).toMatch(/operation\/syntax/);
    given.write(FILE, RECENT);
    expect(await watch.next()).toMatch(/changed: wrote/);
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

  it.runIf(IS_THOROUGH)(
    "reloads a configuration in JavaScript, which Node itself would load only once",
    async () => {
      const given = project();
      const script = (type: string) =>
        `export default { protocols: ["lockup"], scalars: { BigInt: await "${type}" } };`;
      given.write("lockflow.config.mjs", script("`${number}`"));
      const watch = await startWatch(given.root);
      given.write("lockflow.config.mjs", script("`${bigint}`"));
      expect(await watch.next()).toMatch(/^lockflow\.config\.mjs changed: wrote/);
      expect(given.read(DOCUMENTS)).toContain("depositAmount: `${bigint}`");
      given.write("lockflow.config.mjs", "export default {");
      expect(await watch.next()).toMatch(/lockflow\.config\.mjs could not be loaded/);
      given.write("lockflow.config.mjs", script("`${number}`"));
      expect(await watch.next()).toMatch(/^lockflow\.config\.mjs changed: wrote/);
      await expectFreshOutput(given);
    },
  );

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

  it("ignores its own output, and files that were only touched", async () => {
    const given = project();
    const watch = await startWatch(given.root);
    given.write(FILE, RECENT.replace("id ", "sender "));
    await watch.next();
    utimesSync(join(given.root, FILE), new Date(), new Date(2_000_000_000_000));
    given.write("operations/lockup/subgraph/notes.txt", "no operation");
    await watch.quiet();
    expect(watch.output()).toBe("");
  });

  it("detects a second write of the same size within one clock tick", async () => {
    const given = project();
    const watch = await startWatch(given.root);
    const tick = new Date();
    for (const name of ["RecentA", "RecentB"]) {
      given.write(FILE, RECENT.replace("Recent", name));
      utimesSync(join(given.root, FILE), tick, tick);
      expect(await watch.next()).toMatch(/changed: wrote/);
      expect(given.read(DOCUMENTS)).toContain(`${name}Query`);
    }
  });

  it("follows links to files and to folders", async () => {
    const given = project();
    const elsewhere = tempProject({
      "one.graphql": "query One { streams { id } }",
      "more/two.graphql": "query Two { streams { id } }",
    });
    symlinkSync(
      join(elsewhere.root, "one.graphql"),
      join(given.root, "operations/lockup/subgraph/one.graphql"),
    );
    symlinkSync(join(elsewhere.root, "more"), join(given.root, "operations/lockup/subgraph/more"));
    const watch = await startWatch(given.root);
    elsewhere.write("one.graphql", "query Uno { streams { id } }");
    expect(await watch.next()).toMatch(/subgraph\/one\.graphql changed: wrote/);
    elsewhere.write("more/three.graphql", "query Tres { streams { id } }");
    expect(await watch.next()).toMatch(/subgraph\/more\/three\.graphql changed: wrote/);
    expect(given.read(DOCUMENTS)).toMatch(/TresQuery[\s\S]*TwoQuery[\s\S]*UnoQuery/);
  });

  it("reports that the output cannot be written, and continues when it can", async () => {
    const given = project();
    const watch = await startWatch(given.root);
    // A folder in a file's place cannot be overwritten, not even by root.
    rmSync(join(given.root, DOCUMENTS));
    mkdirSync(join(given.root, DOCUMENTS));
    given.write(FILE, RECENT.replace("id ", "sender "));
    expect(await watch.next()).toMatch(/^lockflow: .*subgraph\.ts cannot be written \(EISDIR\)/);
    rmSync(join(given.root, DOCUMENTS), { recursive: true });
    given.write(FILE, RECENT.replace("id ", "id sender "));
    expect(await watch.next()).toMatch(/changed: wrote/);
    expect(given.files("generated")).toEqual(await freshOutput(given));
  });

  it("writes the output of `generate` after any edits", async () => {
    const place = fc.constantFrom("lockup/subgraph", "lockup/multichain", "flow/subgraph");
    const file = fc
      .tuple(place, fc.constantFrom("a", "b", "deep/c"))
      .map(([folder, name]) => `operations/${folder}/${name}.graphql`);
    const fields = fc.subarray(["id", "sender", "category", "depositAmount", "nope"], { minLength: 1 });
    const edit = fc.oneof<fc.MaybeWeightedArbitrary<Edit>[]>(
      { weight: 6, arbitrary: fc.tuple(file, fields).map(writeOperation) },
      {
        weight: 2,
        arbitrary: file.map(
          (path) =>
            ({ root }) =>
              rmSync(join(root, path), { force: true }),
        ),
      },
      {
        weight: 1,
        arbitrary: file.map(
          (path) =>
            ({ write }) =>
              write(path, "{"),
        ),
      },
      {
        weight: 1,
        arbitrary: place.map((folder) => ({ root }) => {
          rmSync(join(root, "operations", folder), { recursive: true, force: true });
        }),
      },
      { weight: 1, arbitrary: fc.constantFrom("BigInt", "Int", "String").map(replaceSnapshots) },
      { weight: 1, arbitrary: fc.constantFrom("`${bigint}`", "string").map(configure) },
      { weight: 2, arbitrary: fc.nat(25).map((milliseconds) => () => pause(milliseconds)) },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(edit, { minLength: 3, maxLength: 12 }), async (edits) => {
        const given = project();
        const watch = await startWatch(given.root);
        for (const apply of edits) await apply(given);
        // The final state is always valid.
        rmSync(join(given.root, "operations"), { recursive: true, force: true });
        given.write(FILE, RECENT);
        if (edits.length % 2 === 0) given.write("operations/lockup/multichain/z.graphql", RECENT_MULTICHAIN);
        await expectFreshOutput(given);
        expect(await watch.stop()).toBe(0);
      }),
      { numRuns: runs(1, 20) },
    );
  });
});

type Edit = (project: TempProject) => unknown;

function writeOperation([path, fields]: readonly [path: string, fields: readonly string[]]): Edit {
  const name = `Q${path.replaceAll(/\W/g, "")}`;
  const root = path.includes("multichain") ? "Stream" : "streams";
  return ({ write }) => write(path, `query ${name} { ${root} { ${fields.join(" ")} } }`);
}

function replaceSnapshots(type: string): Edit {
  const entities = SMALL_ENTITIES.replace("depositAmount: BigInt!", `depositAmount: ${type}!`);
  return ({ write }) => {
    for (const style of ["subgraph", "multichain"] as const) {
      write(`generated/schemas/lockup/${style}.graphql`, snapshotText(style, entities));
    }
  };
}

function configure(type: string): Edit {
  const config = { protocols: ["lockup"], scalars: { BigInt: type } };
  return ({ write }) => write("lockflow.config.json", JSON.stringify(config));
}
