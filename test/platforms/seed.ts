/** What everything is made of: another one each night, and `SEED` to see something again. */
export const SEED = Number(process.env["SEED"] ?? 1);

/** How many questions are asked, `RUNS` of them where that is set. */
export const RUNS = Number(process.env["RUNS"] ?? 16_000);
