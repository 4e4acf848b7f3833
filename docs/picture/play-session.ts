import { rmSync } from "node:fs";
import { startEmulator } from "../../emulator/server/start-emulator.ts";
import { runCommandLine } from "../../src/cli/run-command-line.ts";
import { ENV, makeProject } from "./make-project.ts";
import type { Turn } from "./render-terminal.ts";

/** Plays the session of the picture: one deployment has dropped a field, and `drift` reports what that breaks. */
export async function playSession(): Promise<Turn[]> {
  const emulator = await startEmulator({
    // The picture shows no rows.
    streams: 1,
    faults: [{ kind: "drop-field", field: "Stream.cliffAmount", deployment: "protocol-lockup-linea" }],
  });
  const root = makeProject(emulator);
  try {
    return [await run(root, "drift")];
  } finally {
    rmSync(root, { recursive: true, force: true });
    await emulator.close();
  }
}

async function run(root: string, args: string): Promise<Turn> {
  let output = "";
  await runCommandLine(args.split(" "), {
    cwd: root,
    env: ENV,
    out: (text) => {
      output += text;
    },
    err: () => {},
    isTerminal: false,
    untilStopped: () => Promise.resolve(),
  });
  return { command: `npx lockflow ${args}`, output: output.trimEnd().split("\n") };
}
