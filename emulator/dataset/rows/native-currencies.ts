/** The native currencies of the chains that do not pay in ETH, by chain id. */
export const NATIVE_CURRENCIES: ReadonlyMap<number, string> = new Map([
  [50, "XDC"],
  [56, "BNB"],
  [100, "xDAI"],
  [137, "POL"],
  [1329, "SEI"],
  [4689, "IOTX"],
  [5845, "TNT"],
  [43114, "AVAX"],
  [50104, "SOPH"],
  [80094, "BERA"],
  [88888, "CHZ"],
]);
