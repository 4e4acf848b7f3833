import { join } from "node:path";
import { readText } from "../../base/disk/read-tree.ts";

/** A file of variables that tools load, such as `.env.local`. */
export type EnvFile = {
  readonly name: string;
  /** Values by variable. They may be keys: for comparisons only, never for messages. */
  readonly values: ReadonlyMap<string, string>;
  /** Whether it is the kind of file that shows people what to set. */
  readonly isExample: boolean;
};

/** Reads the `.env` files among the files of a folder. One that cannot be read counts as empty. */
export async function readEnvFiles(root: string, names: readonly string[]): Promise<EnvFile[]> {
  const found = names.filter((name) => /^\.env(\.|$)/.test(name));
  return Promise.all(
    found.map(async (name) => {
      const text = await readText(join(root, name)).catch(() => null);
      return { name, values: parseValues(text ?? ""), isExample: EXAMPLE.test(name) };
    }),
  );
}

const EXAMPLE = /\.(example|sample|template|dist|defaults?)$/;

function parseValues(text: string): Map<string, string> {
  const values = new Map<string, string>();
  for (const line of text.split("\n")) {
    const [, name, value = ""] = /^\s*(?:export\s+)?([A-Za-z_]\w*)\s*=\s*(.*)$/.exec(line) ?? [];
    if (name === undefined) continue;
    const quoted = /^(["'`])(.*)\1/.exec(value);
    values.set(name, quoted?.[2] ?? value.replace(/\s+#.*$/, "").trim());
  }
  return values;
}
