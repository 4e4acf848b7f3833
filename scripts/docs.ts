// `npm run docs`: the reference of what the package exports, from the comments of the sources; what follows from the schema
// of a report; and the data of the built-in protocols, from the snapshots.
import { writeFileSync } from "node:fs";
import { buildReference } from "../docs/api/build-reference.ts";
import { buildDataPage } from "../docs/data/build-data-page.ts";
import { buildReportFiles } from "../docs/report/build-report-files.ts";

// The reference reads the types of a report.
for (const [path, content] of Object.entries(buildReportFiles())) writeFileSync(path, content);
for (const [file, content] of Object.entries(buildReference("."))) writeFileSync(`docs/api/${file}`, content);
for (const [path, content] of Object.entries(await buildDataPage("."))) writeFileSync(path, content);
