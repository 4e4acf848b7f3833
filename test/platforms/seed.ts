/** The seed of all values: another one each night, or `SEED` to repeat a run. */
export const SEED = Number(process.env["SEED"] ?? 1);

/** The number of queries; `RUNS` overrides it. */
export const RUNS = Number(process.env["RUNS"] ?? 16_000);
