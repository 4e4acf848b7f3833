import { isObject } from "../client/is-object.ts";
import type { ProxyQuestion } from "../client/proxy-question.ts";
import { parseJson } from "../client/read-answer.ts";
import { refuseRequest } from "./refuse-request.ts";

/** Parses what is asked. Whatever else is said is refused: a query above all. */
export function parseQuestion(text: string): ProxyQuestion {
  const body = parseJson(text);
  if (!isObject(body)) return refuseRequest(400, "The body has to be a JSON object of at most 64 levels.");
  const { protocol, operation, style, chains, variables = {}, block, heads = true, ...others } = body;
  for (const stray of Object.keys(others)) refuseRequest(400, `Nobody takes "${stray.slice(0, 40)}".`);
  if (!isText(protocol) || !isText(operation) || !isText(style)) {
    return refuseRequest(400, '"protocol", "operation" and "style" have to be texts.');
  }
  if (!Array.isArray(chains) || chains.length < 1 || chains.length > MOST_CHAINS || !chains.every(isChain)) {
    return refuseRequest(400, `"chains" has to be a list of 1 to ${MOST_CHAINS} keys or ids.`);
  }
  if (!isObject(variables)) return refuseRequest(400, '"variables" has to be an object.');
  if (!isBlock(block)) return refuseRequest(400, '"block" has to be an object with a number or a hash.');
  if (typeof heads !== "boolean") return refuseRequest(400, '"heads" has to be true or false.');
  return { protocol, operation, style, chains, variables, block, heads } as ProxyQuestion;
}

/** More than there are. */
const MOST_CHAINS = 1000;

function isText(value: unknown): value is string {
  return typeof value === "string";
}

function isChain(value: unknown): value is string | number {
  return isText(value) || Number.isSafeInteger(value);
}

function isBlock(value: unknown): value is ProxyQuestion["block"] {
  if (value === undefined) return true;
  if (!isObject(value) || Object.keys(value).length > 1) return false;
  const { number, hash } = value;
  return isText(hash)
    ? /^0x[\da-f]{64}$/i.test(hash)
    : hash === undefined && Number.isSafeInteger(number) && Number(number) >= 0;
}
