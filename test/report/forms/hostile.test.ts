import { isIPv6 } from "node:net";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { github } from "../../../src/report/forms/github.ts";
import { markdown } from "../../../src/report/forms/markdown.ts";
import { text } from "../../../src/report/forms/text.ts";
import { checkReport } from "../../support/check-report.ts";
import { runs } from "../../support/runs.ts";
import { endpoint, goneField, PLAIN, RENDERERS, report } from "../fixtures.ts";

/** Texts with characters that have a meaning in one of the forms. */
const words = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        "%0A",
        "\n",
        "\r",
        "::",
        ",",
        "|",
        "`",
        "```",
        "<b>",
        "]]>",
        "&",
        "\u001b[31m",
        "\u202e",
        "\ud800",
        "@a",
        "::set-output name=a::b",
        "::add-mask::a",
        "##[stop-commands]",
        "##vso[task.setvariable]",
        "##",
        "[",
        "]",
        ":",
        "[::",
        "f::1]",
        "\u200b",
      ),
      // A string of any code points would first make a map of all of them, which takes seconds.
      fc.array(fc.nat(0x10ffff), { maxLength: 4 }).map((codes) => String.fromCodePoint(...codes)),
    ),
    { minLength: 1, maxLength: 8 },
  )
  .map((parts) => `x${parts.join("")}`);

const findings = fc
  .record({
    subject: words,
    message: words,
    coordinate: fc.option(words),
    before: fc.option(words),
    after: fc.option(words),
    fix: fc.option(words),
    place: fc.option(words.map((file) => ({ file, line: 1, column: null }))),
    acceptance: fc.option(words.map((reason) => ({ reason, until: null }))),
  })
  .map((parts) => {
    const accepted = parts.acceptance !== null;
    const operations = goneField().operations.map((operation) => ({
      ...operation,
      name: parts.subject,
      message: parts.message,
    }));
    return goneField({ ...parts, operations, accepted, fails: !accepted });
  });

const reports = fc
  .tuple(fc.array(findings, { minLength: 1, maxLength: 4 }), words)
  .map(([list, message]) =>
    report({ findings: list, endpoints: [endpoint("base", { status: "refused", message })] }),
  );

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
const MOVING = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/;

describe("untrusted text in reports", () => {
  const check = (property: (given: ReturnType<typeof report>) => void) =>
    fc.assert(fc.property(reports, property), { numRuns: runs(4, 100) });

  it("has no cursor movement and no change of the writing direction", () => {
    check((given) => {
      for (const form of [text, markdown, github]) {
        expect(form.render(given, PLAIN)).not.toMatch(MOVING);
      }
    });
  });

  it("does not start a new line among annotations", () => {
    check((given) => {
      const lines = github.render(given, PLAIN).split("\n").slice(0, -1);
      expect(lines).toHaveLength(given.findings.filter(({ accepted }) => !accepted).length);
      for (const line of lines) expect(line).toMatch(/^::error file=[^,:]*,line=\d+,col=\d+,title=[^,:]*::/);
    });
  });

  it("is never a workflow command, in any form", () => {
    check((given) => {
      for (const [name, form] of Object.entries(RENDERERS)) {
        const lines = form.render(given, PLAIN).split("\n");
        const commands = lines.filter((line) => {
          const rest = name === "github" ? line.replace(/^::(error|notice)( [^:]*)?::/, "") : line;
          // An IPv6 address in brackets is not a command: no line begins with it.
          const left = rest.replaceAll(/\[([^\][]*)\]/g, (match, inside) => (isIPv6(inside) ? "[]" : match));
          return /::|##[a-z]*\[/i.test(left);
        });
        expect(commands, name).toEqual([]);
      }
    });
  });

  it("is unchanged in JSON", () => {
    check((given) => {
      const messages = given.findings.map(({ message, subject }) => [message, subject]);
      const { findings } = JSON.parse(RENDERERS.json.render(given, PLAIN));
      expect(
        findings.map((finding: (typeof given)["findings"][number]) => [finding.message, finding.subject]),
      ).toEqual(messages);
    });
  });

  it("does not close a cell of a Markdown table", () => {
    check((given) => {
      const rows = markdown
        .render(given, PLAIN)
        .split("\n")
        .filter((line) => line.startsWith("|") && line.includes("drift/field-removed"));
      expect(rows).toHaveLength(given.findings.length);
      for (const row of rows) expect(row.replaceAll(/\\[\\|]/g, "").match(/\|/g)).toHaveLength(6);
    });
  });

  it("gives JSON that is valid against the schema, and valid SARIF", () => {
    check((given) => {
      expect(checkReport(JSON.parse(RENDERERS.json.render(given, PLAIN)))).toEqual([]);
      JSON.parse(RENDERERS.sarif.render(given, PLAIN));
    });
  });
});
