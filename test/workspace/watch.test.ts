import { renameSync, rmSync, symlinkSync, utimesSync } from "node:fs";
import { join, relative } from "node:path";
import { expect, it } from "vitest";
import { loadProject } from "../../src/project/load-project.ts";
import { readGenerationInputs } from "../../src/workspace/generation-inputs.ts";
import { createWatchedProject } from "../../src/workspace/watch.ts";
import { openWorkspace } from "../../src/workspace/workspace.ts";
import { generatedProject, snapshotText } from "../support/generated-project.ts";
import { SMALL_ENTITIES } from "../support/indexer-answers.ts";
import { type TempProject, tempProject } from "../support/temp-project.ts";

const OPERATION = "operations/lockup/subgraph/recent.graphql";
const RECENT = "query Recent { streams { id } }";
const SNAPSHOT = "generated/schemas/lockup/subgraph.graphql";
const CONFIG = "lockflow.config.json";
const CHANGED = snapshotText(
  "subgraph",
  SMALL_ENTITIES.replace("depositAmount: BigInt!", "depositAmount: Int!"),
);

function createProject(config: object = {}): TempProject {
  const project = generatedProject({
    "subgraph/recent.graphql": RECENT,
    "multichain/recent.graphql": "query Recent { Stream { id } }",
  });
  project.write(CONFIG, JSON.stringify({ protocols: ["lockup"], ...config }));
  return project;
}

/** Watches a project. `changes` polls once; `read` reads its inputs as of the last poll, `digest` hashes them. */
async function watch({ root }: TempProject) {
  const watched = createWatchedProject(root, undefined);
  const read = async () => readGenerationInputs(openWorkspace(await watched.resolve(), watched.tree(root)));
  const digest = async () => (await read()).digest;
  watched.poll();
  await watched.resolve().catch(() => {});
  return {
    read,
    digest,
    isCode: (path: string) => watched.isCode(join(root, path)),
    changes: () => watched.poll().map((path) => relative(root, path)),
  };
}

/** Returns the digest of the inputs on disk, as `generate` reads them. */
async function freshDigest({ root }: TempProject): Promise<string> {
  return (await readGenerationInputs(openWorkspace(await loadProject(root)))).digest;
}

type Edit = (project: TempProject) => void;

const write =
  (path: string, text: string): Edit =>
  (project) =>
    project.write(path, text);

it.each<[what: string, edit: Edit, changed: string[]]>([
  ["an edited operation", write(OPERATION, `${RECENT} `), [OPERATION]],
  ["a deleted operation", ({ remove }) => remove(OPERATION), [OPERATION]],
  [
    "an operation in a new folder",
    write("operations/lockup/subgraph/deep/er/b.gql", "query Deep { streams { id } }"),
    ["operations/lockup/subgraph/deep/er/b.gql"],
  ],
  [
    "a file that an editor writes beside it and renames",
    ({ root, write }) => {
      write(`${OPERATION}~`, RECENT.replace("Recent", "Renamed"));
      renameSync(join(root, `${OPERATION}~`), join(root, OPERATION));
    },
    [OPERATION],
  ],
  ["Windows line breaks", write(OPERATION, `${RECENT.replace("{ id", "{\r\n id")}\r\n`), [OPERATION]],
  ["the configuration", write(CONFIG, '{ "protocols": ["lockup"], "brand": "acme" }'), [CONFIG]],
  [
    "another folder of operations",
    (project) => {
      renameSync(join(project.root, "operations"), join(project.root, "queries"));
      project.write(CONFIG, '{ "protocols": ["lockup"], "operations": "queries" }');
    },
    [CONFIG, OPERATION.replace("subgraph", "multichain"), OPERATION],
  ],
  [
    "a configuration that takes precedence",
    write("lockflow.config.ts", 'export default { protocols: ["lockup"], brand: "acme" };'),
    [CONFIG, "lockflow.config.ts"],
  ],
  ["a snapshot", write(SNAPSHOT, CHANGED), [SNAPSHOT]],
  ["files of other tools", write("operations/lockup/subgraph/notes.txt", "no operation"), []],
  ["generated files", write("generated/lockup/subgraph.ts", ""), []],
  [
    "a new time of an equal file",
    ({ root }) => utimesSync(join(root, OPERATION), new Date(), new Date(2_000_000_000_000)),
    [],
  ],
])("a watched project has the inputs on disk after a change of %s", async (_, edit, changed) => {
  const project = createProject();
  const watched = await watch(project);
  const before = await watched.digest();
  edit(project);
  expect(watched.changes()).toEqual(changed);
  expect(await watched.digest()).toBe(await freshDigest(project));
  expect((await watched.digest()) === before).toBe(changed.length === 0);
  expect(watched.changes()).toEqual([]);
});

