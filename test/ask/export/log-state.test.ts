import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type LogState, parseLogState, renderLogState } from "../../../src/ask/export/log-state.ts";
import { FileError } from "../../../src/base/errors.ts";
import { runs } from "../../support/runs.ts";

const MARK = { before: null, id: "1", cursor: "1" };

const STATE: LogState = {
  lockflow: 2,
  question: { operation: "AllStreams" },
  columns: { id: "VARCHAR of Stream.id" },
  parts: [{ size: 10 }, { size: 20 }],
  temporary: 1,
  versions: 30,
  chains: [
    {
      chain: "base",
      head: 7,
      time: 9,
      tail: MARK,
      end: "1",
      rows: 30,
      isDone: true,
      feed: { ...MARK, block: 7, name: "ActionsFeed.stream" },
      anchor: { ...MARK, block: null },
      deployments: { subgraph: "Qm" },
    },
  ],
};

describe("the state of a log", () => {
  it("is read as it was written", () => {
    expect(parseLogState(renderLogState(STATE), "state")).toEqual(STATE);
  });

  it.each<[Partial<LogState>, string]>([
    [{ versions: 1.5 }, '"versions" is not a whole number from 0'],
    [{ temporary: 3 }, '"temporary" is more than there are parts'],
    [{ parts: [{ size: -1 }, { size: 2 }] }, 'in part 1, "size" is not a whole number from 0'],
  ])("is not written if a later run could not read it: %j", (more, reason) => {
    expect(() => renderLogState({ ...STATE, ...more })).toThrow(reason);
  });

  it("is refused with an error of a file, whatever was changed in it", () => {
    const json = JSON.parse(renderLogState(STATE));
    const paths: (readonly string[])[] = [];
    const visit = (value: unknown, path: readonly string[]) => {
      paths.push(path);
      if (typeof value === "object" && value !== null) {
        for (const [key, inner] of Object.entries(value)) visit(inner, [...path, key]);
      }
    };
    visit(json, []);
    fc.assert(
      fc.property(fc.constantFrom(...paths), fc.jsonValue(), ([first, ...more], value) => {
        const copy = structuredClone(json);
        let at = copy;
        for (const key of first === undefined ? [] : [first, ...more].slice(0, -1)) at = at[key];
        const last = more.at(-1) ?? first;
        if (last !== undefined) at[last] = value;
        try {
          parseLogState(JSON.stringify(last === undefined ? value : copy), "state");
        } catch (error) {
          expect(error).toBeInstanceOf(FileError);
        }
      }),
      { numRuns: runs(200, 5000) },
    );
  });
});
