import { describeOldNode, OLDEST_NODE } from "../../../base/describe-old-node.ts";
import type { CheckContext } from "../check-context.ts";
import { type CheckResult, ok, problem, skipped } from "../check-result.ts";

/** Whether Node is new enough. */
export function checkNode({ node }: Pick<CheckContext, "node">): CheckResult[] {
  if (node === undefined) return [skipped("The version of Node is not known.")];
  if (describeOldNode(node) === null) return [ok(`Node ${node} runs this.`)];
  return [
    problem(`Node ${node} is too old: Lockflow needs ${OLDEST_NODE.join(".")} or newer.`, "nvm install 22"),
  ];
}
