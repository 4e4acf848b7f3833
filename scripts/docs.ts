// `npm run docs`: the reference of what the package exports, from the comments of the sources.
import { writeFileSync } from "node:fs";
import { buildReference } from "../docs/api/build-reference.ts";

for (const [file, content] of Object.entries(buildReference("."))) writeFileSync(`docs/api/${file}`, content);
