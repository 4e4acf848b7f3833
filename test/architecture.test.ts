import { describe, expect, it } from "vitest";
import { STYLE_NAMES } from "../src/dialects/surface.ts";
import { readRepositoryFile } from "./support/repository.ts";
import {
  anyTypes,
  findCycles,
  importsOf,
  isFile,
  loadsOf,
  nonNullAssertions,
  reachableFrom,
  readSources,
  type Source,
  styleComparisons,
  usesOfGlobal,
} from "./support/source-facts.ts";

/**
 * The rooms of the source trees from top to bottom, and the rooms that each may import. Every import is from a later
 * row, and each entry is used. Rooms of `src/` are named without it.
 */
const ROOMS: readonly (readonly [room: string, imports: string])[] = [
  ["index.ts", "tasks ask port compare fleet project report dialects base"],
  ["codegen.ts", "generate workspace project report dialects base"],
  ["cli", "tasks ask port compare fleet workspace project report dialects base"],
  ["tasks", "compare fleet generate workspace operations project report dialects base"],
  ["ask", "fleet generate workspace operations project report dialects base client"],
  ["port", "fleet generate workspace operations project report dialects base client"],
  ["compare", "workspace operations project report dialects base"],
  [
    "fleet",
    "workspace project report dialects base client emulator/toolkit.ts emulator/server emulator/faults emulator/styles",
  ],
  ["generate", "workspace operations project report dialects base client"],
  ["workspace", "operations project report dialects base"],
  ["operations", "project report dialects base client"],
  [
    "emulator/index.ts",
    "emulator/server emulator/faults emulator/custom emulator/adapters emulator/indexers",
  ],
  ["emulator/toolkit.ts", "emulator/server emulator/styles"],
  [
    "emulator/server",
    "emulator/faults emulator/custom emulator/adapters emulator/indexers emulator/dataset emulator/styles project dialects base",
  ],
  [
    "emulator/faults",
    "emulator/adapters emulator/indexers emulator/dataset emulator/styles project dialects base",
  ],
  ["emulator/custom", "emulator/indexers emulator/dataset emulator/styles dialects base"],
  ["emulator/adapters", "emulator/page emulator/indexers emulator/styles dialects base"],
  ["emulator/page", "base"],
  ["emulator/indexers", "emulator/dataset emulator/styles project dialects base"],
  ["emulator/dataset", "emulator/styles project dialects base"],
  ["emulator/styles", "dialects base"],
  ["project", "dialects base client"],
  ["report", "dialects base"],
  ["dialects", "base client"],
  ["base", ""],
  ["client", ""],
];

/** Sibling rooms, which do not import each other. */
const SIBLINGS = ["compare", "fleet", "generate"];

/** The commands of the core, which `ARCHITECTURE.md` describes first. */
const CORE = ["accept", "check", "diff", "doctor", "drift", "generate", "init", "introspect"];

/** Files with more than 350 lines. Remove an entry when its file is shorter. */
const LONG: readonly string[] = [];

/** Remaining imports that the table forbids. Remove an entry with its import. */
const EXCEPTIONS: readonly string[] = [];

/** The rooms that may load a package; any room may load `graphql`. */
const PACKAGES: Readonly<Record<string, readonly string[]>> = {
  "@graphql-codegen/cli": ["codegen.ts"],
  "@graphql-codegen/plugin-helpers": ["codegen.ts"],
  diff: ["port", "tasks"],
  // A build contains its own output, not the package.
  esbuild: ["report"],
  // One file of graphql, which loads faster than the whole package.
  "graphql/jsutils/suggestionList.js": ["base"],
  "https-proxy-agent": ["fleet"],
  hyparquet: ["ask"],
  "hyparquet-writer": ["ask"],
  jiti: ["project", "tasks"],
  // Types only: users install the package, and it is loaded on demand.
  "lockflow-graph-node": ["emulator/indexers"],
  minimatch: ["workspace"],
  "ts-morph": ["generate", "operations", "port"],
  valibot: ["ask", "base", "fleet", "project", "report", "tasks", "workspace"],
};

/** The files that access the disk. */
const ON_DISK = [
  ...["create-log", "lock-file", "part-file"].map((name) => `src/ask/export/${name}.ts`),
  "src/base/file-tree.ts",
  "src/base/own-package.ts",
  "src/base/read-files.ts",
  "src/base/write-files.ts",
  "src/project/load-project.ts",
  "src/tasks/init/survey-disk.ts",
  "src/workspace/cache.ts",
  "src/workspace/watch.ts",
];

/** The files that access the network: those that send requests, and the emulator. */
const ON_THE_WIRE = [
  "emulator/indexers/start-node-engine.ts",
  "emulator/server/listen.ts",
  "src/fleet/exchange.ts",
  "src/fleet/tunnel-agent.ts",
  // Compares addresses only.
  "src/project/http-proxy.ts",
];

