import type { Renderer } from "../renderer.ts";
import { github } from "./github.ts";
import { html } from "./html.ts";
import { json } from "./json.ts";
import { junit } from "./junit.ts";
import { markdown } from "./markdown.ts";
import { sarif } from "./sarif.ts";
import { text } from "./text.ts";

/** Every form of a report, by the name that `--report` knows it by. */
export const RENDERERS = { text, json, html, github, markdown, sarif, junit } as const satisfies Readonly<
  Record<string, Renderer>
>;

export type Form = keyof typeof RENDERERS;
