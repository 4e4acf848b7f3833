import { describe, expect, it } from "vitest";
import { SEVERITIES } from "../../../src/report/finding.ts";
import { markdown } from "../../../src/report/forms/markdown.ts";
import { ACCEPTED, endpoint, goneField, PLAIN, report } from "../fixtures.ts";

const render = (...given: Parameters<typeof report>) => markdown.render(report(...given), PLAIN);

describe("the Markdown report", () => {
  it("has tables first, then details, and the exit code last", () => {
    const shown = render();
    const order = [
      "## Lockflow: Not clean",
      "| endpoints |",
      "### 1 breaking",
      "| **✗** `Asset.symbol` |",
      "<details>",
      "`exit 1:",
    ];
    const places = order.map((part) => shown.indexOf(part));
    expect(places).toEqual([...places].sort((a, b) => a - b));
    expect(places).not.toContain(-1);
    expect(shown).toContain("| `String! → gone, and 23 derived` |");
    expect(shown).toContain("- `lockup-base` unreachable: It did not answer in 15 s.");
  });

  it.each([100, 500])("has at most 60 KB and rows of every group with %i findings per severity", (count) => {
    const findings = SEVERITIES.flatMap((severity) =>
      Array.from({ length: count }, (_, index) =>
        goneField({ severity, coordinate: `A.${"é".repeat(30)}${index}`, operations: [] }),
      ),
    );
    findings.push(...findings.slice(0, count).map((finding) => ({ ...finding, ...ACCEPTED })));
    const endpoints = Array.from({ length: 200 }, (_, index) =>
      endpoint(`c${index}`, { status: "unreachable", message: "é".repeat(500) }),
    );
    const shown = render({ findings, endpoints });
    expect(Buffer.byteLength(shown)).toBeLessThanOrEqual(60_000);
    for (const title of [...SEVERITIES, "accepted"]) {
      expect(shown).toContain(`### ${count} ${title}`);
      const part = shown.split(`### ${count} ${title}`)[1]?.split("###")[0] ?? "";
      const rows = part.match(/^\| .*`A\.é/gm)?.length ?? 0;
      expect(rows).toBeGreaterThanOrEqual(3);
      if (rows < count) expect(part).toContain(`…and ${count - rows} more ${title}`);
    }
    expect(shown).toMatch(/`exit 1: .*`\n$/);
  });

  it("shows untrusted text as text", () => {
    const evil = "a | b `c` <img src=x> [l](http://x.example) @someone\n| d |";
    const nowhere = { coordinate: null, operations: [], where: null, place: null };
    const shown = render({ findings: [goneField({ ...nowhere, message: evil, subject: evil })] });
    const row = shown.split("\n").find((line) => line.includes("✗")) ?? "";
    // An unescaped bar starts a cell.
    expect(row.match(/(?<!\\)\|/g)).toHaveLength(6);
    const prose = row.split(/(?<!\\)\|/)[2] ?? "";
    expect(prose).not.toMatch(/<|@|:\/\/|(?<!\\)[`[\]()]/);
  });

  it("escapes text exactly once", () => {
    const message = "mail @a at http://b.example & www.c.example, #1: <d> \\ |";
    const shown = render({
      findings: [goneField({ coordinate: null, message, operations: [], subject: "s", place: null })],
    });
    const said = shown
      .split("\n")
      .find((line) => line.includes("✗"))
      ?.split(" | ")[1];
    expect(said).toBe(
      "mail &#64;a at http:&#47;&#47;b.example &amp; www&#46;c.example, \\#1: &lt;d&gt; \\\\ \\|",
    );
  });

  it("escapes bars of code in tables only", () => {
    const [operation] = goneField().operations;
    const operations = operation ? [{ ...operation, file: "a|b.graphql" }] : [];
    const shown = render({ findings: [goneField({ coordinate: "A|B", operations })] });
    expect(shown).toContain("| **✗** `A\\|B` |");
    expect(shown).toContain("- `a|b.graphql:7:5` `A|B` breaks `AssetById`");
  });

  it.each<[code: string, want: string]>([
    ["a`b", "``a`b → gone, and 23 derived``"],
    ["`a", "`` `a → gone, and 23 derived ``"],
    ["a|b", "`a\\|b → gone, and 23 derived`"],
  ])("fences code that contains backticks or bars: %s", (before, want) => {
    expect(render({ findings: [goneField({ before })] })).toContain(`| ${want} |`);
  });

  it("lists the files that a run wrote or removed", () => {
    const moved = [
      { file: "generated/schemas/a.graphql", change: "removed" },
      { file: "generated/schemas/b`.graphql", change: "written" },
    ] as const;
    const shown = render({ moved });
    expect(shown).toContain("<details><summary>Updated snapshot files: 2</summary>");
    expect(shown).toContain(
      "- `generated/schemas/a.graphql` removed\n- ``generated/schemas/b`.graphql`` written\n",
    );
  });
});
