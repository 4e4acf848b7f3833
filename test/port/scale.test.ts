import { expect, it } from "vitest";
import { builtProgram } from "../support/built-program.ts";
import { IS_THOROUGH } from "../support/is-thorough.ts";
import { runNode } from "../support/run-process.ts";
import { createProject } from "./fixtures.ts";

/** A component of eight kilobytes with templates, JSX and objects, but without a document. */
function component(index: number): string {
  const part = (at: number) => `
export function Part${at}({ id, rows }: { readonly id: string; readonly rows: readonly Row[] }) {
  const label = useMemo(() => \`\${id}-${at}: {\${rows.length}}\`, [id, rows]);
  const shown = rows.filter(({ amount }) => amount > ${at}).map((row) => ({ ...row, key: \`{ \${row.id} }\` }));
  return (
    <section aria-label={label} className="{ part }">
      {shown.map((row) => (
        <Item key={row.key} title={"{ " + row.id + " }"} onSelect={() => select(row.id, { at: ${at} })} />
      ))}
    </section>
  );
}
`;
  return `import { useMemo } from "react";\nimport { Item } from "./c${index + 1}.js";\n${Array.from({ length: 15 }, (_, at) => part(at)).join("")}`;
}

it.runIf(IS_THOROUGH)("reads 1,000 files of code in 10 s with 400 MB", async () => {
  const files = Array.from({ length: 1000 }, (_, index): [string, string] => {
    const document = `\nexport const streamsQuery${index} = (id: string) => \`{ streams(first: ${index + 1}, where: { alias: "\${id}" }) { id } }\`;\n`;
    return [`src/c${index}.tsx`, component(index) + (index % 20 === 0 ? document : "")];
  });
  const { root } = createProject(Object.fromEntries(files));
  const measure = 'process.on("exit", () => process.stderr.write(String(process.resourceUsage().maxRSS)))';
  const args = ["--import", `data:text/javascript,${encodeURIComponent(measure)}`, builtProgram()];
  const start = performance.now();
  const { out, err, code } = await runNode([...args, "port", "src", "--no-proof", "--json"], { cwd: root });
  expect(performance.now() - start).toBeLessThan(10_000);
  expect({ code, operations: JSON.parse(out).operations.length }).toEqual({ code: 0, operations: 50 });
  expect(Number(err)).toBeLessThan(400 * 1024);
});