const sources = readSources();

describe("the rooms", () => {
  const rooms = ROOMS.map(([room]) => room);
  const imports = sources.flatMap((source) =>
    importsOf(source)
      .filter(isFile)
      .map((path) => ({ from: source.path, to: path })),
  );
  const crossesRooms = ({ from, to }: { from: string; to: string }) => roomOf(from) !== roomOf(to);
  const isException = ({ from, to }: { from: string; to: string }) => EXCEPTIONS.includes(`${from} → ${to}`);

  it("are listed in an order in which every import leads down", () => {
    for (const [index, [room, imported]] of ROOMS.entries()) {
      for (const other of split(imported))
        expect(rooms.indexOf(other), `${room} → ${other}`).toBeGreaterThan(index);
    }
  });

  it("do not import their siblings", () => {
    const crossing = ROOMS.filter(([room]) => SIBLINGS.includes(room)).flatMap(([, imported]) =>
      split(imported).filter((other) => SIBLINGS.includes(other)),
    );
    expect(crossing).toEqual([]);
  });

  it("import exactly the rooms in the table", () => {
    const used = new Map(rooms.map((room) => [room, new Set<string>()]));
    for (const one of imports.filter((pair) => crossesRooms(pair) && !isException(pair)))
      used.get(roomOf(one.from))?.add(roomOf(one.to));
    expect(Object.fromEntries([...used].map(([room, others]) => [room, [...others].sort()]))).toEqual(
      Object.fromEntries(ROOMS.map(([room, others]) => [room, split(others).sort()])),
    );
  });

  it("use every exception", () => {
    const pairs = imports.filter(isException).map(({ from, to }) => `${from} → ${to}`);
    expect([...new Set(pairs)].sort()).toEqual([...EXCEPTIONS].sort());
  });

  it("contain every file", () => {
    expect(sources.map(({ path }) => path).filter((path) => !rooms.includes(roomOf(path)))).toEqual([]);
  });

  it("have no import cycles", () => {
    const graph = sources.map(({ path }) => {
      const files = imports.filter((pair) => pair.from === path && !isException(pair)).map(({ to }) => to);
      return [path, files] as const;
    });
    expect(findCycles(new Map(graph))).toEqual([]);
  });

  it("have no imports between styles", () => {
    const crossing = sources.flatMap((source) =>
      importsOf(source)
        .filter((path) => [path, source.path].every((one) => STYLE_FOLDER.test(one)))
        .filter((path) => STYLE_FOLDER.exec(path)?.[1] !== STYLE_FOLDER.exec(source.path)?.[1])
        .map((path) => `${source.path} → ${path}`),
    );
    expect(crossing).toEqual([]);
  });

  it("load exactly the packages in the table", () => {
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

describe("the core", () => {
  const loads = new Map(
    sources
      .filter(({ path }) => path.startsWith("src/"))
      .map((source) => [source.path, loadsOf(source).filter(isFile)]),
  );

  it.each([
    ...CORE.map((task) => [`tasks/${task}.ts`, []] as const),
    ["cli/commands.ts", ["ask", "port"]] as const,
  ])("%s loads, at once or later, of the rooms beside it only %j", (path, rooms) => {
    const loaded = [...reachableFrom(`src/${path}`, loads)];
    const beside = new Set(loaded.map(roomOf).filter((room) => ["ask", "port"].includes(room)));
    expect([...beside].sort()).toEqual(rooms);
  });

  it("has about as many lines as ARCHITECTURE.md states", () => {
    const paths = CORE.map((task) => `src/tasks/${task}.ts`);
    const loaded = new Set([...paths, ...paths.flatMap((path) => [...reachableFrom(path, loads)])]);
    const texts = sources.filter(({ path }) => loads.has(path) && loaded.has(path)).map(({ text }) => text);
    const [, stated = ""] =
      /about ([\d,]+) lines of `src\/`/.exec(readRepositoryFile("ARCHITECTURE.md")) ?? [];
    const lines = texts.join("").split("\n").length;
    expect(Math.abs(lines - Number(stated.replace(",", ""))), String(lines)).toBeLessThan(1500);
  });

  it("loads the emulator through one file", () => {
    const doors = [...loads].filter(([, paths]) => paths.some((path) => path.startsWith("emulator/")));
    expect(doors.map(([path]) => path)).toEqual(["src/fleet/load-emulator.ts"]);
  });
});

describe("sources", () => {
  it.each([
    ["the disk", /^node:fs\b/, ON_DISK],
    ["the wire", /^node:(https?2?|net|tls|dns|dgram)\b/, ON_THE_WIRE],
    ["other processes", /^node:(child_process|cluster|worker_threads)\b/, ["src/base/git.ts"]],
    ["the machine", /^node:(os|process)\b/, ["src/ask/export/lock-file.ts", "src/base/write-files.ts"]],
  ])("access %s only in the listed files", (_, pattern, want) => {
    const users = sources.filter((source) =>
      [importsOf, loadsOf].every((find) => find(source).some((specifier) => pattern.test(specifier))),
    );
    expect(users.map(({ path }) => path)).toEqual(want);
  });

  it.each([
    ["console", []],
    // It would send keys to the target of a redirect.
    ["fetch", []],
    // The stock command gives a configuration no folder except the current one; locks of killed processes are
    // recognized by process id; git gets the variables of this process, except those of hooks.
    ["process", ["src/ask/export/lock-file.ts", "src/base/git.ts", "src/cli/main.ts", "src/codegen.ts"]],
  ])("use %s only in %j", (name, want) => {
    const users = sources.filter((source) => usesOfGlobal(source, name).length > 0);
    expect(users.map(({ path }) => path)).toEqual(want);
  });

  it("do not compare the names of styles outside the folders of styles", () => {
    const found = sources
      .filter(({ path }) => !/^(src\/dialects|emulator\/styles)\//.test(path))
      .flatMap((source) => styleComparisons(source, STYLE_NAMES))
      .map((line) => line.replace(/:\d+/, ""));
    expect(found).toEqual([]);
  });
});

describe("every file", () => {
  it("has at most 350 lines", () => {
    const written = sources.filter(({ text }) => !text.startsWith("// Written by"));
    const long = written.filter(({ text }) => text.trimEnd().split("\n").length > 350);
    expect(long.map(({ path }) => path)).toEqual(LONG);
  });

  it("does not use any", () => {
    expect(sources.flatMap(anyTypes)).toEqual([]);
  });

  it("does not use non-null assertions", () => {
    expect(sources.flatMap(nonNullAssertions)).toEqual([]);
  });
});

describe("the rules of this suite", () => {
  const of = (text: string) => ({ path: "a/file.ts", text });

  it.each<[yes: string, no: string, found: (source: Source) => unknown[]]>([
    ['import { a } from "../b/a.ts";', '// import { a } from "../b/a.ts";', importsOf],
    ['import type { A } from "graphql";', 'const a = "graphql";', importsOf],
    ['export * from "./a.ts";', "export const a = 1;", importsOf],
    ['await import("./a.ts");', "await load();", importsOf],
    ['type A = import("./a.ts").A;', "type A = B;", importsOf],
    ['import { a } from "a";', 'import type { a } from "a"; type C = import("c").C;', loadsOf],
    ['export * from "a";', 'export type * from "a"; export type { b } from "b";', loadsOf],
    ["console.log(1);", 'log.console("console"); // console', (s) => usesOfGlobal(s, "console")],
    ["globalThis.process.exit();", "a.process();", (s) => usesOfGlobal(s, "process")],
    ["fetch(url);", "const fetch = of(a); fetch(url);", (s) => usesOfGlobal(s, "fetch")],
    ['a === "subgraph"', 'const a = "subgraph"', (s) => styleComparisons(s, STYLE_NAMES)],
    ['"multichain" !== b.style', "a.style === b.style", (s) => styleComparisons(s, STYLE_NAMES)],
    ['switch (a) { case "subgraph": }', "switch (a) {}", (s) => styleComparisons(s, STYLE_NAMES)],
    ["let a: Record<string, any[]>;", 'let any = "any"; let a: unknown; // any', anyTypes],
    ["a.b!.c", "!a && a != b", nonNullAssertions],
    ["class A { b!: string }", "class A { b = !1 }", nonNullAssertions],
  ])("detect %s", (yes, no, found) => {
    expect(found(of(yes))).toHaveLength(1);
    expect(found(of(no))).toEqual([]);
  });

  it.each<[edges: Readonly<Record<string, readonly string[]>>, cycles: readonly string[]]>([
    [{ a: ["b", "c"], b: ["c"] }, []],
    [{ a: ["b"], b: ["a"], c: ["a"] }, ["a b"]],
    [{ a: ["a"] }, ["a"]],
    [{ a: ["b"], b: ["c"], c: ["a", "d"], d: ["e"], e: ["d"] }, ["a b c", "d e"]],
  ])("detect the cycles in %j", (edges, want) => {
    expect(findCycles(new Map(Object.entries(edges))).map((cycle) => cycle.join(" "))).toEqual(want);
  });
});

/** The folder of a style in either tree. */
const STYLE_FOLDER = /\b(?:dialects|styles)\/(\w+)\//;

/** The folder below a source tree, or a file directly in it. Rooms of `src/` are named without it. */
function roomOf(path: string): string {
  const [tree, room = ""] = path.split("/");
  if (path.startsWith("packages/client/")) return "client";
  return tree === "src" ? room : `${tree}/${room}`;
}

function split(doors: string): string[] {
  return doors.split(" ").filter((door) => door !== "");
}
