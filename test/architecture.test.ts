import { describe, expect, it } from "vitest";
import { STYLE_NAMES } from "../src/project/vocabulary.ts";
import {
  anyTypes,
  findCycles,
  importsOf,
  isFile,
  loadsOf,
  nonNullAssertions,
  parseSource,
  readSources,
  type Source,
  styleComparisons,
  usesOfGlobal,
} from "./support/source-facts.ts";

/**
 * The rooms of both source trees from the street down to the cellar, and the rooms each opens a door to. Every door
 * leads to a later row, and every door of this table is used: one that nobody walks through any more is walled up.
 * Rooms of `src/` are named without it.
 */
const DOORS: readonly (readonly [room: string, doors: string])[] = [
  ["cli.ts", "cli base"],
  ["index.ts", "api.ts load-emulator.ts project base"],
  ["codegen.ts", "generate styles/index.ts snapshots report project base"],
  [
    "cli",
    "api.ts ask repository drift generate compare fleet load-emulator.ts snapshots report styles/index.ts styles/style.ts project runtime base",
  ],
  ["api.ts", "api drift generate compare fleet report styles/index.ts project base"],
  ["api", "ask drift generate styles/index.ts styles/style.ts schema project runtime base"],
  [
    "ask",
    "generate portable load-emulator.ts snapshots report styles/index.ts styles/style.ts schema project runtime base",
  ],
  [
    "repository",
    "generate fleet load-emulator.ts snapshots report styles/index.ts styles/style.ts schema project base",
  ],
  [
    "drift",
    "generate compare fleet load-emulator.ts snapshots report styles/index.ts styles/style.ts schema project base",
  ],
  ["generate", "portable snapshots report styles/index.ts styles/style.ts schema project runtime base"],
  ["portable", "report styles/index.ts styles/style.ts schema project base"],
  ["compare", "report styles/style.ts schema project base"],
  ["fleet", "load-emulator.ts snapshots report styles/index.ts styles/style.ts schema project base"],
  // The only file of the toolkit that names the emulator's tree, and the only one that loads it: late.
  ["load-emulator.ts", "emulator/toolkit.ts emulator/server emulator/faults emulator/styles"],
  [
    "emulator/index.ts",
    "emulator/server emulator/faults emulator/custom emulator/adapters emulator/indexers",
  ],
  ["emulator/toolkit.ts", "emulator/server emulator/styles/index.ts"],
  [
    "emulator/server",
    "emulator/faults emulator/custom emulator/adapters emulator/indexers emulator/dataset emulator/styles styles/index.ts project base",
  ],
  [
    "emulator/faults",
    "emulator/adapters emulator/indexers emulator/dataset emulator/styles styles/index.ts schema project base",
  ],
  [
    "emulator/custom",
    "emulator/indexers emulator/dataset emulator/styles/index.ts emulator/styles styles/index.ts styles/style.ts schema project base",
  ],
  [
    "emulator/adapters",
    "emulator/page emulator/indexers emulator/styles/subgraph emulator/styles project base",
  ],
  ["emulator/page", "base"],
  [
    "emulator/indexers",
    "emulator/dataset emulator/styles/index.ts emulator/styles styles/index.ts schema project base",
  ],
  ["emulator/dataset", "emulator/styles schema project base"],
  ["emulator/styles/index.ts", "emulator/styles/multichain emulator/styles/subgraph emulator/styles project"],
  ["emulator/styles/multichain", "emulator/styles styles/multichain schema base"],
  ["emulator/styles/subgraph", "emulator/styles styles/subgraph schema base"],
  ["emulator/styles", "styles/style.ts schema"],
  ["snapshots", "report schema project base"],
  ["report", "styles/style.ts project base"],
  ["styles/index.ts", "styles/multichain styles/subgraph styles/style.ts project"],
  ["styles/multichain", "styles/style.ts schema base"],
  ["styles/subgraph", "styles/style.ts schema base"],
  ["styles/style.ts", "schema project"],
  ["schema", "base"],
  ["project", "runtime base"],
  ["runtime", ""],
  ["base", ""],
];

/** The rooms that may load a package; any room may load `graphql`. */
const PACKAGES: Readonly<Record<string, readonly string[]>> = {
  "@graphql-codegen/cli": ["codegen.ts"],
  "@graphql-codegen/plugin-helpers": ["codegen.ts"],
  // What is built holds what it made, and not the package.
  esbuild: ["report"],
  // A file of graphql, which is quicker to load than all of it.
  "graphql/jsutils/suggestionList.js": ["base"],
  jiti: ["cli", "project"],
  // Its types alone: who wants it installs it, and it is loaded from there.
  "lockflow-graph-node": ["emulator/indexers"],
  minimatch: ["generate"],
  "ts-morph": ["generate", "repository"],
  valibot: ["ask", "base", "drift", "fleet", "project", "report", "snapshots"],
};

