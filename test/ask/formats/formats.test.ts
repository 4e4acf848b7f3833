import { describe, expect, it } from "vitest";
import { createFormat, type FormatOptions, type TextFormatName } from "../../../src/ask/formats.ts";
import { listColumns, type Row } from "../../../src/ask/rows.ts";
import { IS_THOROUGH } from "../../support/is-thorough.ts";

const TEXT_FORMATS: readonly TextFormatName[] = ["table", "json", "ndjson", "csv"];

const COLUMNS = listColumns([
  { name: "id", isList: false, kind: "text", fields: null },
  { name: "amount", isList: false, kind: "text", fields: null },
  {
    name: "asset",
    isList: false,
    kind: "text",
    fields: [{ name: "symbol", isList: false, kind: "text", fields: null }],
  },
  { name: "tags", isList: true, kind: "text", fields: null },
]);

const ROWS: readonly Row[] = [
  {
    id: "LL-1-1",
    amount: "115792089237316195423570985008687907853269984665640564039457584007913129639935",
    asset: { symbol: "DAI" },
    tags: ["a"],
  },
  { id: "LL-1-2", amount: "-5", asset: null, tags: [] },
];

function render(name: TextFormatName, rows: readonly Row[], options: Partial<FormatOptions> = {}): string {
  const format = createFormat(name, { columns: COLUMNS, isRecord: false, width: null, ...options });
  const parts = rows.map((row, index) => format.rows([row], index === 0));
  return format.begin + parts.join("") + format.end(rows.length === 0);
}

/** Reads CSV as a spreadsheet or a library does. */
function readCsv(text: string): string[][] {
  const lines: string[][] = [];
  const cell = /("(?:[^"]|"")*"|[^,\r\n]*)(,|\r\n|$)/gy;
  let line: string[] = [];
  for (let match = cell.exec(text); match && cell.lastIndex <= text.length; match = cell.exec(text)) {
    const [, raw = "", end] = match;
    line.push(raw.startsWith('"') ? raw.slice(1, -1).replaceAll('""', '"') : raw);
    if (end === ",") continue;
    lines.push(line);
    line = [];
    if (cell.lastIndex === text.length) break;
  }
  return lines;
}

describe("every format", () => {
  it.each(TEXT_FORMATS)("is the same for one batch and for many: %s", (name) => {
    const format = createFormat(name, { columns: COLUMNS, isRecord: false, width: null });
    const whole = format.begin + format.rows(ROWS, true) + format.rows([], false) + format.end(false);
    expect(whole).toBe(render(name, ROWS));
  });
});

describe("json", () => {
  it("is a list with a line for each row", () => {
    const text = render("json", ROWS);
    expect(JSON.parse(text)).toEqual(ROWS);
    expect(text.split("\n")).toHaveLength(ROWS.length + 3);
  });

  it("is an empty list without rows", () => {
    expect(render("json", [])).toBe("[]\n");
  });

  it("is the object itself for a single record", () => {
    const [row = {}] = ROWS;
    expect(JSON.parse(render("json", [row], { isRecord: true }))).toEqual(row);
    expect(render("json", [], { isRecord: true })).toBe("null\n");
  });

  it.each<[TextFormatName]>([["json"], ["ndjson"]])(
    "escapes untrusted text, and keeps it exact: %s",
    (name) => {
      const row = { id: "::add-mask::x \u001b[31m \u202e \u2028 \u009b", amount: "1", asset: null, tags: [] };
      const text = render(name, [row]);
      expect(text).not.toMatch(/::|(?!\n)[\p{Cc}\p{Cf}\p{Zl}]/u);
      expect([JSON.parse(text)].flat()).toEqual([row]);
    },
  );
});

describe("ndjson", () => {
  it("has one row per line, and is empty without rows", () => {
    expect(
      render("ndjson", ROWS)
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line) as unknown),
    ).toEqual(ROWS);
    expect(render("ndjson", [])).toBe("");
  });
});

