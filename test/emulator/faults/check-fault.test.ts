import { describe, expect, it } from "vitest";
import { checkFault } from "../../../emulator/faults/check-fault.ts";
import type { Fault } from "../../../emulator/faults/fault.ts";
import { EmulatorError } from "../../../src/base/errors.ts";
import { catchError } from "../../support/catch-error.ts";
import { emulate } from "../support.ts";

function expectInvalid(error: unknown, ...parts: readonly string[]): void {
  expect(error).toBeInstanceOf(EmulatorError);
  expect(error).toMatchObject({ code: "EMULATOR_INVALID_FAULT" });
  for (const part of parts) expect((error as EmulatorError).message).toContain(part);
}

describe("checkFault", () => {
  const fields = "there are deployment, environment, style, protocol";
  it.each<[fault: unknown, ...parts: string[]]>([
    ["latency", "A fault is an object with a `kind`.", 'for example { kind: "latency", milliseconds: 200 }.'],
    [{}, "There is no fault of kind undefined.", "there are "],
    [{ kind: "latancy" }, 'There is no fault of kind "latancy".', 'did you mean "latency"?'],
    [{ kind: 429 }, "There is no fault of kind 429.", 'did you mean "429"?'],
    [{ kind: "latency" }, 'A fault "latency" needs "milliseconds", a whole number from 1 to 3600000.'],
    [
      { kind: "429", retryAfter: "soon" },
      '"retryAfter" of a fault "429" is a whole number from 0 to 9999999, not "soon".',
    ],
    [
      { kind: "drop-field", field: "sender" },
      '"field" of a fault "drop-field" is two names with a dot between them, like "Stream.sender", not "sender".',
    ],
    [{ kind: "reset", at: "end" }, '"at" of a fault "reset" is "start" or "body", not "end".'],
    [{ kind: "500", chance: 0.5 }, 'A fault "500" has no "chance".', `${fields}, probability, next.`],
    [{ kind: "500", protocl: "flow" }, 'A fault "500" has no "protocl".', 'did you mean "protocol"?'],
    [{ kind: "500", probability: 10 }, '"probability" of a fault "500" is a number from 0 to 1, not 10.'],
    [{ kind: "500", next: 0 }, '"next" of a fault "500" is a whole number from 1, not 0.'],
    [
      { kind: "500", next: 1, probability: 0.5 },
      'A fault "500" has a "probability" or a number of "next" requests, not both.',
      "set two faults.",
    ],
    [{ kind: "refused", probability: 0.5 }, 'A fault "refused" has no "probability".', `${fields}.`],
  ])("throws for %j", (fault, ...parts) => {
    const error = catchError(() => checkFault(fault));
    expectInvalid(error, ...parts);
  });
});

describe("startEmulator", () => {
  const UNKNOWN = "Unknown deployment or chain ";
  it.each<[fault: Fault, ...parts: string[]]>([
    [{ kind: "500", deployment: "protocol-lockup-bsae" }, UNKNOWN, 'did you mean "protocol-lockup-base"?'],
    [{ kind: "500", deployment: "gnossis" }, `${UNKNOWN}"gnossis".`, 'did you mean "gnosis"?'],
    [
      { kind: "500", deployment: "morph" },
      'No deployment serves only the chain "morph".',
      "name the multichain deployment",
    ],
    [{ kind: "500", style: "multichain", environment: "testing" }, 'matches all of "multichain", "testing".'],
    [{ kind: "wrong-chain", chain: "bse", style: "subgraph" }, 'no chain "bse".', 'did you mean "base"?'],
    [{ kind: "wrong-chain", chain: "base", style: "multichain" }, "has no effect on", "missing-chain"],
    [
      { kind: "wrong-chain", chain: "base", deployment: "base" },
      "has no effect on",
      "subgraphs of other chains",
    ],
    [{ kind: "release", release: "graph-node-9.9" }, 'Unknown release "graph-node-9.9".', "graph-node-0."],
    [
      { kind: "release", release: "envio-3.8", style: "subgraph" },
      "has no effect on",
      "graph-node is for subgraphs",
    ],
    [
      { kind: "drop-field", field: "Steam.sender" },
      'A fault "drop-field" cannot be set: There is no entity "Steam".',
      'did you mean "Stream"?',
    ],
    [{ kind: "drop-field", field: "Stream.sendr" }, 'Stream has no field "sendr".', 'did you mean "sender"?'],
    [
      { kind: "retype-field", field: "Stream.sender", type: "Strng" },
      'There is no type "Strng".',
      'did you mean "String"?',
    ],
    [{ kind: "add-field", field: "Stream.note", type: "[String" }, '"[String" is not a type.', "for example"],
    [{ kind: "add-enum-member", member: "Streams.NEW" }, 'There is no enum "Streams".'],
  ])("error: does not start with %j", async (fault, ...parts) => {
    const error = await emulate({ faults: [fault] }).catch((reason: unknown) => reason);
    expectInvalid(error, ...parts);
  });

  it("error: the fault refused cannot be set after the start", async () => {
    const emulator = await emulate();
    const error = await emulator.fault({ kind: "refused" }).catch((reason: unknown) => reason);
    expectInvalid(error);
  });
});
