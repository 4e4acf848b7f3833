import { cpSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { installAll } from "./support/built-client.ts";
import { IS_THOROUGH } from "./support/is-thorough.ts";
import { REPOSITORY, readRepositoryFile } from "./support/repository.ts";
import { run } from "./support/run.ts";
import { tempProject } from "./support/temp-project.ts";
import { typeErrors } from "./support/type-errors.ts";

const FIXTURE = join(REPOSITORY, "test/fixtures/migrate");

it("the page about migration leads an application from its code to green, with its commands", async () => {
  const project = tempProject();
  cpSync(join(FIXTURE, "before"), project.root, { recursive: true });
  const page = readRepositoryFile("docs/migrate.md");
  const [, section = ""] = /^## An application\n(.*?)^## /ms.exec(page) ?? [];
  // The code and the output on the page are those of the application.
  const shown = [...section.matchAll(/^```(?:text|typescript)\n(.*?)^```$/gms)].map(([, text = ""]) => text);
  const before = project.read("src/streams.ts");
  const after = readRepositoryFile("test/fixtures/migrate/after/src/streams.ts");
  const outputs: string[] = [];
  const commands = [...section.matchAll(/^npx lockflow (.*)$/gm)].map(([, text = ""]) => text);
  for (const command of commands) {
    if (command === "check") {
      project.remove("src/queries.ts");
      project.write("src/streams.ts", after);
    }
    const args = [...command.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? "");
    const { code, out, err } = await run(project.root, args);
    expect({ command, code, err }).toEqual({ command, code: 0, err: "" });
    outputs.push(out);
  }
  expect(commands).toHaveLength(5);
  for (const text of shown) expect([before, after, ...outputs].some((one) => one.includes(text))).toBe(true);
  // Nothing is generated for Flow, or for a style without operations of its own.
  const generated = Object.keys(project.files("src/generated"));
  expect(generated.filter((path) => /\/flow\//.test(path) && !path.includes("/schemas/"))).toEqual([]);
  if (!IS_THOROUGH) return;
  installAll(project.root);
  expect(await typeErrors(project.root)).toBe("");
});
