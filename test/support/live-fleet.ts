import { afterAll, beforeAll, onTestFinished } from "vitest";
import type { Fault } from "../../emulator/faults/fault.ts";
import { type Emulator, type EmulatorOptions, startEmulator } from "../../emulator/server/start-emulator.ts";
import type { Report } from "../../src/report/report.ts";
import { copyFewOperations } from "./repository.ts";
import { type RunResult, run } from "./run.ts";
import { type TempProject, tempProject } from "./temp-project.ts";
import { testServer } from "./test-server.ts";

let shared: Promise<Emulator> | undefined;

/**
 * Lets all tests of a suite ask one emulator, since what it made for one of them is there for the next. Of two
 * fleets in a test, the faults of the later hold.
 */
export function shareEmulator(): void {
  beforeAll(() => {
    shared = startEmulator(FEW_ROWS);
  });
  afterAll(async () => {
    const emulator = await shared;
    shared = undefined;
    await emulator?.close();
  });
}

/** Tests here request a schema and a head, as often as they like. */
const FEW_ROWS: EmulatorOptions = { streams: 1, dailyQueries: 1_000_000 };

type FleetOptions = Pick<EmulatorOptions, "deployments"> & {
  readonly protocols?: readonly string[];
  /** The ends of the names of those that are asked. @default all */
  readonly suffixes?: readonly string[];
  /** Milliseconds for each request. */
  readonly timeout?: number;
};

/** This repository's snapshots and operations, asked of an emulator where things go wrong. */
export async function liveFleet(
  faults: readonly Fault[],
  edit: (urls: Record<string, string>) => void | Promise<void> = () => {},
  { protocols = ["lockup"], suffixes, timeout = 15_000, deployments }: FleetOptions = {},
): Promise<TempProject> {
  const emulator = await emulatorWith(faults, deployments);
  const urls: Record<string, string> = {};
  // Testing where there is one comes last: it needs no key.
  for (const { deployment, url } of emulator.endpoints) {
    const [, protocol = "", suffix = ""] = /^\w+-(\w+)-(.+)$/.exec(deployment) ?? [];
    if (protocols.includes(protocol) && (suffixes?.includes(suffix) ?? true)) urls[deployment] = url;
  }
  await edit(urls);
  const project = tempProject({
    "lockflow.config.json": JSON.stringify({
      protocols,
      timeout,
      deployments: Object.fromEntries(
        Object.entries(urls).map(([name, url]) => [
          name,
          /-multichain$/.test(name) || url.includes("/testing/")
            ? { [url.includes("/testing/") ? "testing" : "production"]: { url } }
            : { production: { url, apiKey: { env: "KEY" } } },
        ]),
      ),
    }),
  });
  for (const protocol of protocols) copyFewOperations(project.root, protocol);
  return project;
}

async function emulatorWith(
  faults: readonly Fault[],
  deployments: FleetOptions["deployments"],
): Promise<Emulator> {
  // What flaps counts the requests since the start.
  const isOwn = deployments !== undefined || faults.some(({ kind }) => kind === "flapping");
  if (shared === undefined || isOwn) {
    const emulator = await startEmulator({ ...FEW_ROWS, faults, deployments });
    onTestFinished(() => emulator.close());
    return emulator;
  }
  const emulator = await shared;
  emulator.clearFaults();
  for (const fault of faults) await emulator.fault(fault);
  return emulator;
}

/** Runs `lockflow drift` for people and for programs at once. */
export async function drift(
  project: TempProject,
  ...args: string[]
): Promise<RunResult & { readonly report: Report }> {
  const result = await run(project.root, ["drift", "--report", "text,json=out.json", ...args], {
    env: { KEY: "emulator" },
  });
  if (result.code === 2) throw new Error(result.err);
  return { ...result, report: JSON.parse(project.read("out.json")) };
}

/** A fault's scope: the lockup deployment of a suffix. */
export const lockup = (suffix: string) => ({ deployment: `protocol-lockup-${suffix}` });

/** The answer of an indexer, as far as tests change it. */
type Answer = {
  data: {
    // biome-ignore lint/suspicious/noExplicitAny: tests reach into answers of any shape, damaged ones too
    [name: string]: any;
  };
};

/**
 * Puts a server in front of a deployment that passes everything on and changes the answers: for what no fault of the
 * emulator does.
 */
export function inFront(
  deployment: string,
  change: (answer: Answer) => void,
): (urls: Record<string, string>) => Promise<void> {
  return async (urls) => {
    const target = urls[deployment] ?? "";
    const { url } = await testServer(async ({ body }, response) => {
      const passed = await fetch(target, {
        method: "POST",
        headers: { "content-type": "application/json", authorization: "Bearer emulator" },
        body,
      });
      const answer = (await passed.json()) as Answer;
      change(answer);
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify(answer));
    });
    urls[deployment] = `${url}${new URL(target).pathname}`;
  };
}
