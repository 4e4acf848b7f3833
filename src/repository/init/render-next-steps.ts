import { renderTable } from "../../report/render-table.ts";
import type { InitPlan } from "./plan-init.ts";
import { configNameOf } from "./propose-files.ts";
import { buildSnippet } from "./render-snippet.ts";
import type { Layout, Repository } from "./repository.ts";

/** Renders what to type next. */
export function renderNextSteps(repository: Repository, layout: Layout, plan: InitPlan): string {
  const { packageManager, dependencies, forge } = repository;
  const { exec, run, add } = packageManager;
  const missing = ["lockflow", "graphql"].filter((name) => !dependencies.has(name));
  const generate = plan.scripts.names.generate;
  const check = plan.scripts.names.check;
  const snippet = buildSnippet(repository, layout);
  const steps: readonly (readonly [command: string, what: string])[] = [
    ...(dependencies.has("lockflow")
      ? []
      : ([[`${add} ${missing.join(" ")}`, "for the scripts and CI"]] as const)),
    ...(layout.lacksSnapshots
      ? ([[`${exec} introspect`, "asks your hosts for the snapshots, once"]] as const)
      : []),
    [generate === null ? `${exec} generate` : `${run} ${generate}`, `typed operations, in ${layout.output}/`],
    [`${exec} emulate`, "in a second terminal"],
    [snippet.run, "with these lines in it:"],
  ];
  const rows = steps.map(([command, what], index) => [`${index + 1}.`, command, what]);
  const config = configNameOf(repository, layout);
  return [
    "Next",
    renderTable(rows, "  "),
    "",
    ...snippet.code.split("\n").map((line) => `     ${line}`),
    "",
    ...(layout.needsSnapshots
      ? [
          "The snapshots are those of the reference indexers. Put your hosts into",
          `${config} or the variables of .env.example, and`,
          `\`${exec} introspect\` asks them for theirs.`,
        ]
      : []),
    `Commit all of it, ${layout.output}/ too: \`${check === null ? `${exec} check` : `${run} ${check}`}\` tells when it is stale.`,
    ...(forge !== "gitlab"
      ? []
      : [`In CI: \`${exec} check\` for every change, offline,`, `and \`${exec} drift\` every night.`]),
    "",
  ].join("\n");
}
