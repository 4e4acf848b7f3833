import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { withoutCommands } from "../../../src/base/clean-text.ts";
import { html } from "../../../src/report/forms/html.ts";
import { json } from "../../../src/report/forms/json.ts";
import { bundlePage } from "../../../src/report/forms/page-assets.ts";
import { goneField, PLAIN, report } from "../fixtures.ts";

const page = html.render(report(), PLAIN);

/** The parts of a page between tags. */
function partsOf(text: string) {
  const [, data = ""] = /<script type="application\/json" id="report">(.*?)<\/script>/s.exec(text) ?? [];
  const [, script = ""] = /<script>(.*?)<\/script>/s.exec(text) ?? [];
  const [, style = ""] = /<style>(.*?)<\/style>/s.exec(text) ?? [];
  const [, policy = ""] = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(text) ?? [];
  return { data, script, style, policy };
}

const hashOf = (text: string) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

describe("the HTML page of a report", () => {
  it("has a content security policy that allows only its own script and style", () => {
    const { policy, script, style } = partsOf(page);
    expect(policy.split("; ")).toEqual([
      "default-src 'none'",
      `script-src ${hashOf(script)}`,
      `style-src ${hashOf(style)}`,
      "base-uri 'none'",
      "form-action 'none'",
      "require-trusted-types-for 'script'",
      "trusted-types 'none'",
    ]);
    expect(script).toBe(bundlePage().script);
  });

  it("sends no request", () => {
    const { data } = partsOf(page);
    const bare = page.replace(data, "").replaceAll("http://www.w3.org/2000/svg", "");
    expect(bare).not.toMatch(
      /https?:|\/\/\w|@import|url\(|\bsrc=|<link|<img|<iframe|fetch\(|XMLHttpRequest|import\(/,
    );
    const { script } = partsOf(page);
    expect([...bare.replace(script, "").matchAll(/href="([^"]*)"/g)].map(([, href]) => href)).toEqual([
      "#main",
    ]);
  });

  it("does not create markup from text", () => {
    const { script } = partsOf(page);
    expect(script).not.toMatch(
      /innerHTML|outerHTML|insertAdjacentHTML|document\.write|DOMParser|\beval\b|Function\(/,
    );
  });

  it("contains the report as JSON with at most 5000 findings, and how to accept them", () => {
    expect(JSON.parse(partsOf(page).data)).toEqual(JSON.parse(json.render(report(), PLAIN)));
    expect(page).toContain('data-accept="report" data-more="0"');
    const findings = Array.from({ length: 5001 }, (_, at) => goneField({ subject: `${at}`, operations: [] }));
    const long = html.render(report({ findings }), { ...PLAIN, accept: "never" });
    expect(JSON.parse(partsOf(long).data).findings).toHaveLength(5000);
    expect(long).toContain('data-accept="never" data-more="1"');
  });

  it("is less than 200 KB without its data", () => {
    expect(Buffer.byteLength(page) - Buffer.byteLength(partsOf(page).data)).toBeLessThan(200_000);
  });

  it("shows the outcome without JavaScript", () => {
    const bare = page.replace(/<script.*<\/script>/s, "");
    expect(bare).toContain('<h1 class="exit-1">Not clean: 1 breaking; of 2 operations 1 broken.</h1>');
    expect(bare).toContain("exit 1: 1 finding to act on");
    expect(bare).toMatch(/<title>lockflow [^<]*: Not clean/);
    expect(bare).toContain("<noscript>");
  });

  it("is byte-identical for the same report, and contains no workflow commands", () => {
    expect(html.render(report(), PLAIN)).toBe(page);
    expect(withoutCommands(page)).toBe(page);
  });

  it.each([
    "</script><script>alert(1)</script>",
    "<!--<script>",
    "]]>",
    '"><img src=x onerror=alert(1)>',
    "\u2028\u2029&lt;b&gt;",
    "::add-mask::x",
  ])("is not broken by %j", (text) => {
    const command = `diff ${text}`;
    const given = report({
      run: { ...report().run, command },
      findings: [goneField({ subject: text, coordinate: text, message: text, before: text, fix: text })],
      sources: [{ file: text, line: 1, text }],
    });
    const shown = html.render(given, PLAIN);
    const { data, script } = partsOf(shown);
    expect(data).not.toMatch(/[<>&\u2028\u2029]|::/);
    expect(script).toBe(bundlePage().script);
    expect(shown.match(/<(script|img|b)\b/g)).toEqual(["<script", "<script"]);
    expect(withoutCommands(shown)).toBe(shown);
  });
});
