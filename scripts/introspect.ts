// `npm run introspect`: the CLI's command of that name, from source.
process.argv.splice(2, 0, "introspect");
await import("../src/cli/main.ts");

export {};
