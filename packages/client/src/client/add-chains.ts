/** The key of a row's chain that the client requests by itself. */
export const CHAIN_KEY = "lockflow";

/** Returns the text that also selects the chain of rows of root fields, as the last field of each. */
export function addChains(text: string, keys: readonly string[] = []): string {
  return keys.reduce(
    (sent, key) => sent.replace(new RegExp(`\\n  ${key}\\b[^]*?(?=\\n  })`), `$&\n    ${CHAIN_KEY}: chainId`),
    text,
  );
}
