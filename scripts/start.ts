// `npm start`: the command `sync`, from source.
process.argv.splice(2, 0, "sync");
await import("../src/cli/main.ts");

export {};
