/** The oldest supported release of Node, as in package.json. */
export const OLDEST_NODE = [20, 19] as const;

/** Returns the error message for a Node that is too old, else null. It has to run on any Node. */
export function describeOldNode(version: string): string | null {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  if (major > OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor >= OLDEST_NODE[1])) return null;
  return [
    `lockflow: Node ${version} is too old. Lockflow needs ${OLDEST_NODE.join(".")} or newer.`,
    "Hint: install a newer Node from https://nodejs.org or with your version manager: nvm install 22.",
    "",
  ].join("\n");
}
