import { relative } from "node:path";
import { expect, it } from "vitest";
import { createProject } from "../port/fixtures.ts";
import { run } from "../support/run.ts";
import { tempProject } from "../support/temp-project.ts";

const FILES = {
  "src/a.graphql": "query A { streams(first: 1) { id } }",
  "src/b.ts": "export const B = gql`query B { Stream(distinct_on: [alias], limit: 1) { id } }`;",
  "src/c.ts": "const head = fetch(URL, { body: `query { _meta { block { number } } }` });",
};

it("prints a diff and a table, writes with --write, and exits with 0", async () => {
  const project = createProject(FILES);
  const args = ["port", "src", "--no-proof"];
  const { code, out, err } = await run(project.root, args);
  expect({ code, err }).toEqual({ code: 0, err: "" });
  expect(out).toContain("+query A { streams(first: 1) { id } }\n");
  expect(out).toMatch(
    /^A +portable +operations\/lockup\/portable\/a\.graphql +src\/a\.graphql:1 \(lockup\/subgraph\)$/m,
  );
  expect(out).toMatch(
    /^B\n {2}import \{ BDocument \} from "..\/generated\/lockup\/multichain.js";\n {2}\S.*\[port\/argument\]$/m,
  );
  expect(out).toMatch(/1 portable, 1 kept by style, 0 refused\.\n\nNothing was written: add --write\.\n$/);
  const written = await run(project.root, [...args, "--write"]);
  expect(written).toMatchObject({ code: 0, err: "" });
  expect(written.out).not.toContain("+++");
  expect(written.out).toContain("2 files written. Run `lockflow generate`.");
  expect(project.read("operations/lockup/portable/a.graphql")).toBe(`${FILES["src/a.graphql"]}\n`);
  // The files exist now.
  expect((await run(project.root, [...args, "--write"])).out).toContain("No file had to be changed.");
});

it("prints the documented JSON, and exits with 1 if a document is rejected", async () => {
  const project = createProject({
    ...FILES,
    "src/broken.graphql": "query C {\n  streams(",
    "src/binary.graphql": "query D { \u0000 }",
    "operations/lockup/portable/a.graphql": "query Other { streams(first: 2) { id } }\n",
  });
  const { code, out, err } = await run(project.root, ["port", "src", "--json", "--write", "--no-proof"]);
  expect({ code, err }).toEqual({ code: 1, err: "" });
  const { operations, others } = JSON.parse(out);
  const rest = { holes: [], usage: [], differences: [], proof: null };
  expect(others).toEqual([
    {
      file: "src/c.ts",
      line: 1,
      name: "C",
      code: "port/health",
      message: expect.stringContaining("`health`"),
    },
  ]);
  expect(operations).toEqual([
    {
      name: "A",
      result: "portable",
      to: "operations/lockup/portable/a-2.graphql",
      reasons: [],
      from: [{ file: "src/a.graphql", line: 1, surface: "lockup/subgraph" }],
      ...rest,
    },
    {
      name: "B",
      result: "style",
      to: "operations/lockup/multichain/b.graphql",
      reasons: expect.arrayContaining([
        { code: "port/argument", message: expect.stringMatching(/^The argument `distinct_on`/) },
      ]),
      from: [{ file: "src/b.ts", line: 1, surface: "lockup/multichain" }],
      ...rest,
      usage: ['import { BDocument } from "../generated/lockup/multichain.js";'],
    },
    {
      name: "Binary",
      result: "refused",
      to: null,
      reasons: [{ code: "port/unreadable", message: "The file is not UTF-8 text." }],
      from: [{ file: "src/binary.graphql", line: 1, surface: null }],
      ...rest,
    },
    {
      name: "Broken",
      result: "refused",
      to: null,
      reasons: [{ code: "operation/syntax", message: expect.stringContaining("Expected Name") }],
      from: [{ file: "src/broken.graphql", line: 2, surface: null }],
      ...rest,
    },
  ]);
  // A file with other content stays.
  expect(project.read("operations/lockup/portable/a.graphql")).toContain("Other");
  expect(project.read("operations/lockup/portable/a-2.graphql")).toContain("query A");
});

it("reads files outside of the project, and names that look like globs", async () => {
  const outer = tempProject({ "q.ts": "export const Q = gql`query Q { streams(first: 3) { id } }`;\n" });
  const project = createProject({ "app/[id]/(main)/c.graphql": "query C { streams(first: 1) { id } }" });
  const args = ["app/[id]/(main)/c.graphql", `${relative(project.root, outer.root)}/*.ts`];
  const { code, out } = await run(project.root, ["port", ...args, "--no-proof", "--write"]);
  expect(code).toBe(0);
  expect(out).toContain("operations/lockup/portable/q.graphql");
  expect(out).toContain("operations/lockup/portable/c.graphql");
  expect(outer.read("q.ts")).toContain("gql`");
});

it.each<[name: string, args: readonly string[], want: RegExp]>([
  ["no file", ["none/**/*.ts"], /No file matches "none\/\*\*\/\*\.ts"/],
  ["a glob without a file", ["src", "none"], /No file matches "none"/],
  ["no glob", [], /needs a glob/],
  ["an unknown flag", ["src", "--moon"], /--moon/],
  ["an unknown protocol", ["src", "--protocol", "moon"], /moon/],
  ["an unknown environment of the proof", ["src", "--against", "staging"], /staging/],
])("exits with 2 and writes nothing: %s", async (_, args, want) => {
  const project = createProject(FILES);
  const before = project.files();
  const { code, out, err } = await run(project.root, ["port", ...args, "--write"]);
  expect({ code, out }).toEqual({ code: 2, out: "" });
  expect(err).toMatch(want);
  expect(project.files()).toEqual(before);
});