it("a watched project has the code of `documents`, the ids, and the entities of custom protocols", async () => {
  const project = createProject({
    protocols: { lockup: true, lots: { entities: "lots.graphql", styles: ["multichain"] } },
    documents: ["src/**/*.ts"],
    subgraph: { production: { url: "https://gateway.example/{id}", ids: "ids.csv" } },
  });
  const files = ["ids.csv", "lots.graphql", "src/a.ts"];
  project.write("ids.csv", "protocol,chain,id\nlockup,base,A");
  project.write("lots.graphql", "type Lot @entity { id: ID! }");
  project.write("src/a.ts", "gql`query A { streams { id } }`");
  const watched = await watch(project);
  expect((await watched.digest()).length).toBe(64);
  expect(files.filter(watched.isCode)).toEqual(["src/a.ts"]);
  project.write("node_modules/p/c.ts", "gql`{ nope }`");
  expect(watched.changes()).toEqual([]);
  for (const path of files) {
    project.write(path, project.read(path).replace(/\bA\b|(?=\})/, " B"));
    expect(watched.changes()).toEqual([path]);
    expect(await watched.digest()).toBe(await freshDigest(project));
  }
});

it("a watched project has the files behind links", async () => {
  const project = createProject();
  const elsewhere = tempProject({
    "one.graphql": "query One { streams { id } }",
    "more/two.graphql": "query Two { streams { id } }",
  });
  const folder = "operations/lockup/subgraph";
  symlinkSync(join(elsewhere.root, "one.graphql"), join(project.root, folder, "one.graphql"));
  symlinkSync(join(elsewhere.root, "more"), join(project.root, folder, "more"));
  const watched = await watch(project);
  elsewhere.write("one.graphql", "query Uno { streams { id } }");
  elsewhere.write("more/three.graphql", "query Tres { streams { id } }");
  expect(watched.changes()).toEqual([`${folder}/more/three.graphql`, `${folder}/one.graphql`]);
  expect(await watched.digest()).toBe(await freshDigest(project));
});

it.each<[what: string, spoil: Edit, message: RegExp, repair: Edit]>([
  [
    "an invalid configuration",
    write(CONFIG, "{"),
    /could not be loaded/,
    write(CONFIG, '{ "protocols": ["lockup"] }'),
  ],
  [
    "an invalid file of ids",
    (project) => {
      const production = { url: "https://gateway.example/{id}", ids: "ids.csv" };
      project.write("ids.csv", "chain,id\nbase");
      project.write(CONFIG, JSON.stringify({ protocols: ["lockup"], subgraph: { production } }));
    },
    /ids\.csv:2: the id is missing/,
    write("ids.csv", "chain,id\nbase,AbC"),
  ],
  [
    "a broken link",
    ({ root }) => symlinkSync("nowhere", join(root, "operations/lockup/subgraph/link.graphql")),
    /link\.graphql is a broken link/,
    ({ root }) => rmSync(join(root, "operations/lockup/subgraph/link.graphql")),
  ],
  [
    "a missing snapshot",
    ({ remove }) => remove(SNAPSHOT),
    /no snapshot of lockup in subgraph/,
    write(SNAPSHOT, CHANGED),
  ],
  [
    "a removed folder",
    ({ remove }) => remove("operations"),
    /operations\/ has no operations/,
    write(OPERATION, RECENT),
  ],
])("error: a watched project throws after %s, and has its inputs once that is repaired", async (...given) => {
  const [, spoil, message, repair] = given;
  const project = createProject();
  const watched = await watch(project);
  spoil(project);
  watched.changes();
  await expect(watched.read()).rejects.toThrow(message);
  repair(project);
  watched.changes();
  expect(await watched.digest()).toBe(await freshDigest(project));
});

it("a watched project has each version of a configuration in JavaScript, which Node loads only once", async () => {
  const project = createProject();
  const brand = (name: string) => {
    const script = `export default { protocols: ["lockup"], brand: await "${name}" };`;
    project.write("lockflow.config.mjs", script);
  };
  brand("a");
  const watched = await watch(project);
  const digests = [await watched.digest()];
  for (const name of ["b", "a"]) {
    brand(name);
    expect(watched.changes()).toEqual(["lockflow.config.mjs"]);
    digests.push(await watched.digest());
  }
  expect(digests[1]).not.toBe(digests[0]);
  expect(digests[2]).toBe(digests[0]);
});

it("a project is watched from an invalid configuration on", async () => {
  const project = createProject();
  const config = project.read(CONFIG);
  project.write(CONFIG, "{");
  const watched = await watch(project);
  await expect(watched.read()).rejects.toThrow("could not be loaded");
  project.write(CONFIG, config);
  expect(watched.changes()).toEqual([CONFIG]);
  expect(await watched.digest()).toBe(await freshDigest(project));
});
