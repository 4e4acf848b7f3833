import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";

/** Starts a server of Next.js on a free port, and returns its process and URL. */
export async function startNext(
  project: string,
  command: "dev" | "start",
  env: NodeJS.ProcessEnv,
): Promise<readonly [ChildProcess, string]> {
  const program = join(project, "node_modules/next/dist/bin/next");
  const args = [program, command, "--port", "0", "--hostname", "127.0.0.1"];
  const started = spawn(process.execPath, args, { cwd: project, env });
  let output = "";
  started.stderr.on("data", (text) => {
    output += text;
  });
  for (;;) {
    const [text] = await Promise.race([
      once(started.stdout, "data"),
      once(started, "exit").then(() => Promise.reject(new Error(output))),
    ]);
    output += text;
    const found = /http:\/\/127\.0\.0\.1:\d+/.exec(output)?.[0];
    if (found !== undefined) return [started, found];
  }
}
