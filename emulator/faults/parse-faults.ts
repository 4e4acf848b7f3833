import { EmulatorError, UsageError } from "../../src/base/errors.ts";
import { ENVIRONMENTS, type Protocol, STYLE_NAMES } from "../../src/dialects/surface.ts";
import { checkFault, FAULT_KINDS, isFaultKind } from "./check-fault.ts";
import type { Fault } from "./fault.ts";

/**
 * Parses faults as the command line has them: `[who=]kind[:value][ xN| N%]`, with commas between several.
 *
 * `who` is a deployment, a chain, a style, a protocol, an environment or `all`; slashes between them narrow it down:
 * `lockup/linea/testing`.
 *
 * @param protocols the protocols that are served.
 * @throws UsageError
 * @example
 * ```ts
 * parseFaults(["linea=429:30 x3, latency:2000 10%"], []);
 * ```
 */
export function parseFaults(texts: readonly string[], protocols: readonly Protocol[]): Fault[] {
  return texts
    .flatMap((text) => text.split(","))
    .map((text) => text.trim())
    .map((text) => {
      try {
        return checkFault(parseFault(text, protocols));
      } catch (error) {
        throw usageError(error, [`in --fault "${text}"`]);
      }
    });
}

/**
 * Runs a function whose faults came from the command line.
 *
 * @throws UsageError instead of `EMULATOR_INVALID_FAULT`.
 */
export async function withUsageErrors<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    throw usageError(error);
  }
}

function usageError(error: unknown, context: readonly string[] = []): unknown {
  if (!(error instanceof EmulatorError) || error.code !== "EMULATOR_INVALID_FAULT") return error;
  const hint = error.hint ?? "run `lockflow emulate --help`, or see the documentation of the emulator.";
  return new UsageError({ sentence: error.sentence, context, hint });
}

const ALL = "all";
const FAULT = /^(?:(?<who>[^=:]*)=)?(?<what>.*?)(?:\s+(?:x(?<next>\d+)|(?<percent>\d+(?:\.\d+)?)%))?$/;

function parseFault(text: string, protocols: readonly Protocol[]): Readonly<Record<string, unknown>> {
  const { who, what = "", next, percent } = FAULT.exec(text)?.groups ?? {};
  const [kind = "", ...values] = what.split(":").map((part) => part.trim());
  return {
    kind,
    ...(who === undefined ? {} : parseScope(who, protocols)),
    ...parseValues(kind, values),
    ...(next === undefined ? {} : { next: Number(next) }),
    ...(percent === undefined ? {} : { probability: Number(percent) / 100 }),
  };
}

function parseScope(who: string, protocols: readonly Protocol[]): Readonly<Record<string, string>> {
  const scope: Record<string, string> = {};
  for (const part of who.split("/").map((word) => word.trim())) {
    if (part === ALL) continue;
    const name = placeOf(part, protocols);
    if (part === "" || scope[name] !== undefined) {
      throw new UsageError({
        sentence: `"${who}" does not name an endpoint.`,
        hint: 'name a deployment, a chain, a style, a protocol or "all", with slashes to narrow down: "lockup/linea".',
      });
    }
    scope[name] = part;
  }
  return scope;
}

/** The scope that a word belongs to; an unknown word is the name of a deployment or chain. */
function placeOf(
  word: string,
  protocols: readonly Protocol[],
): "style" | "protocol" | "environment" | "deployment" {
  if (STYLE_NAMES.some((name) => name === word)) return "style";
  if (protocols.includes(word)) return "protocol";
  if (ENVIRONMENTS.some((name) => name === word)) return "environment";
  return "deployment";
}

function parseValues(kind: string, texts: readonly string[]): Readonly<Record<string, unknown>> {
  // `checkFault` reports an unknown kind.
  const fields = isFaultKind(kind) ? FAULT_KINDS[kind] : [];
  const values: Record<string, unknown> = {};
  for (const [index, { name, isNumber }] of fields.entries()) {
    // The last field has the rest, colons included.
    const text = index === fields.length - 1 ? texts.slice(index).join(":") : (texts[index] ?? "");
    if (text === "") continue;
    values[name] = isNumber && /^\d+$/.test(text) ? Number(text) : text;
  }
  if (isFaultKind(kind) && fields.length === 0 && texts.length > 0) {
    throw new UsageError({
      sentence: `A fault "${kind}" takes no value, but has "${texts.join(":")}".`,
      hint: `write "${kind}".`,
    });
  }
  return values;
}
