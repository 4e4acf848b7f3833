/** The oldest release of Node that runs Lockflow, as package.json says. */
export const OLDEST_NODE = [20, 19] as const;

/**
 * What to say to a Node that is too old; null when it is not. This has to run on any Node, so it uses nothing that a
 * later one brought.
 *
 * @param version as `process.versions.node` says it: `18.20.8`.
 */
export function describeOldNode(version: string): string | null {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const [oldestMajor, oldestMinor] = OLDEST_NODE;
  if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)) return null;
  return [
    `lockflow: Node ${version} is too old: Lockflow needs ${oldestMajor}.${oldestMinor} or newer.`,
    "Hint: install a newer one (https://nodejs.org), or switch to it with your version manager: nvm install 22.",
    "",
  ].join("\n");
}
