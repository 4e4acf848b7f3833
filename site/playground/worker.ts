import { getAutocompleteSuggestions, Position } from "graphql-language-service";
import { createEngine } from "./engine.ts";
import type { Call, Tasks } from "./protocol.ts";

const snapshots = import.meta.glob<string>("/generated/schemas/*/*.graphql", {
  query: "?raw",
  import: "default",
});
const library = import.meta.glob<string>("/operations/*/portable/fragments/*.graphql", {
  query: "?raw",
  import: "default",
  eager: true,
});

async function loadTasks(protocol: string): Promise<Tasks> {
  const read = async (style: string) => {
    const path = `/generated/schemas/${protocol}/${style}.graphql`;
    return { path, text: (await snapshots[path]?.()) ?? "" };
  };
  const own = Object.entries(library).filter(([path]) => path.startsWith(`/operations/${protocol}/`));
  const fragments = own.map(([path, text]) => ({ path: path.slice(1), text }));
  const files = { multichain: await read("multichain"), subgraph: await read("subgraph") };
  const { schema, ...engine } = createEngine(protocol, files, fragments);
  return {
    ...engine,
    complete: (text, offset) => {
      const before = text.slice(0, offset).split("\n");
      const place = new Position(before.length - 1, before.at(-1)?.length ?? 0);
      const shared = fragments.map((one) => one.text).join("\n");
      const found = getAutocompleteSuggestions(schema, text, place, undefined, shared);
      return found.map(({ label, detail = "" }) => ({ label, detail }));
    },
  };
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
