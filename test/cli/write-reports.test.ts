import { stripVTControlCharacters } from "node:util";
import { expect, it } from "vitest";
import { parseJudging, writeReports } from "../../src/cli/reporting.ts";
import { resolveProject } from "../../src/project/project.ts";
import { goneField, report } from "../report/fixtures.ts";
import { tempProject } from "../support/temp-project.ts";

const BOTH = { out: true, err: true };

it.each<[name: string, forms: string, colors: Readonly<Record<"out" | "err", boolean>>, want: string[]]>([
  ["the stream of a terminal", "text", BOTH, ["out"]],
  ["nothing in a pipe", "text", { out: false, err: true }, []],
  ["nothing in a file", "text=a.txt,markdown=b.md,sarif=c.json", BOTH, []],
  ["the other stream, beside a form for programs", "text,json", BOTH, ["err"]],
  ["nothing in a form for programs", "json", BOTH, []],
  ["no annotations", "github", BOTH, []],
])("colours %s", async (_, forms, colors, want) => {
  const project = tempProject();
  const shown = { out: "", err: "" };
  const write = (stream: "out" | "err") => (text: string) => {
    shown[stream] += text;
  };
  const [out, err] = [write("out"), write("err")];
  await writeReports(
    {
      cwd: project.root,
      env: {},
      positionals: [],
      isTerminal: true,
      colors,
      out,
      err,
      asIs: { out, err },
      untilStopped: () => Promise.resolve(),
    },
    report({ findings: [goneField()] }),
    {
      ...parseJudging({
        report: forms,
        json: false,
        failOn: undefined,
        exhaustiveEnums: false,
        verbose: false,
      }),
      accept: "report",
      place: resolveProject({}, project.root),
    },
  );
  const texts = { ...shown, ...project.files() };
  expect(Object.keys(texts).length).toBeGreaterThan(0);
  const colored = Object.entries(texts).filter(([, text]) => stripVTControlCharacters(text) !== text);
  expect(colored.map(([name]) => name)).toEqual(want);
});
