/** The oldest release of Node that runs Lockflow, as package.json says. */
export const OLDEST_NODE = [20, 19] as const;

/** What to say to a Node that is too old, else null. It runs on any Node, so it uses nothing that is new. */
export function describeOldNode(version: string): string | null {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  if (major > OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor >= OLDEST_NODE[1])) return null;
  return [
    `lockflow: Node ${version} is too old: Lockflow needs ${OLDEST_NODE.join(".")} or newer.`,
    "Hint: install a newer one (https://nodejs.org), or switch to it with your version manager: nvm install 22.",
    "",
  ].join("\n");
}
