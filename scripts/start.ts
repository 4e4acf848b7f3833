// `npm start`: the whole job, from source.
process.argv.splice(2, 0, "sync");
await import("../src/cli/main.ts");

export {};
