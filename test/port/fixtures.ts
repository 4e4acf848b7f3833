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

/** Ports one document of a file of operations. */
export async function portText(text: string) {
  const { operations, diff } = await portFiles({ "src/one.graphql": text });
  const [operation] = operations;
  if (operation === undefined) throw new TypeError("There is no operation.");
  const added = diff
    .split("\n")
    .filter((line) => line.startsWith("+") && !line.startsWith("+++"))
    .map((line) => line.slice(1));
  return { ...operation, text: added.join("\n"), codes: operation.reasons.map(({ code }) => code) };
}
