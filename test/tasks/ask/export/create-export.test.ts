import { appendFileSync, cpSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { IndexerError } from "../../../../packages/client/src/client/indexer-error.ts";
import type { LockflowError } from "../../../../src/base/errors.ts";
import type { AskedChain, AskedRows, PagePlace } from "../../../../src/tasks/ask/asked-rows.ts";
import { deliverRows } from "../../../../src/tasks/ask/deliver-rows.ts";
import { createExport } from "../../../../src/tasks/ask/export/create-export.ts";
import { openParquetFile } from "../../../../src/tasks/ask/export/parquet-file.ts";
import type { ExportOptions } from "../../../../src/tasks/ask/export/read-earlier.ts";
import type { Target } from "../../../../src/tasks/ask/export/write-parts.ts";
import type { Row } from "../../../../src/tasks/ask/rows.ts";
import type { RowsOptions } from "../../../../src/tasks/ask.ts";
import { IS_THOROUGH } from "../../../support/is-thorough.ts";
import { tempProject } from "../../../support/temp-project.ts";

const COLUMNS = ["chain", "id", "symbol"].map((name) => ({ name, path: [name], kind: "text" }) as const);
const FIELDS = COLUMNS.map(({ name, kind }) => ({ name, kind, isList: false, fields: null }));

/** The pages of each chain, as numbers of rows. The last id is the cursor. */
const PAGES: Readonly<Record<string, readonly number[]>> = { base: [3, 3, 1], empty: [], optimism: [2] };

/** Yields the rows of an indexer that never changes, from the cursors of an earlier run. */
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
          cappedLists: [],
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
        ...{ chain, place, head: 7, isLast: false },
        rows: ids.map((id) => ({ chain, id: String(id), symbol: 'Ä ",\n🙂' })),
      };
      yield page;
    }
    if (down.some((one) => one.startsWith(`${chain} `)) && from > after) continue;
    onChain?.({
      chain,
      rows: 0,
      cappedAt: null,
      cappedLists: [],
      style: null,
      head: null,
      error: null,
      tried: [],
    });
    const place: PagePlace | null =
      from === 0 ? null : { cursor: String(from), style: "subgraph", block: { number: 7 } };
    const end: AskedRows = { chain, rows: [], place, head: 7, isLast: true };
    yield end;
  }
}

type FileFormat = Target["format"];

const optionsOf = (root: string, more: Partial<ExportOptions & Target> = {}): ExportOptions => {
  const { question = { operation: "Rows of lockup", format: "csv" }, resumes = false, ...target } = more;
  return {
    ...{ question, resumes, chains: Object.keys(PAGES) },
    target: {
      ...{ path: join(root, "out/rows"), shownPath: "out/rows", format: "csv", partition: null },
      ...{ isFlat: false, fields: FIELDS, columns: COLUMNS, chainKey: "chain" },
      // Each page is saved.
      sizes: { group: 2, unsaved: 1, waiting: 3 },
      ...target,
    },
  };
};

/** @param onPart can throw to simulate that the process is killed. */
async function exportRows(
  options: ExportOptions,
  onPart: () => void = () => {},
  down: readonly string[] = [],
) {
  const sink = await createExport(options);
  const asked = { chains: options.chains, rows: (more?: RowsOptions) => rows(more, down) };
  return deliverRows({ asked, sink }, { signal: new AbortController().signal, onRows: onPart });
}

const read = (root: string, name: string) => readFileSync(join(root, "out", name), "latin1");

async function refusal(options: ExportOptions): Promise<string> {
  return createExport(options).then(
    (sink) => {
      sink.stop();
      return "nothing";
    },
    (error: LockflowError) => error.message,
  );
}

/** Bytes that a killed process may have written after the last page. */
const STRAYS = ['"half a row', "", "\u0000".repeat(100_000)];

const STATE = "rows.lockflow.json";
const SPOOL = "rows.lockflow-rows";

