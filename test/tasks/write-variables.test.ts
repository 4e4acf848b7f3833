import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { writeVariables } from "../../src/tasks/write-variables.ts";
import { tempProject } from "../support/temp-project.ts";

const VARIABLES = {
  LOCKFLOW_LOCKUP_ID: "9c96451",
  LOCKFLOW_MULTICHAIN_URL: "http://127.0.0.1:4350/{id}/v1/graphql",
  LOCKFLOW_SUBGRAPH_API_KEY: "emulator",
};
const LINES = Object.entries(VARIABLES).map(([name, value]) => `${name}=${value}`);

async function write(before: string | null): Promise<string> {
  const path = join(tempProject().root, ".env");
  if (before !== null) writeFileSync(path, before);
  try {
    await writeVariables(path, VARIABLES);
  } catch (error) {
    expect(readFileSync(path, "utf8")).toBe(before);
    throw error;
  }
  return readFileSync(path, "utf8");
}

it.each([
  ["creates a file", null, `${LINES.join("\n")}\n`],
  ["appends to other lines", "# mine\nA=1", `# mine\nA=1\n${LINES.join("\n")}\n`],
  ["keeps the line ends", "A=1\r\n", `A=1\r\n${LINES.join("\r\n")}\r\n`],
  [
    "replaces the values of an earlier emulator in place",
    "LOCKFLOW_LOCKUP_ID=old\nA=1\nexport LOCKFLOW_MULTICHAIN_URL='http://localhost:1/{id}' # local\n",
    `LOCKFLOW_LOCKUP_ID=9c96451\nA=1\nexport ${LINES[1]}\n${LINES[2]}\n`,
  ],
  [
    "fills empty values and those of a comment",
    'LOCKFLOW_LOCKUP_ID=\r\nLOCKFLOW_SUBGRAPH_API_KEY= # yours\r\nLOCKFLOW_MULTICHAIN_URL=""\r\n',
    `${LINES[0]}\r\nLOCKFLOW_SUBGRAPH_API_KEY= emulator\r\n${LINES[1]}\r\n`,
  ],
  [
    "changes no comment",
    `#LOCKFLOW_LOCKUP_ID=x\n${LINES.join("\n")}`,
    `#LOCKFLOW_LOCKUP_ID=x\n${LINES.join("\n")}\n`,
  ],
])("writeVariables %s", async (_, before, after) => {
  expect(await write(before)).toBe(after);
});

const [ID, URL] = ["LOCKFLOW_LOCKUP_ID", "LOCKFLOW_MULTICHAIN_URL"];
it.each([
  ["a real key", `${LINES[1]}\nLOCKFLOW_SUBGRAPH_API_KEY=0123456789abcdef\n`, "LOCKFLOW_SUBGRAPH_API_KEY"],
  ["another host", `${URL}=https://indexer.example/{id}\n`, URL],
  ["a host that begins like a local one", `${URL}=http://127.0.0.1.example/\n`, URL],
  ["an id beside another host", `${ID}=ab12\n${URL}=https://indexer.example/{id}\n`, `${ID}, ${URL}`],
  ["an id without a URL", `${ID}=ab12`, ID],
  ["a second line of one name", `${LINES[1]}\n${URL}=https://a.example/{id}`, URL],
])("writeVariables writes nothing over %s", async (_, before, names) => {
  await expect(write(before)).rejects.toThrow(`has values that the emulator did not write: ${names}.`);
});

it("writeVariables throws for a folder", async () => {
  const { root } = tempProject();
  mkdirSync(join(root, "folder"));
  await expect(writeVariables(join(root, "folder"), VARIABLES)).rejects.toThrow("folder");
});

it("writeVariables writes the target of a link", async () => {
  const { root } = tempProject();
  writeFileSync(join(root, "shared.env"), "A=1\n");
  symlinkSync("shared.env", join(root, ".env"));
  await writeVariables(join(root, ".env"), VARIABLES);
  expect(readFileSync(join(root, "shared.env"), "utf8")).toBe(`A=1\n${LINES.join("\n")}\n`);
});
