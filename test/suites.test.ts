import { posix } from "node:path";
import { describe, expect, it } from "vitest";
import { ALONE, HEAVY, STARTS_PROGRAMS } from "./suites.ts";
import { readRepositoryTree } from "./support/repository.ts";

/** What starts a process, or takes as long: compilers and bundlers. */
const PROGRAM =
  /^(node:child_process|node:worker_threads|typescript|typescript-\d|ts-morph|typedoc|esbuild|rolldown|vite|playwright-core|@graphql-codegen\/cli)$/;

const files = Object.fromEntries(
  ["test", "docs", "bench"].flatMap((folder) =>
    Object.entries(readRepositoryTree(folder)).map(([path, text]) => [`${folder}/${path}`, text]),
  ),
);
const suites = Object.keys(files).filter((path) => path.endsWith(".test.ts"));

describe("the lists of suites", () => {
  it("name suites that there are, each of them once", () => {
    const named = [...ALONE, ...HEAVY];
    expect(named.filter((path) => !suites.includes(path))).toEqual([]);
    expect(named.filter((path, at) => named.indexOf(path) !== at)).toEqual([]);
  });

  it("tell which suites start programs, also through what they import of the tests", () => {
    const starting = suites.filter((path) => !path.startsWith("test/browser/") && startsPrograms(path));
    expect(starting).toEqual([...STARTS_PROGRAMS].sort());
  });
});

function startsPrograms(path: string, seen = new Set<string>()): boolean {
  if (seen.has(path)) return false;
  seen.add(path);
  const imported = [
    ...(files[path] ?? "").matchAll(/^(?:import|export)\b[^;"]*"([^"]+)";$|\bimport\("([^"]+)"\)/gm),
  ];
  return imported
    .map(([, named, late]) => named ?? late ?? "")
    .some((name) =>
      name.startsWith(".") ? startsPrograms(posix.join(posix.dirname(path), name), seen) : PROGRAM.test(name),
    );
}
