import { getAutocompleteSuggestions, Position } from "graphql-language-service";
import type { Engine } from "./engine.ts";

/** Returns what can stand at a place of a text. */
export function complete({ schema, fragments }: Engine, text: string, offset: number) {
  const before = text.slice(0, offset).split("\n");
  const place = new Position(before.length - 1, before.at(-1)?.length ?? 0);
  const shared = fragments.map((one) => one.text).join("\n");
  const found = getAutocompleteSuggestions(schema, text, place, undefined, shared);
  return found.map(({ label, detail = "" }) => ({ label, detail }));
}
