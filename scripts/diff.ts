// `npm run diff`: the CLI's command of that name, from source.
process.argv.splice(2, 0, "diff");
await import("../src/cli/main.ts");

export {};
