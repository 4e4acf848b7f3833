import { expect } from "vitest";
import type { TempProject } from "./temp-project.ts";

/** Expects `generated/` of a project to be these files. */
export function expectSame(project: TempProject, want: Readonly<Record<string, string>>): void {
  // It names the files that differ before it shows how, because thousands of lines are unreadable.
  const got = project.files("generated");
  expect(Object.keys(got).sort()).toEqual(Object.keys(want).sort());
  const different = Object.keys(want).filter((path) => got[path] !== want[path]);
  expect(different.map((path) => `${path}: ${firstDifference(got[path] ?? "", want[path] ?? "")}`)).toEqual(
    [],
  );
}

function firstDifference(got: string, want: string): string {
  const lines = want.split("\n");
  const index = got.split("\n").findIndex((line, at) => line !== lines[at]);
  return `line ${index + 1} is ${got.split("\n")[index]?.slice(0, 200)}, not ${lines[index]?.slice(0, 200)}`;
}
