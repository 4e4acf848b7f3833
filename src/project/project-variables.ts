import { compareCodeUnits } from "../base/compare-code-units.ts";
import { variablesOf } from "./default-variables.ts";
import type { TextSource } from "./deployment.ts";
import { secretVariables } from "./endpoint-variables.ts";
import type { Project } from "./project.ts";

/** Every variable that a project reads where it is set: those of our own naming first, the others in order of name. */
export function projectVariables({ deployments, protocols }: Project): string[] {
  const names = new Set(
    deployments
      .flatMap(({ endpoints }) => endpoints)
      .flatMap((endpoint) => [
        ...secretVariables(endpoint).map(({ name }) => name),
        ...(endpoint.template === null
          ? []
          : [endpoint.template.text, ...Object.values(endpoint.template.values).flat()].flatMap(nameIn)),
      ]),
  );
  const ours = variablesOf(protocols);
  const others = [...names].filter((name) => !ours.includes(name)).sort(compareCodeUnits);
  return [...ours.filter((name) => names.has(name)), ...others];
}

function nameIn(text: TextSource | undefined): string[] {
  return typeof text === "object" ? [text.env] : [];
}
