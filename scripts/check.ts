// `npm run check`: the CLI's command of that name, from source.
process.argv.splice(2, 0, "check");
await import("../src/cli/main.ts");

export {};
