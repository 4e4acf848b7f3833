/** Whether a value looks like what stands in an example until somebody puts a key there. */
export function isPlaceholder(value: string): boolean {
  const plain = value.replaceAll(/["']/g, "").trim();
  return plain.length < 4 || PLACEHOLDER.test(plain) || /^(.)\1*$/.test(plain);
}

const PLACEHOLDER =
  /^(<.*>|\[.*\]|\{.*\}|\$\{?\w+\}?|.*(…|\.\.\.).*|(your|my|insert|enter|paste|put|add|replace|change)[-_ ]?.*|(todo|tbd|fixme|example|placeholder|dummy|secret|none|null|undefined|key|api[-_ ]?key|token)([-_ ].*)?)$/i;
