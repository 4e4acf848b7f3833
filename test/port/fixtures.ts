import { once } from "../../src/base/collections.ts";
import { type Ported, type PortOptions, port } from "../../src/port/port.ts";
import { generatedProject } from "../support/generated-project.ts";
import type { TempProject } from "../support/temp-project.ts";

const ENTITIES = `
  enum Category { Linear Tranched }
  type Stream @entity(immutable: false) {
    id: String! chainId: BigInt! subgraphId: BigInt! alias: String! sender: Bytes! category: Category!
    canceled: Boolean! timestamp: BigInt! endTime: BigInt shape: String asset: Asset!
    actions: [Action!]! @derivedFrom(field: "stream")
  }
  type Asset @entity(immutable: false) { id: String! chainId: BigInt! symbol: String! decimals: BigInt! }
  type Action @entity(immutable: true) { id: String! chainId: BigInt! stream: Stream! amount: BigInt block: BigInt! }
`;

/** A project with snapshots of lockup, and the given files. */
export function createProject(files: Readonly<Record<string, string>>): TempProject {
  const project = generatedProject({}, ENTITIES);
  for (const [path, text] of Object.entries(files)) project.write(path, text);
  return project;
}

/** Ports the files of a project without a proof. */
export function portFiles(
  files: Readonly<Record<string, string>>,
  more: Partial<PortOptions> = {},
): Promise<Ported> {
  return port({ cwd: createProject(files).root, patterns: ["src"], against: null, ...more });
}

/** Returns the text of an operation in a diff of new files. */
function addedText(diff: string, path: string | null | undefined): string {
  const [, section = ""] = diff.split(`+++ ${path}\n`);
  const lines = (section.split(/^--- /m)[0] ?? "").split("\n").filter((line) => line.startsWith("+"));
  return lines.map((line) => line.slice(1)).join("\n");
}

/** Ports the documents of a table, all at once, and returns a function that picks the results of a row. */
export function portRows<T>(
  rows: readonly T[],
  textOf: (row: T, at: number) => string,
  pathOf = (at: number) => `src/r${at}.ts`,
) {
  const all = once(() => portFiles(Object.fromEntries(rows.map((row, at) => [pathOf(at), textOf(row, at)]))));
  return async (at: number) => {
    const { operations, diff } = await all();
    const [operation] = operations.filter(({ from }) => from.some(({ file }) => file === pathOf(at)));
    if (operation === undefined) throw new TypeError("There is no operation.");
    const codes = operation.reasons.map(({ code }) => code);
    return { ...operation, text: addedText(diff, operation.to), codes };
  };
}

/** Ports one document of a file of operations. */
export function portText(text: string) {
  return portRows(
    [text],
    () => text,
    () => "src/one.graphql",
  )(0);
}

/** Rows of a table with their numbers. */
export function numbered<T extends readonly unknown[]>(rows: readonly T[]) {
  return rows.map((row, at) => [at, ...row] as const);
}