describe.each<[FileFormat]>([["csv"], ["json"], ["ndjson"], ["parquet"]])("an export as %s", (format) => {
  it("is the same if it was killed at any page, with any bytes after the last page", async () => {
    const whole = tempProject();
    await exportRows(optionsOf(whole.root, { format }));
    const want = whole.files("out");
    expect(Object.keys(want).sort()).toEqual(["out/rows", `out/${STATE}`]);
    // The disk after every part, in the state that a killed process leaves.
    const killed = tempProject();
    const shots: string[] = [];
    await exportRows(optionsOf(killed.root, { format }), () => {
      const shot = join(killed.root, `shot${shots.length}`);
      cpSync(join(killed.root, "out"), join(shot, "out"), { recursive: true });
      shots.push(shot);
    });
    expect(shots).toHaveLength(7);
    for (const shot of shots) {
      for (const stray of IS_THOROUGH ? STRAYS : STRAYS.slice(0, 1)) {
        const { root, files } = tempProject();
        cpSync(join(shot, "out"), join(root, "out"), { recursive: true });
        rmSync(join(root, "out/rows.lockflow.lock"));
        appendFileSync(join(root, "out", SPOOL), stray);
        const { ended } = await exportRows(optionsOf(root, { format, resumes: true }));
        expect(ended).toBe("all");
        expect(files("out")).toEqual(want);
      }
    }
  });

  it("is not continued if a file of an earlier run is missing", async () => {
    const { root } = tempProject();
    const whole = optionsOf(root, { format });
    const parts = optionsOf(root, {
      format,
      path: join(root, "lake"),
      shownPath: "lake/",
      partition: ["chain"],
    });
    for (const options of [whole, parts]) await exportRows(options);
    rmSync(join(root, "out/rows"));
    expect(await refusal({ ...whole, renews: true })).toBe(
      `out/rows was changed since its last export: it does not exist any more.\nHint: restore it, or delete out/${STATE} to start again.`,
    );
    rmSync(join(root, `lake/chain=base/part-0001.${format}`));
    expect(await refusal({ ...parts, renews: true })).toContain(
      "lake/ was changed since its last export: 1 of its 2 files are left.",
    );
  });

  it("continues with the chains that failed, without duplicate rows", async () => {
    const { root } = tempProject();
    const first = await exportRows(optionsOf(root, { format }), () => {}, ["base 6", "optimism 2"]);
    expect(first.ended).toBe("some");
    if (format === "json") expect(JSON.parse(read(root, "rows"))).toHaveLength(3);
    const second = await exportRows(optionsOf(root, { format, resumes: true }), () => {}, ["base 7"]);
    expect(second.ended).toBe("some");
    const third = await exportRows(optionsOf(root, { format, resumes: true }));
    expect(third.ended).toBe("all");
    const ids =
      format === "parquet"
        ? (await readParquet(root)).map(({ chain, id }) => `${chain},${id}`)
        : [...read(root, "rows").matchAll(/(base|optimism)"?,"?(?:id":")?(\d)/g)].map(([, ...id]) =>
            id.join(),
          );
    expect(ids).toEqual([
      ...["base,1", "base,2", "base,3", "base,4", "base,5", "base,6"],
      ...["optimism,1", "optimism,2", "base,7"],
    ]);
  });
});

async function readParquet(root: string) {
  const options = { fields: FIELDS, columns: COLUMNS, isFlat: false };
  const found: Row[] = [];
  const file = await openParquetFile(join(root, "out/rows"), options);
  for await (const some of file.rows()) found.push(...some);
  return found;
}

