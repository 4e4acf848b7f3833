// `npm run docs`: the reference of what the package exports, from the comments of the sources; and what follows from the
// schema of a report.
import { writeFileSync } from "node:fs";
import { buildReference } from "../docs/api/build-reference.ts";
import { buildReportFiles } from "../docs/report/build-report-files.ts";

// The reference reads the types of a report.
for (const [path, content] of Object.entries(buildReportFiles())) writeFileSync(path, content);
for (const [file, content] of Object.entries(buildReference("."))) writeFileSync(`docs/api/${file}`, content);
