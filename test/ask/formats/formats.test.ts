import { describe, expect, it } from "vitest";
import { createFormat, type FormatOptions, type TextFormatName } from "../../../src/ask/formats.ts";
import { type Field, listColumns, type Row } from "../../../src/ask/rows.ts";
import { IS_THOROUGH } from "../../support/is-thorough.ts";

const TEXT_FORMATS: readonly TextFormatName[] = ["table", "json", "ndjson", "csv"];

const text = (name: string, more: Partial<Field> = {}): Field => ({
  name,
  isList: false,
  kind: "text",
  fields: null,
  ...more,
});
const ASSET = text("asset", { fields: [text("symbol")] });
const COLUMNS = listColumns([text("id"), text("amount"), ASSET, text("tags", { isList: true })]);

const HUGE = "115792089237316195423570985008687907853269984665640564039457584007913129639935";
const rowOf = (
  id: string,
  amount = "1",
  symbol: string | null = null,
  tags: readonly string[] = [],
): Row => ({
  id,
  amount,
  asset: symbol === null ? null : { symbol },
  tags,
});
const FIRST = rowOf("LL-1-1", HUGE, "DAI", ["a"]);
const ROWS = [FIRST, rowOf("LL-1-2", "-5")];

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

it.each(TEXT_FORMATS)("every format is the same for one batch and for many: %s", (name) => {
  const format = createFormat(name, { columns: COLUMNS, isRecord: false, width: null });
  const whole = format.begin + format.rows(ROWS, true) + format.rows([], false) + format.end(false);
  expect(whole).toBe(render(name, ROWS));
});

const JSON_ROWS = ROWS.map((row) => JSON.stringify(row));

it.each<[string, TextFormatName, readonly Row[], Partial<FormatOptions>, string]>([
  ["a list with a line for each row", "json", ROWS, {}, `[\n  ${JSON_ROWS.join(",\n  ")}\n]\n`],
  ["an empty list without rows", "json", [], {}, "[]\n"],
  ["one record", "json", [FIRST], { isRecord: true }, `${JSON.stringify(FIRST, null, 2)}\n`],
  ["null without a record", "json", [], { isRecord: true }, "null\n"],
  ["a row per line", "ndjson", ROWS, {}, `${JSON_ROWS.join("\n")}\n`],
  ["empty without rows", "ndjson", [], {}, ""],
  ["a header without rows", "csv", [], {}, "id,amount,asset.symbol,tags\r\n"],
  [
    "a header, CR LF line breaks, and all digits of amounts",
    "csv",
    ROWS,
    {},
    `id,amount,asset.symbol,tags\r\nLL-1-1,${HUGE},DAI,"[""a""]"\r\nLL-1-2,-5,,[]\r\n`,
  ],
])("the output is %s: %s", (_, name, rows, options, want) => {
  expect(render(name, rows, options)).toBe(want);
});

it.each(["json", "ndjson"] as const)("untrusted text is escaped, and exact: %s", (name) => {
  const row = rowOf("::add-mask::x \u001b[31m \u202e \u2028 \u009b");
  const text = render(name, [row]);
  expect(text).not.toMatch(/::|(?!\n)[\p{Cc}\p{Cf}\p{Zl}]/u);
  expect([JSON.parse(text)].flat()).toEqual([row]);
});

describe("csv", () => {
  const cellOf = (symbol: string) => readCsv(render("csv", [{ asset: { symbol } }]))[1]?.[2];

  it.each(['a "b" c', "a,b", "a\r\nb", "a\nb", " a", "a ", "a;b", "Ä漢🙂"])("preserves %j", (text) => {
    expect(cellOf(text)).toBe(text);
  });

  it.each([
    ...["=1+1", "=cmd|'/c calc'!A0", "+cmd", "-2+3", "--5", "@SUM(A1)", "-", "-1,000", "＝1+1"],
    '=HYPERLINK("http://a.example")',
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

  it.each(["-5", "-0.5", "+7", "-1e18", "0x2d", "a=b", "'quoted", ""])("does not change %j", (text) => {
    expect(cellOf(text)).toBe(text);
  });

  it("takes linear time for any cell", () => {
    const blanks = " ".repeat(100_000);
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
    const rows = [rowOf("a", "5", "DAI"), rowOf("long id", "-1200", null, ["x"])];
    expect(render("table", rows)).toBe(
      'id       amount  asset.symbol  tags\na             5  DAI           []\nlong id   -1200                ["x"]\n',
    );
  });

  it("fits the terminal: text is truncated, but numbers are not", () => {
    const rows = [rowOf(`0x${"1234567890".repeat(4)}`, "12345678901234567890", "S".repeat(50))];
    const text = render("table", rows, { width: 60 });
    const [head = "", row = "", ...more] = text.trimEnd().split("\n");
    expect(Math.max(head.length, row.length)).toBeLessThanOrEqual(60);
    expect(row).toMatch(/12345678901234567890.*…/);
    expect(more).toEqual([]);
  });

  it("lists the columns that do not fit", () => {
    const rows = [rowOf("a".repeat(30), "1".repeat(30), "b".repeat(30))];
    const text = render("table", rows, { width: 45 });
    expect(text).toContain("2 more columns do not fit: asset.symbol, tags. `--format csv` has all.");
    for (const line of text.split("\n").slice(0, 2)) expect(line.length).toBeLessThanOrEqual(45);
  });

  it("has one line per column for a single record, with long lists cut", () => {
    const long = { ...FIRST, tags: Array.from({ length: 100 }, (_, at) => `tag ${at}`) };
    const lines = ["id            LL-1-1", `amount        ${HUGE}`, "asset.symbol  DAI"];
    expect(render("table", [long], { isRecord: true, width: 40 }).split("\n")).toEqual([
      ...lines,
      'tags          ["tag 0","tag 1","tag 2",…',
      "",
    ]);
    expect(render("table", [], { isRecord: true })).toBe("");
  });

  it("contains no control characters", () => {
    const text = render("table", [rowOf("\u001b[2J\u202eevil\nnext\u2028")]);
    expect(text).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}\p{Zl}]/u);
    expect(text.split("\n")).toHaveLength(3);
  });

  it("counts wide letters twice, and combining marks not at all", () => {
    expect(render("table", [rowOf("漢字"), rowOf("e\u0301", "2")], { columns: COLUMNS.slice(0, 2) })).toBe(
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
