/** How often a property is tried: so often as finds what more runs find, or `RUNS` times where that is set. */
export function runs(usual: number): number {
  return Number(process.env["RUNS"] ?? usual);
}