/** The files that touch the disk: `base/disk/`, and those that look before anything of it is loaded. */
const ON_DISK = [
  "src/base/disk/create-file-cache.ts",
  "src/base/disk/disk.ts",
  "src/base/disk/finish-interrupted.ts",
  "src/base/disk/open-growing-file.ts",
  "src/base/disk/read-own-file.ts",
  "src/base/disk/read-source-tree.ts",
  "src/base/disk/read-tree.ts",
  "src/base/disk/replace-files.ts",
  "src/base/disk/require-writable.ts",
  "src/base/disk/survey-folder.ts",
  "src/base/disk/unfinished-run.ts",
  "src/base/disk/write-files.ts",
  "src/generate/project-cache.ts",
  "src/project/load-project.ts",
  "src/project/require-output-inside.ts",
  "src/repository/init/survey-disk.ts",
];

/** The files that touch the wire: what asks, and the emulator that answers. */
const ON_THE_WIRE = [
  "emulator/indexers/start-node-engine.ts",
  "emulator/server/hold-closed-port.ts",
  "emulator/server/listen.ts",
  "src/fleet/post-graphql.ts",
];

const sources = readSources();

describe("the rooms", () => {
  const rooms = DOORS.map(([room]) => room);

  it("lie in one order: every door leads down", () => {
    for (const [index, [room, doors]] of DOORS.entries()) {
      for (const door of split(doors))
        expect(rooms.indexOf(door), `${room} → ${door}`).toBeGreaterThan(index);
    }
  });

  it("have the doors of the table and no other", () => {
    const used = new Map(rooms.map((room) => [room, new Set<string>()]));
    for (const source of sources) {
      const room = roomOf(source.path);
      for (const path of importsOf(source).filter(isFile)) {
        if (roomOf(path) !== room) used.get(room)?.add(roomOf(path));
      }
    }
    expect(Object.fromEntries([...used].map(([room, doors]) => [room, [...doors].sort()]))).toEqual(
      Object.fromEntries(DOORS.map(([room, doors]) => [room, split(doors).sort()])),
    );
  });

  it("hold every file", () => {
    expect(sources.map(({ path }) => path).filter((path) => !rooms.includes(roomOf(path)))).toEqual([]);
  });

  it("have no two files that need each other", () => {
    expect(findCycles(graphOf(sources))).toEqual([]);
  });

  it("keep the styles apart", () => {
    const crossing = sources.flatMap((source) =>
      importsOf(source)
        .filter((path) => [path, source.path].every((one) => STYLE_FOLDER.test(one)))
        .filter((path) => STYLE_FOLDER.exec(path)?.[1] !== STYLE_FOLDER.exec(source.path)?.[1])
        .map((path) => `${source.path} → ${path}`),
    );
    expect(crossing).toEqual([]);
  });

  it("load the packages of the table and no other", () => {
    const users: Record<string, string[]> = {};
    for (const source of sources) {
      for (const specifier of importsOf(source)) {
        if (isFile(specifier) || specifier.startsWith("node:") || specifier === "graphql") continue;
        users[specifier] = [...new Set([...(users[specifier] ?? []), roomOf(source.path)])].sort();
      }
    }
    expect(users).toEqual(PACKAGES);
  });
});

