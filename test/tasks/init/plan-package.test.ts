import { expect, it } from "vitest";
import type { Runtime } from "../../../src/dialects/surface.ts";
import { parsePackage } from "../../../src/tasks/init/detect-repository.ts";
import { planPackage } from "../../../src/tasks/init/plan-package.ts";

/** The scripts and the dependency after the members of a package, without its other members. */
const SCRIPTS = '"generate": "lockflow generate",\n    "check": "lockflow check"\n  }';
const CLIENT = '"dependencies": {\n    "lockflow-client": "^0.1.0"\n  }\n}\n';

function plan(text: string, runtime: Runtime = "package") {
  const own = parsePackage(text);
  return planPackage({ package: own, dependencies: own.dependencies }, runtime);
}

it.each<[name: string, text: string, want: string]>([
  ["to an empty object", "{}", `{\n  "scripts": {\n    ${SCRIPTS},\n  ${CLIENT}`],
  [
    "in one line",
    '{"name":"a","files":["b"]}',
    `{\n  "name": "a",\n  "files": [\n    "b"\n  ],\n  "scripts": {\n    ${SCRIPTS},\n  ${CLIENT}`,
  ],
  [
    "after existing members",
    '{\n  "scripts": {\n    "build": "x"\n  },\n  "dependencies": {\n    "a": "1"\n  },\n  "type": "module"\n}\n',
    `{\n  "scripts": {\n    "build": "x",\n    ${SCRIPTS},\n  "dependencies": {\n    "a": "1",\n    "lockflow-client": "^0.1.0"\n  },\n  "type": "module"\n}\n`,
  ],
  [
    "with tabs and CRLF, without the byte order mark",
    '\uFEFF{\r\n\t"name": "a"\r\n}',
    `{\n  "name": "a",\n  "scripts": {\n    ${SCRIPTS},\n  ${CLIENT}`
      .replaceAll("  ", "\t")
      .replaceAll("\n", "\r\n"),
  ],
  [
    "to the last of two sections",
    '{\n "scripts": {},\n "scripts": {\n  "a": "{"\n }\n}',
    `{\n  "scripts": {\n    "a": "{",\n    ${SCRIPTS},\n  ${CLIENT}`.replaceAll("  ", " "),
  ],
])("planPackage adds members %s", (_, text, want) => {
  expect(plan(text).content).toBe(want);
});

it.each<[name: string, fields: object, runtime: Runtime, added: string[], notes: string[]]>([
  ["a complete package", { scripts: { g: "lockflow generate", c: "lockflow check" } }, "emit", [], []],
  [
    "a taken name",
    { scripts: { generate: "prisma generate", c: "lockflow check" } },
    "emit",
    ['"lockflow:generate": "lockflow generate"'],
    ['has a script "generate" already, so the new one is "lockflow:generate"'],
  ],
  [
    "two taken names",
    { scripts: { check: "a", "lockflow:check": "b", g: "lockflow generate" } },
    "emit",
    [],
    ["has no free name for a script of `lockflow check`"],
  ],
  [
    "the client of another kind of dependency",
    {
      scripts: { g: "lockflow generate", c: "lockflow check" },
      devDependencies: { "lockflow-client": "1" },
    },
    "package",
    [],
    [],
  ],
])("planPackage plans for %s", (_, fields, runtime, added, notes) => {
  expect(plan(JSON.stringify(fields), runtime)).toMatchObject({ added, notes });
});
