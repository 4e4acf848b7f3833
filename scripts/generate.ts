// `npm run generate`: the CLI's command of that name, from source.
process.argv.splice(2, 0, "generate");
await import("../src/cli/main.ts");

export {};
