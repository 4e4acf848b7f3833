import { describe, expect, it } from "vitest";
import { addScripts } from "../../../src/tasks/init/edit-package.ts";

const ONE = [{ name: "check", command: "lockflow check" }];
const TWO = [{ name: "generate", command: "lockflow generate" }, ...ONE];

describe("addScripts", () => {
  it.each<[name: string, text: string, want: string]>([
    [
      "after existing scripts",
      '{\n  "name": "a",\n  "scripts": {\n    "build": "x"\n  },\n  "files": ["a", "b"]\n}\n',
      '{\n  "name": "a",\n  "scripts": {\n    "build": "x",\n    "check": "lockflow check"\n  },\n  "files": ["a", "b"]\n}\n',
    ],
    [
      "with tabs, CRLF and no final line break",
      '{\r\n\t"scripts": {\r\n\t\t"build": "x"\r\n\t}\r\n}',
      '{\r\n\t"scripts": {\r\n\t\t"build": "x",\r\n\t\t"check": "lockflow check"\r\n\t}\r\n}',
    ],
    [
      "after a byte order mark",
      '\uFEFF{\n    "scripts": {}\n}\n',
      '\uFEFF{\n    "scripts": {\n        "check": "lockflow check"\n    }\n}\n',
    ],
    [
      "without existing scripts",
      '{\n  "name": "a"\n}\n',
      '{\n  "name": "a",\n  "scripts": {\n    "check": "lockflow check"\n  }\n}\n',
    ],
    ["in one line", '{"name":"a"}', '{"name":"a", "scripts": { "check": "lockflow check" }}'],
    [
      "in one line, after another",
      '{ "scripts": { "build": "x" } }\n',
      '{ "scripts": { "build": "x", "check": "lockflow check" } }\n',
    ],
    [
      "to scripts on one line in a file of several lines",
      '{\n  "scripts": { "build": "x" },\n  "a": 1\n}\n',
      '{\n  "scripts": { "build": "x", "check": "lockflow check" },\n  "a": 1\n}\n',
    ],
    ["to an empty object", "{}", '{\n  "scripts": {\n    "check": "lockflow check"\n  }\n}'],
    ["to an empty package", "{\n}\n", '{\n  "scripts": {\n    "check": "lockflow check"\n  }\n}\n'],
    [
      "after strings that look like scripts",
      '{\n  "a": "\\"scripts\\": {",\n  "b": { "scripts": { "c": "}" } },\n  "scripts": {\n    "d": "{"\n  }\n}\n',
      '{\n  "a": "\\"scripts\\": {",\n  "b": { "scripts": { "c": "}" } },\n  "scripts": {\n    "d": "{",\n    "check": "lockflow check"\n  }\n}\n',
    ],
    [
      "to the last of two scripts objects",
      '{\n  "scripts": {},\n  "scripts": {\n    "a": "b"\n  }\n}\n',
      '{\n  "scripts": {},\n  "scripts": {\n    "a": "b",\n    "check": "lockflow check"\n  }\n}\n',
    ],
  ])("adds %s", (_, text, want) => {
    expect(addScripts(text, ONE)).toBe(want);
    expect(scriptsOf(want)).toMatchObject({ check: "lockflow check" });
  });

  it("adds several, in their order", () => {
    const edited = addScripts('{\n  "scripts": {\n    "a": "b"\n  }\n}\n', TWO);
    expect(Object.keys(scriptsOf(edited))).toEqual(["a", "generate", "check"]);
  });

  it("changes nothing without scripts to add", () => {
    expect(addScripts('{"a" :1}', [])).toBe('{"a" :1}');
  });
});

function scriptsOf(text: string): Record<string, string> {
  return JSON.parse(text.replace(/^\uFEFF/, "")).scripts;
}
