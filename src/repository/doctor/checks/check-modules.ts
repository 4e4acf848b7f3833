import { join, relative, sep } from "node:path";
import { readModuleType } from "../../../generate/read-module-type.ts";
import { PACKAGE_PATH } from "../../../generate/render-package-file.ts";
import type { ProjectContext } from "../check-context.ts";
import { type CheckResult, ok, problem, warning } from "../check-result.ts";

/** Whether Node reads generated JavaScript as what it is: ES modules. */
export async function checkModules({ project, packageManager }: ProjectContext): Promise<CheckResult[]> {
  const { root, output, format } = project;
  if (format === "ts") return [];
  const { type, path } = await readModuleType(project);
  if (type === "module") return [ok(`JavaScript in ${output}/ is read as ES modules.`)];
  if (path === null) {
    const sentence = `There is no package.json that says what JavaScript in ${output}/ is.`;
    return [warning(sentence, "npm init -y")];
  }
  const name = relative(root, path).replaceAll(sep, "/");
  if (path === join(root, output, PACKAGE_PATH)) {
    const sentence = `${name} does not make the files beside it ES modules.`;
    return [problem(sentence, 'give it "type": "module", or delete it')];
  }
  if (type === "commonjs")
    return [ok(`${name} makes JavaScript CommonJS, so ${output}/ gets one of its own.`)];
  return [
    warning(
      `${name} has no "type": Node tells what ${output}/ is by the syntax of each file, and warns.`,
      `npm pkg set type=module or, where your own .js files call require(), type=commonjs; then ${packageManager.exec} generate`,
    ),
  ];
}
