import { describeOldNode, OLDEST_NODE } from "../../../base/describe-old-node.ts";
import { type Diagnosis, ok, problem, skipped } from "../diagnosis.ts";
import type { Patient } from "../patient.ts";

/** Whether Node is new enough. */
export function checkNode({ node }: Pick<Patient, "node">): Diagnosis[] {
  if (node === undefined) return [skipped("The version of Node is not known.")];
  if (describeOldNode(node) === null) return [ok(`Node ${node} runs this.`)];
  return [
    problem(`Node ${node} is too old: Lockflow needs ${OLDEST_NODE.join(".")} or newer.`, "nvm install 22"),
  ];
}
