import { complete } from "./completion.ts";
import { createEngine } from "./engine.ts";
import type { Call, Tasks } from "./protocol.ts";

const FOLDER = "../../generated/schemas";
const snapshots = import.meta.glob<string>("../../generated/schemas/*/*.graphql", {
  query: "?raw",
  import: "default",
});
const library = import.meta.glob<string>("../../operations/*/portable/fragments/*.graphql", {
  query: "?raw",
  import: "default",
  eager: true,
});

async function loadTasks(protocol: string): Promise<Tasks> {
  const [multichain = "", subgraph = ""] = await Promise.all(
    ["multichain", "subgraph"].map((style) => snapshots[`${FOLDER}/${protocol}/${style}.graphql`]?.()),
  );
  const fragments = Object.entries(library)
    .filter(([path]) => path.includes(`/${protocol}/`))
    .map(([path, text]) => ({ path: path.replace("../../", ""), text }));
  const engine = createEngine(protocol, { multichain, subgraph }, fragments);
  return { ...engine, complete: (text, offset) => complete(engine, text, offset) };
}

const loaded = new Map<string, Promise<Tasks>>();

addEventListener("message", async ({ data: { id, protocol, name, args } }: MessageEvent<Call>) => {
  try {
    const loading = loaded.get(protocol) ?? loadTasks(protocol);
    loaded.set(protocol, loading);
    const perform = (await loading)[name] as (...given: readonly unknown[]) => unknown;
    postMessage({ id, result: await perform(...args) });
  } catch (error) {
    postMessage({ id, error: (error as Error).message });
  }
});
