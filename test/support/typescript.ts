import { createRequire } from "node:module";
import type ts from "typescript";

/** The compiler, required: to import it, Node would look through nine megabytes for the names of what it exports. */
const typescript: typeof ts = createRequire(import.meta.url)("typescript");
// biome-ignore lint/style/noDefaultExport: it stands in for the package, whose users import its default
export default typescript;
