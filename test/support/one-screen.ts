/** Returns the parts of a text report beyond one screen: the number of lines too many, and lines too wide. */
export function beyondOneScreen(out: string): { readonly lines: number; readonly wide: readonly string[] } {
  const lines = out.trimEnd().split("\n");
  return {
    lines: Math.max(0, lines.length - 39),
    wide: lines.filter((line) => line.length > 160 && !line.includes("://")),
  };
}

export const ONE_SCREEN = { lines: 0, wide: [] };
