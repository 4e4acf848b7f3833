import { expect, it } from "vitest";
import { pollUntilQuiet } from "../../src/tasks/generate/watch-generate.ts";

it("pollUntilQuiet collects changes until a poll finds none", async () => {
  const looks = [["b"], ["a", "c"], [], ["d"]];
  const waited: number[] = [];
  const pause = async (milliseconds: number) => waited.push(milliseconds);
  expect(await pollUntilQuiet(async () => looks.shift() ?? [], ["a"], pause)).toEqual(["a", "b", "c"]);
  expect(looks).toEqual([["d"]]);
  expect(waited).toEqual([20, 20, 20]);
});

it("pollUntilQuiet stops after a second if changes do not end", async () => {
  let waited = 0;
  const pause = async (milliseconds: number) => {
    waited += milliseconds;
  };
  expect(await pollUntilQuiet(async () => ["a"], ["a"], pause)).toEqual(["a"]);
  expect(waited).toBe(1000);
});
