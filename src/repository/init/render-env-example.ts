import { readOwnFile } from "../../base/disk/read-own-file.ts";
import type { Layout } from "./repository.ts";

/** Renders the variables of hosts and keys that the configuration leaves to be read, without their values. */
export function renderEnvExample(configName: string, { variables, ids }: Layout): string {
  const template = readOwnFile("src/repository/init/templates/env.example")
    .replaceAll("lockflow.config.ts", configName)
    .replace(/(?<=gateway\.example\/)\{deployment\}/, ids === null ? "{deployment}" : "{id}")
    .replace("LOCKFLOW_PROTOCOL_ID=\n", () =>
      variables
        .filter((name) => ID.test(name))
        .map((name) => `${name}=\n`)
        .join(""),
    );
  const [head = "", ...sections] = template.trimEnd().split("\n\n");
  const others = variables.filter((name) => !new RegExp(`^(# )?${name}=$`, "m").test(template));
  const shown = [...sections, [`# Named by ${configName}.`, ...others.map((name) => `${name}=`)].join("\n")]
    .map((section) => section.split("\n").filter((line) => isShown(line, variables)))
    .filter(({ length }) => length > 1);
  return `${[head, ...shown.map((lines) => lines.join("\n"))].join("\n\n")}\n`;
}

/** The variable of a protocol's id. */
const ID = /^LOCKFLOW_\w+_ID$/;

/** Whether a line is a comment, or names a variable that is read. */
function isShown(line: string, variables: readonly string[]): boolean {
  const name = /^(?:# )?(\w+)=$/.exec(line)?.[1];
  return name === undefined || variables.includes(name);
}
