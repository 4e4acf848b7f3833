import { describe, expect, it } from "vitest";
import { github } from "../../../src/report/forms/github.ts";
import { ACCEPTED, goneField, PLAIN, report } from "../fixtures.ts";

const render = (...findings: ReturnType<typeof goneField>[]) =>
  github.render(report({ findings }), PLAIN).split("\n").slice(0, -1);

describe("GitHub annotations", () => {
  it("have the line of the affected operation", () => {
    const [line] = render(goneField());
    expect(line).toMatch(
      /^::error file=operations\/lockup\/subgraph\/asset.graphql,line=7,col=5,title=drift\/field-removed Asset.symbol::String! → gone, and 23 derived; breaks 1 operation; lockup\/subgraph: linea, zksync%0A.*remove the selection, or wait for linea and zksync to catch up\.$/,
    );
  });

  it("have the line of the snapshot if no operation is affected, and none without a place", () => {
    const quiet = { operations: [], fails: false };
    expect(render(goneField(quiet))[0]).toMatch(
      /^::warning file=generated\/schemas\/lockup\/subgraph.graphql,line=31,title=/,
    );
    expect(render(goneField({ ...quiet, place: null }))[0]).toMatch(/^::warning title=/);
  });

  it("do not repeat their place in the title", () => {
    const place = { file: "operations/lockup/portable/a.graphql", line: 3, column: 5 };
    const invalid = goneField({ code: "operation/invalid", coordinate: null, operations: [], place });
    expect(render(invalid)[0]).toMatch(
      /^::error file=operations\/lockup\/portable\/a.graphql,line=3,col=5,title=operation\/invalid::/,
    );
  });

  it("have paths from the root of the checkout", () => {
    const text = github.render(report({ findings: [goneField()] }), { ...PLAIN, folder: "packages/app/" });
    expect(text).toMatch(/^::error file=packages\/app\/operations\/lockup\/subgraph\/asset.graphql,line=7,/);
  });

  it("are the ten worst findings and the number of the others", () => {
    const many = Array.from({ length: 12 }, (_, index) => goneField({ coordinate: `A.f${index}` }));
    const lines = render(...many, goneField({ severity: "additive", operations: [], fails: false }));
    expect(lines.filter((line) => line.startsWith("::error"))).toHaveLength(10);
    expect(lines.at(-1)).toBe("::notice title=lockflow::+3 more in the text, Markdown and JSON reports");
  });

  it.each([2, 3] as const)("have the reason of a run that ended with %i first", (exit) => {
    const outcome = { exit, reason: "could not run: 100%", categories: [] };
    const findings = Array.from({ length: 12 }, (_, index) => goneField({ coordinate: `A.f${index}` }));
    const lines = github.render(report({ findings, outcome }), PLAIN).split("\n");
    expect(lines[0]).toBe(`::error title=lockflow::exit ${exit}: could not run: 100%25`);
    expect(lines.filter((line) => line.startsWith("::error"))).toHaveLength(10);
  });

  it("are absent if all findings are accepted", () => {
    expect(render(goneField(ACCEPTED))).toEqual([]);
  });

  it("cannot be closed or started by untrusted text", () => {
    const evil = "a%0A\r\n::set-env name=X::y,z:1";
    const lines = render(
      goneField({
        coordinate: evil,
        message: evil,
        before: evil,
        fix: evil,
        operations: [],
        place: { file: `dir,a:b%/${evil}`, line: 1, column: null },
      }),
    );
    expect(lines).toHaveLength(1);
    const [, properties = ""] = /^::error (.*?)::/.exec(lines[0] ?? "") ?? [];
    expect(properties.split(",").map((part) => part.split("=")[0])).toEqual(["file", "line", "title"]);
    expect(properties).toContain("file=dir%2Ca%3Ab%25/a%250A%0D%0A%3A%3Aset-env");
    expect(lines[0]).not.toMatch(/[\r]|%0A::(?!set-env)/);
  });
});
