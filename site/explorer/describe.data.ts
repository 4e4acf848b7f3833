import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";

/** Returns what `lockflow describe --json` prints in the repository. */
export default {
  load: () => {
    const cwd = fileURLToPath(new URL("../..", import.meta.url));
    const args = ["--import", "tsx", "src/cli/main.ts", "describe", "--json"];
    return JSON.parse(execFileSync(process.execPath, args, { cwd, encoding: "utf8", maxBuffer: 1e8 }));
  },
};