describe("the edges of the house", () => {
  it.each([
    ["the disk", /^node:fs\b/, ON_DISK],
    ["the wire", /^node:(https?2?|net|tls|dns|dgram)\b/, ON_THE_WIRE],
    ["other processes", /^node:(child_process|cluster|worker_threads)\b/, ["src/base/disk/ask-git.ts"]],
    ["the machine", /^node:(os|process)\b/, ["src/base/disk/this-process.ts"]],
  ])("touch %s only where that is the task", (_, pattern, want) => {
    const users = sources.filter((source) => loadsOf(source).some((specifier) => pattern.test(specifier)));
    expect(users.map(({ path }) => path)).toEqual(want);
  });

  it.each([
    ["console", []],
    // It follows redirects, and a key with them.
    ["fetch", []],
    // The stock command gives a configuration no folder to start from but its own; what a killed process had begun is
    // known by its number.
    ["process", ["src/base/disk/this-process.ts", "src/cli.ts", "src/codegen.ts"]],
  ])("use %s only in %j", (name, want) => {
    const users = sources.filter((source) => usesOfGlobal(source, name).length > 0);
    expect(users.map(({ path }) => path)).toEqual(want);
  });

  it("ask a style for what it is, and not for its name, outside styles/", () => {
    const found = sources
      .filter(({ path }) => !/^(src|emulator)\/styles\//.test(path))
      .flatMap((source) => styleComparisons(source, STYLE_NAMES))
      .map((line) => line.replace(/:\d+/, ""));
    expect(found).toEqual([]);
  });
});

describe("every file", () => {
  it("has at most 350 lines", () => {
    const long = sources.filter(({ text }) => text.trimEnd().split("\n").length > 350);
    expect(long.map(({ path }) => path)).toEqual([]);
  });

  it("says what it handles: no any", () => {
    expect(sources.flatMap(anyTypes)).toEqual([]);
  });

  it("proves what is there: no !", () => {
    expect(sources.flatMap(nonNullAssertions)).toEqual([]);
  });
});

describe("the rules themselves", () => {
  const of = (text: string) => parseSource("a/file.ts", text);

  it.each<[name: string, found: (source: Source) => unknown[], yes: string, no: string]>([
    ["an import", importsOf, 'import { a } from "../b/a.ts";', '// import { a } from "../b/a.ts";'],
    ["an import of types", importsOf, 'import type { A } from "graphql";', 'const a = "graphql";'],
    ["an export from elsewhere", importsOf, 'export * from "./a.ts";', "export const a = 1;"],
    ["an import on demand", importsOf, 'await import("./a.ts");', "await load();"],
    ["an import inside a type", importsOf, 'type A = import("./a.ts").A;', "type A = B;"],
    [
      "a load",
      loadsOf,
      'import { a } from "a";',
      'import type { a } from "a"; export type { b } from "b"; type C = import("c").C;',
    ],
    ["a load of everything", loadsOf, 'export * from "a";', 'export type * from "a";'],
    ["a global", (s) => usesOfGlobal(s, "console"), "console.log(1);", 'log.console("console"); // console'],
    ["a global as a member", (s) => usesOfGlobal(s, "process"), "globalThis.process.exit();", "a.process();"],
    ["a global call", (s) => usesOfGlobal(s, "fetch"), "fetch(url);", "const fetch = of(a); fetch(url);"],
    ["a comparison", (s) => styleComparisons(s, STYLE_NAMES), 'a === "subgraph"', 'const a = "subgraph"'],
    [
      "a negation",
      (s) => styleComparisons(s, STYLE_NAMES),
      '"multichain" !== b.style',
      "a.style === b.style",
    ],
    ["a case", (s) => styleComparisons(s, STYLE_NAMES), 'switch (a) { case "subgraph": }', "switch (a) {}"],
    ["any", anyTypes, "let a: Record<string, any[]>;", 'let any = "any"; let a: unknown; // any'],
    ["an assertion", nonNullAssertions, "a.b!.c", "!a && a != b"],
    ["an assertion in a class", nonNullAssertions, "class A { b!: string }", "class A { b = !1 }"],
  ])("see %s", (_, found, yes, no) => {
    expect(found(of(yes))).toHaveLength(1);
    expect(found(of(no))).toEqual([]);
  });

  it.each([
    ["none", { a: ["b", "c"], b: ["c"] }, []],
    ["two files", { a: ["b"], b: ["a"], c: ["a"] }, [["a", "b"]]],
    ["a file with itself", { a: ["a"] }, [["a"]]],
    [
      "two rings",
      { a: ["b"], b: ["c"], c: ["a", "d"], d: ["e"], e: ["d"] },
      [
        ["a", "b", "c"],
        ["d", "e"],
      ],
    ],
  ])("see cycles: %s", (_, edges, want) => {
    expect(findCycles(new Map(Object.entries(edges)))).toEqual(want);
  });
});

function graphOf(all: readonly Source[]): Map<string, string[]> {
  return new Map(all.map((source) => [source.path, importsOf(source).filter(isFile)]));
}

/** The folder of a style in either tree. */
const STYLE_FOLDER = /\bstyles\/(\w+)\//;

/**
 * A folder of a tree, or a file that lies in none; in `styles/` a style's own folder or a file. Those of `src/` are
 * named without it, and what the emulator's styles share is one room.
 */
function roomOf(path: string): string {
  const [tree, first = "", second = ""] = path.split("/");
  const isShared = tree === "emulator" && second.endsWith(".ts") && second !== "index.ts";
  const room = first === "styles" && !isShared ? `${first}/${second}` : first;
  return tree === "src" ? room : `${tree}/${room}`;
}

function split(doors: string): string[] {
  return doors.split(" ").filter((door) => door !== "");
}
