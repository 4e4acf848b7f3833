import { cpSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { startEmulator } from "../emulator/server/start-emulator.ts";
import type { Client } from "../packages/client/src/client/client-types.ts";
import { STYLE_NAMES } from "../src/dialects/surface.ts";
import type { Adapted } from "../src/tasks/adapt/adapt-types.ts";
import { installClient } from "./support/built-client.ts";
import { commitAll } from "./support/commit-all.ts";
import { IS_THOROUGH } from "./support/is-thorough.ts";
import { createMergedRows } from "./support/merged-rows.ts";
import { REPOSITORY, readRepositoryFile, readRepositoryTree } from "./support/repository.ts";
import { run } from "./support/run.ts";
import { type TempProject, tempProject } from "./support/temp-project.ts";

afterEach(() => {
  vi.unstubAllEnvs();
});

const EXAMPLE = join(REPOSITORY, "examples/merged");
const ROWS = { seed: "lockflow", streams: 12, asOf: null };
const BASE = 8453;

function copyExample(): TempProject {
  const project = tempProject({ "package.json": '{ "type": "module" }' });
  for (const path of ["entities", "lockflow.config.ts", "operations"])
    cpSync(join(EXAMPLE, path), join(project.root, path), { recursive: true });
  return project;
}

/** Moves the operations of both protocols to the merged one. */
async function moveAll(root: string): Promise<Adapted["operations"]> {
  const operations: Adapted["operations"][number][] = [];
  for (const args of [
    ["--protocol", "lockup"],
    ["--protocol", "flow", "--prefix", "Flow"],
  ]) {
    const { code, out, err } = await run(root, ["adapt", ...args, "--to", "streams", "--write", "--json"]);
    expect([code, err]).toEqual([0, ""]);
    operations.push(...(JSON.parse(out) as Adapted).operations);
  }
  return operations;
}

it("the example of merged indexers leads from two protocols to one", async () => {
  const { root, ...project } = copyExample();
  expect(await run(root, ["sync"])).toMatchObject({ code: 0 });
  commitAll({ root, ...project }, "main");

  const operations = await moveAll(root);
  expect(operations.map(({ to, result }) => `${result} ${to}`)).toEqual([
    "adapted operations/streams/portable/counts.graphql",
    "adapted operations/streams/portable/vesting-of.graphql",
    "adapted operations/streams/portable/flow-counts.graphql",
    "adapted operations/streams/portable/flow-payments-to.graphql",
  ]);
  expect(Object.keys(project.files("operations"))).toEqual(operations.map(({ to }) => to).sort());
  // The configuration of the example has what `adapt` notes.
  const noted = operations.flatMap(({ notes }) => notes).filter(({ code }) => code === "adapt/configuration");
  expect(noted.map(({ message }) => message)).toEqual([]);
  expect(await run(root, ["generate"])).toMatchObject({ code: 0 });
  expect(await run(root, ["check"])).toMatchObject({ code: 0 });
});

type Modules = {
  readonly client: {
    readonly createClient: (options: object) => Client;
    readonly run: (...args: readonly unknown[]) => Promise<{ readonly data: object }>;
  };
  readonly operations: Readonly<Record<string, { readonly name: string } & ((data: unknown) => object)>>;
};

async function load(root: string, protocol: string): Promise<Modules> {
  const [client, operations] = await Promise.all([
    import(join(root, "generated/client.ts")),
    import(join(root, `generated/${protocol}/portable.ts`)),
  ]);
  return { client, operations };
}

/** The decoded answers of operations on Base in both styles, by style and name. */
async function readAnswers(
  { client: { createClient, run: send }, operations }: Modules,
  prefix: string,
  names: readonly string[],
): Promise<Map<string, unknown>> {
  const client = createClient({});
  const answers = new Map<string, unknown>();
  const ask = async (name: string, variables: object, style: string) => {
    const { data } = await send(client, operations[prefix + name], variables, {
      chain: BASE,
      styles: [style],
    });
    return operations[`decode${prefix}${name}`]?.(data) as Readonly<Record<string, Row[]>>;
  };
  for (const style of STYLE_NAMES) {
    const { streams = [] } = await ask("RecentStreams", {}, style);
    const [stream] = streams;
    const variables = {
      StreamById: { id: stream?.["id"] },
      ActionsByStream: { streamId: stream?.["id"] },
      BatchesBySender: { sender: stream?.["sender"] },
      StreamsBySender: { sender: stream?.["sender"] },
      StreamsByRecipient: { recipient: stream?.["recipient"] },
      StreamsByParticipant: { address: stream?.["sender"] },
    };
    for (const name of names) {
      answers.set(
        `${style} ${name}`,
        await ask(name, variables[name as keyof typeof variables] ?? {}, style),
      );
    }
  }
  return answers;
}

type Row = Readonly<Record<string, unknown>>;

/** The merged indexer with the sample rows, as a protocol of the emulator. */
const definition = (identity: string) => ({
  entities: readRepositoryFile("examples/merged/entities/streams.graphql"),
  rows: createMergedRows(BASE, ROWS),
  chains: ["base"],
  identity: { protocol: identity, chain: "Watcher.chainId" },
  chainPath: { LockupBatch: "streams", FlowBatch: "streams", Batcher: "lockupBatches" },
});

async function serve(protocols: Readonly<Record<string, ReturnType<typeof definition>>>): Promise<void> {
  const emulator = await startEmulator({ streams: ROWS.streams, protocols });
  onTestFinished(() => emulator.close());
  for (const [name, value] of Object.entries(emulator.env())) vi.stubEnv(name, value);
}

/** The library in the example, with its old and new snapshots committed, and a copy to adapt. */
async function copyLibrary(): Promise<readonly [before: TempProject, after: TempProject]> {
  const before = copyExample();
  for (const protocol of ["lockup", "flow"]) {
    before.remove(`operations/${protocol}`);
    for (const [path, text] of Object.entries(readRepositoryTree(`operations/${protocol}`)))
      before.write(`operations/${protocol}/${path}`, text);
  }
  installClient(before.root);
  expect(await run(before.root, ["sync"])).toMatchObject({ code: 0 });
  commitAll(before, "main");
  const after = tempProject();
  cpSync(before.root, after.root, { recursive: true });
  return [before, after];
}

function expectSame(
  was: ReadonlyMap<string, unknown>,
  is: ReadonlyMap<string, unknown>,
  operations: Adapted["operations"],
): void {
  const merged = new Set(
    operations.flatMap(({ name, notes }) =>
      notes.some(({ code }) => code === "adapt/merged") ? [name] : [],
    ),
  );
  for (const [key, answer] of was) {
    expect(JSON.stringify(answer, text).length, key).toBeGreaterThan(30);
    const isMerged = merged.has(key.split(" ")[1] ?? "");
    expect(isMerged ? onlyRowsOf(is.get(key), answer) : is.get(key), key).toEqual(answer);
  }
}

function portableNames(operations: Adapted["operations"], protocol: string): string[] {
  const names = operations
    .filter(({ surface }) => surface === `${protocol}/portable`)
    .map(({ name }) => name);
  expect(names.length).toBeGreaterThan(9);
  return names;
}

describe.runIf(IS_THOROUGH)(
  "all operations of the library return the same rows from the merged indexer",
  () => {
    it("moved to it", async () => {
      const [before, after] = await copyLibrary();
      const operations = await moveAll(after.root);
      expect(await run(after.root, ["generate"])).toMatchObject({ code: 0 });
      expect(await run(after.root, ["check"])).toMatchObject({ code: 0 });
      await serve({ streams: definition("LockupStream.depositAmount") });
      for (const [protocol, prefix] of [
        ["lockup", ""],
        ["flow", "Flow"],
      ] as const) {
        const names = portableNames(operations, protocol);
        const was = await readAnswers(await load(before.root, protocol), "", names);
        const is = await readAnswers(await load(after.root, "streams"), prefix, names);
        expectSame(was, is, operations);
      }
    });

    it.each([
      ["lockup", "LockupStream.depositAmount"],
      ["flow", "FlowStream.ratePerSecond"],
    ])("in place, of %s", async (protocol, identity) => {
      const [before, after] = await copyLibrary();
      // What takes the place of the old indexer has the definition of the merged one.
      for (const other of ["lockup", "flow", "streams"].filter((key) => key !== protocol))
        after.remove(`generated/schemas/${other}`);
      const config = after.read("lockflow.config.ts");
      after.write(
        "lockflow.config.ts",
        config
          .replace("LockupStream.depositAmount", identity)
          .replace("{ lockup: true, flow: true, streams }", `{ ${protocol}: streams }`),
      );
      expect(await run(after.root, ["introspect"])).toMatchObject({ code: 0 });
      const { code, out } = await run(after.root, ["adapt", "--write", "--json"]);
      const { operations } = JSON.parse(out) as Adapted;
      expect([code, operations.filter(({ result }) => result === "refused")]).toEqual([0, []]);
      expect(await run(after.root, ["generate"])).toMatchObject({ code: 0 });
      expect(await run(after.root, ["check"])).toMatchObject({ code: 0 });

      const names = portableNames(operations, protocol);
      await serve({});
      const was = await readAnswers(await load(before.root, protocol), "", names);
      await serve({ [protocol]: definition(identity) });
      const is = await readAnswers(await load(after.root, protocol), "", names);
      expectSame(was, is, operations);
    });
  },
);

/** The rows of an answer that another one has too: a shared entity has rows of both protocols. */
function onlyRowsOf(answer: unknown, other: unknown): unknown {
  const [[key = "", rows = []] = []] = Object.entries(answer as Readonly<Record<string, Row[]>>);
  const ids = new Set((other as Readonly<Record<string, Row[]>>)[key]?.map(({ id }) => id));
  return { [key]: rows.filter(({ id }) => ids.has(id)) };
}

function text(_key: string, value: unknown): unknown {
  return typeof value === "bigint" ? String(value) : value;
}