describe("csv", () => {
  const cellOf = (symbol: string) => readCsv(render("csv", [{ asset: { symbol } }]))[1]?.[2];

  it("has a header, CR LF line breaks, and all digits of amounts", () => {
    expect(render("csv", ROWS)).toBe(
      'id,amount,asset.symbol,tags\r\nLL-1-1,115792089237316195423570985008687907853269984665640564039457584007913129639935,DAI,"[""a""]"\r\nLL-1-2,-5,,[]\r\n',
    );
  });

  it("has only the header without rows", () => {
    expect(render("csv", [])).toBe("id,amount,asset.symbol,tags\r\n");
  });

  it.each([['a "b" c'], ["a,b"], ["a\r\nb"], ["a\nb"], [" a"], ["a "], ["a;b"], ["Ä漢🙂"]])(
    "preserves %j",
    (text) => {
      expect(cellOf(text)).toBe(text);
    },
  );

  it.each([
    ["=1+1"],
    ["=cmd|'/c calc'!A0"],
    ["+cmd"],
    ["-2+3"],
    ["--5"],
    ["@SUM(A1)"],
    ["-"],
    ["-1,000"],
    ['=HYPERLINK("http://a.example")'],
    ["＝1+1"],
  ])("keeps a spreadsheet from evaluating %j", (text) => {
    expect(cellOf(text)).toBe(`'${text}`);
  });

  it.each([
    ["\t=1", "'\t'=1"],
    ["a;=1+1", "a;'=1+1"],
    ["a\t@SUM(A1)", "a\t'@SUM(A1)"],
    ["a\r\n+cmd", "a\r\n'+cmd"],
    ["a; =1;-2", "a; '=1;'-2"],
    ['a;"=1', "a;\"'=1"],
    ["a;b=1", "a;b=1"],
    ["\u0001=1+1", "\u0001'=1+1"],
    ["\u200b\u0085@SUM(A1)", "\u200b\u0085'@SUM(A1)"],
    ['"=1+1', "\"'=1+1"],
    ["\0=1", "\uFFFD'=1"],
  ])("keeps a spreadsheet from evaluating a part of %j that it splits into a cell", (text, written) => {
    expect(cellOf(text)).toBe(written);
  });

  it.each([["-5"], ["-0.5"], ["+7"], ["-1e18"], ["0x2d"], ["a=b"], ["'quoted"], [""]])(
    "does not change %j",
    (text) => {
      expect(cellOf(text)).toBe(text);
    },
  );

  it("takes linear time for any cell", () => {
    const blanks = " ".repeat(400_000);
    const start = performance.now();
    expect(cellOf(`${blanks}=1;${blanks}x`)).toBe(`${blanks}'=1;${blanks}x`);
    expect(performance.now() - start).toBeLessThan(5000);
  });

  it("contains no NUL, at which readers stop", () => {
    expect(render("csv", [{ id: "a\0b" }])).not.toContain("\0");
  });
});

describe("table", () => {
  it("has aligned columns, with numbers on the right", () => {
    const rows = [
      { id: "a", amount: "5", asset: { symbol: "DAI" }, tags: [] },
      { id: "long id", amount: "-1200", asset: null, tags: ["x"] },
    ];
    expect(render("table", rows)).toBe(
      'id       amount  asset.symbol  tags\na             5  DAI           []\nlong id   -1200                ["x"]\n',
    );
  });

  it("fits the terminal: text is truncated, but numbers are not", () => {
    const rows = [
      {
        id: "0x1234567890123456789012345678901234567890",
        amount: "12345678901234567890",
        asset: { symbol: "S".repeat(50) },
        tags: [],
      },
    ];
    const text = render("table", rows, { width: 60 });
    const [head = "", row = "", ...more] = text.trimEnd().split("\n");
    expect(Math.max(head.length, row.length)).toBeLessThanOrEqual(60);
    expect(row).toContain("12345678901234567890");
    expect(row).toContain("…");
    expect(more).toEqual([]);
  });

  it("lists the columns that do not fit", () => {
    const rows = [
      { id: "a".repeat(30), amount: "1".repeat(30), asset: { symbol: "b".repeat(30) }, tags: [] },
    ];
    const text = render("table", rows, { width: 45 });
    expect(text).toContain("2 more columns do not fit: asset.symbol, tags. `--format csv` has all.");
    for (const line of text.split("\n").slice(0, 2)) expect(line.length).toBeLessThanOrEqual(45);
  });

  it("has one line per column for a single record", () => {
    const [row = {}] = ROWS;
    expect(render("table", [row], { isRecord: true, width: 20 }).split("\n")).toEqual([
      "id            LL-1-1",
      `amount        ${row["amount"]}`,
      "asset.symbol  DAI",
      'tags          ["a"]',
      "",
    ]);
    expect(render("table", [], { isRecord: true })).toBe("");
    const long = { ...row, tags: Array.from({ length: 100 }, (_, at) => `tag ${at}`) };
    const lines = render("table", [long], { isRecord: true, width: 40 }).split("\n");
    expect([lines[1], lines[3]]).toEqual([
      `amount        ${row["amount"]}`,
      'tags          ["tag 0","tag 1","tag 2",…',
    ]);
  });

  it("contains no control characters", () => {
    const text = render("table", [
      { id: "\u001b[2J\u202eevil\nnext\u2028", amount: "1", asset: null, tags: [] },
    ]);
    expect(text).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}\p{Zl}]/u);
    expect(text.split("\n")).toHaveLength(3);
  });

  it("counts wide letters twice, and combining marks not at all", () => {
    const rows = [
      { id: "漢字", amount: "1", asset: null, tags: [] },
      { id: "e\u0301", amount: "2", asset: null, tags: [] },
    ];
    expect(render("table", rows, { columns: COLUMNS.slice(0, 2) })).toBe(
      "id    amount\n漢字       1\ne\u0301          2\n",
    );
  });

  it.runIf(IS_THOROUGH)("supports more rows than the maximum number of function arguments", () => {
    const rows = Array.from({ length: 130_000 }, () => ({ id: "a" }));
    const format = createFormat("table", { columns: COLUMNS.slice(0, 1), isRecord: false, width: 80 });
    format.rows(rows, true);
    expect(format.end(false)).toHaveLength(2 * 130_000 + 3);
  });
});