describe("an export", () => {
  it("writes nothing without rows", async () => {
    const { root, files } = tempProject();
    const { ended } = await exportRows(optionsOf(root), () => {}, ["base 3", "optimism 2"]);
    expect(ended).toBe("some");
    const other = tempProject();
    const sink = await createExport(optionsOf(other.root));
    await sink.finish(false);
    expect(other.files()).toEqual({});
    // The chain without rows answered.
    expect(Object.keys(files()).sort()).toEqual(["out/rows", `out/${STATE}`]);
  });

  it("replaces an existing file only at the end of the run", async () => {
    const { root, write } = tempProject({ "out/rows": "an older, longer file\n".repeat(1000) });
    await exportRows(optionsOf(root), () => expect(read(root, "rows")).toMatch(/^an older/));
    expect(read(root, "rows")).toMatch(/^chain,id,symbol\r\n/);
    expect(read(root, "rows")).not.toContain("older");
    write("out/rows", "old");
    const sink = await createExport(optionsOf(root));
    await sink.finish(false);
    expect(read(root, "rows")).toBe("old");
  });

  it("writes a state file that describes it", async () => {
    const { root } = tempProject();
    const sink = await createExport(optionsOf(root));
    expect(readdirSync(join(root, "out"))).toEqual(["rows.lockflow.lock"]);
    await sink.take({ chain: "base", rows: [], place: null, head: null, isLast: true });
    await sink.finish(true);
    expect(JSON.parse(read(root, STATE))).toMatchObject({
      ...{ version: 1, operation: "Rows", protocol: "lockup", run: 1, rows: 0, pending: null },
      chains: [{ chain: "base", done: true, rows: 0, head: null }, { chain: "empty" }, { chain: "optimism" }],
    });
  });

  it("is only continued with --resume, and only if the query and the rows match", async () => {
    const { root, write } = tempProject();
    await exportRows(optionsOf(root), () => {}, ["base 6"]);
    expect(await refusal(optionsOf(root))).toBe(
      `out/rows is an unfinished export with 5 rows so far.\nHint: continue with --resume, or delete out/${STATE} to start again.`,
    );
    const resumes = true;
    expect(
      await refusal(optionsOf(root, { resumes, question: { operation: "Other", format: "json" } })),
    ).toBe(
      `out/rows is an export that differs in: operation, format.\nHint: repeat the command of the first run, or delete out/${STATE} to start again.`,
    );
    const state = read(root, STATE);
    const changed = `out/rows was changed since its last export.\nHint: delete out/${STATE} to start again.`;
    const rowsBefore = readFileSync(join(root, "out/rows"), "utf8");
    for (const [edited, error] of [
      [
        rowsBefore.slice(0, -1),
        `bytes instead of ${Buffer.byteLength(rowsBefore)}.\nHint: restore it, or delete out/${STATE}`,
      ],
      [rowsBefore.replace("base,1", "base,9"), changed],
    ] as const) {
      write("out/rows", edited);
      const failed = await exportRows(optionsOf(root, { resumes })).catch(
        (error: LockflowError) => error.message,
      );
      expect(failed).toContain(error);
      expect(readFileSync(join(root, "out/rows"), "utf8")).toBe(edited);
      write(`out/${STATE}`, state);
    }
    for (const [edited, why] of [
      ["", "it is not valid JSON"],
      ["[]", "the file is not an object"],
      [state.replace('"version": 1', '"version": 2'), '"version" is not 1'],
      [state.replace(/"bytes": \d+/, '"bytes": -1'), '"bytes" is not a whole number from 0'],
      [state.replace('"subgraph"', '"constructor"'), 'in chain 1, "style" is not a style'],
      [state.replace(/"number": 7/, '"number": "7"'), 'in chain 1, "block" is not a block'],
      [state.replace('"question": {', '"question": { "variables": "{",'), '"variables" is not valid JSON'],
      [state.replace('"rows": 5', '"rows": 6'), '"rows" does not match the rest'],
      [state.replace('"chain": "optimism"', '"chain": "base"'), '"rows" does not match the rest'],
      [state.replace('"chain": "empty"', '"chain": "base"'), '"rows" does not match the rest'],
      [state.replace('"style": "subgraph",', ""), '"chains" does not match the rest'],
      [state.replace('"operation": "Rows"', '"operation": "Other"'), '"operation" does not match the rest'],
    ] as const) {
      write(`out/${STATE}`, edited);
      expect(await refusal(optionsOf(root, { resumes }))).toBe(
        `out/${STATE} is not the state of an export: ${why}.\nHint: delete it to start the export again.`,
      );
    }
  });

  it("is rejected while another process writes it, but not after that process has ended", async () => {
    const { root, write } = tempProject();
    const running = await createExport(optionsOf(root));
    expect(await refusal(optionsOf(root))).toContain(`out/rows is being written by process ${process.pid}.`);
    const lock = JSON.parse(read(root, "rows.lockflow.lock"));
    running.stop();
    const other = { ...lock, process: process.ppid, start: null };
    for (const [held, isRefused] of [
      [other, true],
      [{ ...other, host: "elsewhere" }, true],
      [{ ...other, process: 2 ** 22 + 1 }, false],
      // Another program has the id by now.
      [{ ...other, start: "1" }, process.platform !== "linux"],
      ["", false],
    ] as const) {
      write("out/rows.lockflow.lock", held === "" ? "" : JSON.stringify(held));
      expect((await refusal(optionsOf(root))).includes("is being written by")).toBe(isRefused);
      rmSync(join(root, "out/rows.lockflow.lock"), { force: true });
    }
  });

  it("starts if there is nothing to resume, and rejects resuming a complete one", async () => {
    const { root, remove } = tempProject();
    expect((await exportRows(optionsOf(root, { resumes: true }))).ended).toBe("all");
    expect(await refusal(optionsOf(root, { resumes: true }))).toBe(
      "Nothing to resume: out/rows is complete.\nHint: omit --resume to replace it.",
    );
    remove(`out/${STATE}`);
    expect(await refusal(optionsOf(root, { resumes: true }))).toBe(
      `Nothing to resume: out/${STATE} does not exist, so out/rows is not an export of pages.\nHint: omit --resume to replace it.`,
    );
  });

  it("reports that its file cannot be written", async () => {
    const { root } = tempProject({ "out/rows/a": "" });
    const failed = await exportRows(optionsOf(root)).catch((error: LockflowError) => error.message);
    expect(failed).toMatch(/rows cannot be written \((EISDIR|EPERM)\)/);
    const inFile = tempProject({ out: "" });
    expect(await refusal(optionsOf(inFile.root))).toMatch(
      /cannot be written \(\w+\)\.\nHint: name another place\.$/,
    );
  });
});
