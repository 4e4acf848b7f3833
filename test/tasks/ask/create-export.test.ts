import { cpSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { IndexerError } from "../../../packages/client/src/client/indexer-error.ts";
import type { LockflowError } from "../../../src/base/errors.ts";
import type { AskedChain, AskedRows, PagePlace } from "../../../src/tasks/ask/ask-chains.ts";
import { createExport, type ExportOptions } from "../../../src/tasks/ask/export.ts";
import { createFormat, type FormatName } from "../../../src/tasks/ask/formats.ts";
import { deliverRows } from "../../../src/tasks/ask/sink.ts";
import type { RowsOptions } from "../../../src/tasks/ask.ts";
import { tempProject } from "../../support/temp-project.ts";

const COLUMNS = ["chain", "id", "symbol"].map((name) => ({ name, path: [name] }));

/** The pages of each chain: the number of rows. The last id is the cursor. */
const PAGES: Readonly<Record<string, readonly number[]>> = { base: [3, 3, 1], empty: [], optimism: [2] };

/** What an indexer gives that never changes, from wherever an earlier run has come to. */
async function* rows({ places, done, onChain }: RowsOptions = {}, down: readonly string[] = []) {
  for (const [chain, sizes] of Object.entries(PAGES)) {
    if (done?.has(chain)) continue;
    let from = 0;
    const after = Number(places?.get(chain)?.cursor ?? 0);
    for (const size of sizes) {
      from += size;
      if (from <= after) continue;
      if (down.includes(`${chain} ${from}`)) {
        const error = new IndexerError("unavailable", "down");
        onChain?.({
          chain,
          rows: 0,
          cappedAt: null,
          style: null,
          head: null,
          error,
          tried: [],
        } satisfies AskedChain);
        break;
      }
      const ids = Array.from({ length: size }, (_, at) => from - size + at + 1);
      const place: PagePlace = { cursor: String(from), style: "subgraph", block: { number: 7 } };
      const page: AskedRows = {
        ...{ chain, place, isLast: false },
        rows: ids.map((id) => ({ chain, id: String(id), symbol: 'Ä ",\n🙂' })),
      };
      yield page;
    }
    if (down.some((one) => one.startsWith(`${chain} `)) && from > after) continue;
    onChain?.({ chain, rows: 0, cappedAt: null, style: null, head: null, error: null, tried: [] });
    const end: AskedRows = { chain, rows: [], place: places?.get(chain) ?? null, isLast: true };
    yield end;
  }
}

const optionsOf = (root: string, more: Partial<ExportOptions> = {}): ExportOptions => ({
  path: join(root, "out/rows"),
  shownPath: "out/rows",
  format: createFormat("csv", { columns: COLUMNS, isRecord: false, width: null }),
  question: { operation: "Rows of lockup", format: "csv" },
  resumes: false,
  ...more,
});

/** @param onPart may throw, as if the process were killed there. */
async function exportRows(
  options: ExportOptions,
  onPart: () => void = () => {},
  down: readonly string[] = [],
) {
  const sink = await createExport(options);
  const asked = { rows: (more?: RowsOptions) => rows(more, down) };
  return deliverRows(asked, sink, { signal: new AbortController().signal, onRows: onPart });
}

const read = (root: string, name: string) => readFileSync(join(root, "out", name), "utf8");

async function refusal(options: ExportOptions): Promise<string> {
  return createExport(options).then(
    () => "nothing",
    (error: LockflowError) => error.message,
  );
}

describe.each<[FormatName]>([["csv"], ["json"], ["ndjson"]])("an export as %s", (name) => {
  const format = () => createFormat(name, { columns: COLUMNS, isRecord: false, width: null });

  it("is the same whenever it was killed, and whatever was written since the last page", async () => {
    const whole = tempProject();
    await exportRows(optionsOf(whole.root, { format: format() }));
    const want = read(whole.root, "rows");
    expect(existsSync(join(whole.root, "out/rows.resume.json"))).toBe(false);
    // The disk after every part, as a process that is killed would leave it.
    const killed = tempProject();
    const shots: string[] = [];
    await exportRows(optionsOf(killed.root, { format: format() }), () => {
      const shot = join(killed.root, `shot${shots.length}`);
      cpSync(join(killed.root, "out"), join(shot, "out"), { recursive: true });
      shots.push(shot);
    });
    expect(shots).toHaveLength(7);
    for (const shot of shots) {
      for (const stray of ["", '"half a row', "\u0000".repeat(100_000)]) {
        const { root } = tempProject();
        cpSync(join(shot, "out"), join(root, "out"), { recursive: true });
        writeFileSync(join(root, "out/rows"), read(root, "rows") + stray);
        const { ended } = await exportRows(optionsOf(root, { format: format(), resumes: true }));
        expect(ended).toBe("all");
        expect(read(root, "rows")).toBe(want);
        expect(existsSync(join(root, "out/rows.resume.json"))).toBe(false);
      }
    }
  });

  it("goes on with the chains that failed, and has each row once", async () => {
    const { root } = tempProject();
    const first = await exportRows(optionsOf(root, { format: format() }), () => {}, ["base 6", "optimism 2"]);
    expect(first.ended).toBe("some");
    if (name === "json") expect(JSON.parse(read(root, "rows"))).toHaveLength(3);
    const second = await exportRows(optionsOf(root, { format: format(), resumes: true }), () => {}, [
      "base 7",
    ]);
    expect(second.ended).toBe("some");
    const third = await exportRows(optionsOf(root, { format: format(), resumes: true }));
    expect(third.ended).toBe("all");
    const ids = [...read(root, "rows").matchAll(/(base|optimism)"?,"?(?:id":")?(\d)/g)].map(([, ...id]) =>
      id.join(),
    );
    expect(ids).toEqual([
      "base,1",
      "base,2",
      "base,3",
      "base,4",
      "base,5",
      "base,6",
      "optimism,1",
      "optimism,2",
      "base,7",
    ]);
  });
});

describe("an export", () => {
  it("leaves nothing where nothing came", async () => {
    const { root, files } = tempProject();
    const { ended } = await exportRows(optionsOf(root), () => {}, ["base 3", "optimism 2"]);
    expect(ended).toBe("some");
    const other = tempProject();
    const sink = await createExport(optionsOf(other.root));
    await sink.finish(false);
    expect(other.files()).toEqual({});
    // A chain without rows did answer.
    expect(Object.keys(files()).sort()).toEqual(["out/rows", "out/rows.resume.json"]);
  });

  it("replaces a file that exists already, once there are rows", async () => {
    const { root, write } = tempProject({ "out/rows": "an older, longer file\n".repeat(1000) });
    await exportRows(optionsOf(root));
    expect(read(root, "rows")).toMatch(/^chain,id,symbol\r\n/);
    expect(read(root, "rows")).not.toContain("older");
    write("out/rows", "old");
    const sink = await createExport(optionsOf(root));
    await sink.finish(false);
    expect(read(root, "rows")).toBe("old");
  });

  it("says that it began before it takes the place of a file", async () => {
    const { root } = tempProject({ "out/rows": "an older file" });
    const seen: string[] = [];
    const { format } = optionsOf(root);
    const watched = {
      ...format,
      get begin() {
        seen.push(read(root, "rows"), read(root, "rows.resume.json"));
        return format.begin;
      },
    };
    await exportRows(optionsOf(root, { format: watched }));
    expect(seen).toEqual(["", expect.stringContaining('"bytes": 0')]);
  });

  it("is not begun anew, nor gone on with, unless that is said and fits", async () => {
    const { root, write } = tempProject();
    await exportRows(optionsOf(root), () => {}, ["base 6"]);
    expect(await refusal(optionsOf(root))).toBe(
      "out/rows is an unfinished export with 5 rows so far.\nHint: continue with --resume, or delete out/rows.resume.json to start again.",
    );
    const resumes = true;
    expect(
      await refusal(optionsOf(root, { resumes, question: { operation: "Other", format: "json" } })),
    ).toBe(
      "out/rows is an export with another operation, format.\nHint: repeat the command of the first run, or delete out/rows.resume.json to start again.",
    );
    const state = read(root, "rows.resume.json");
    const changed =
      "out/rows was changed after the export was interrupted.\nHint: delete out/rows.resume.json to start again.";
    const rowsBefore = read(root, "rows");
    for (const edited of [rowsBefore.slice(0, -1), rowsBefore.replace("base,1", "base,9")]) {
      write("out/rows", edited);
      const failed = await exportRows(optionsOf(root, { resumes })).catch(
        (error: LockflowError) => error.message,
      );
      expect(failed).toBe(changed);
      expect(read(root, "rows")).toBe(edited);
    }
    rmSync(join(root, "out/rows"));
    expect(
      await exportRows(optionsOf(root, { resumes })).catch((error: LockflowError) => error.message),
    ).toBe(changed);
    write("out/rows", rowsBefore);
    for (const [edited, why] of [
      ["", "it is not valid JSON"],
      ["[]", "the file is not an object"],
      [state.replace('"version": 1', '"version": 2'), '"version" is not 1'],
      [state.replace(/"bytes": \d+/, '"bytes": -1'), '"bytes" is not a whole number from 0'],
      [state.replace('"subgraph"', '"constructor"'), 'in chain 1, "style" is not a style'],
      [state.replace(/"number": 7/, '"number": "7"'), 'in chain 1, "block" is not a block'],
    ] as const) {
      write("out/rows.resume.json", edited);
      expect(await refusal(optionsOf(root, { resumes }))).toBe(
        `out/rows.resume.json is not the state of an export: ${why}.\nHint: delete it to start the export again.`,
      );
    }
  });

  it("of another process that still runs is left to it", async () => {
    const { root, write } = tempProject();
    await exportRows(optionsOf(root), () => {}, ["base 6"]);
    const state = JSON.parse(read(root, "rows.resume.json"));
    write(
      "out/rows.resume.json",
      JSON.stringify({ ...state, writer: { ...state.writer, process: process.ppid } }),
    );
    expect(await refusal(optionsOf(root, { resumes: true }))).toContain(
      `out/rows is still being written by process ${process.ppid}.`,
    );
  });

  it("begins where there is nothing to go on with, and says so of a file that is complete", async () => {
    const { root } = tempProject();
    expect((await exportRows(optionsOf(root, { resumes: true }))).ended).toBe("all");
    expect(await refusal(optionsOf(root, { resumes: true }))).toBe(
      "Nothing to resume: out/rows.resume.json does not exist, so out/rows is complete or not an export of pages.\nHint: omit --resume to replace it.",
    );
  });

  it("says where it cannot be written", async () => {
    const { root } = tempProject({ "out/rows/a": "" });
    const failed = await exportRows(optionsOf(root)).catch((error: LockflowError) => error.message);
    expect(failed).toContain("rows cannot be written (EISDIR).");
  });
});
