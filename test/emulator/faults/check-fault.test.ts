import { describe, expect, it } from "vitest";
import { checkFault } from "../../../emulator/faults/check-fault.ts";
import { EmulatorError } from "../../../src/base/errors.ts";
import { catchError } from "../../support/catch-error.ts";
import { emulate } from "../support.ts";

describe("checkFault", () => {
  it.each<[name: string, fault: unknown, sentence: string, hint: string | null]>([
    [
      "a string",
      "latency",
      "A fault is an object with a `kind`.",
      'for example { kind: "latency", milliseconds: 200 }.',
    ],
    ["a fault without a kind", {}, "There is no fault of kind undefined.", "there are "],
    [
      "a mistyped kind",
      { kind: "latancy" },
      'There is no fault of kind "latancy".',
      'did you mean "latency"?',
    ],
    ["a number as a kind", { kind: 429 }, "There is no fault of kind 429.", 'did you mean "429"?'],
    [
      "a missing required field",
      { kind: "latency" },
      'A fault "latency" needs "milliseconds", a whole number from 1 to 3600000.',
      null,
    ],
    [
      "a wrong value",
      { kind: "429", retryAfter: "soon" },
      '"retryAfter" of a fault "429" is a whole number from 0 to 9999999, not "soon".',
      null,
    ],
    [
      "a member without a dot",
      { kind: "drop-field", field: "sender" },
      '"field" of a fault "drop-field" is two names with a dot between them, like "Stream.sender", not "sender".',
      null,
    ],
    [
      "an unknown choice",
      { kind: "reset", at: "end" },
      '"at" of a fault "reset" is "start" or "body", not "end".',
      null,
    ],
    [
      "an unknown field",
      { kind: "500", chance: 0.5 },
      'A fault "500" has no "chance".',
      "there are deployment, environment, style, protocol, probability, next.",
    ],
    [
      "a mistyped name",
      { kind: "500", protocl: "flow" },
      'A fault "500" has no "protocl".',
      'did you mean "protocol"?',
    ],
    [
      "a probability above 1",
      { kind: "500", probability: 10 },
      '"probability" of a fault "500" is a number from 0 to 1, not 10.',
      null,
    ],
    [
      "0 next requests",
      { kind: "500", next: 0 },
      '"next" of a fault "500" is a whole number from 1, not 0.',
      null,
    ],
    [
      "both a probability and next",
      { kind: "500", next: 1, probability: 0.5 },
      'A fault "500" has a "probability" or a number of "next" requests, not both.',
      "set two faults.",
    ],
    [
      "a probability for refused",
      { kind: "refused", probability: 0.5 },
      'A fault "refused" has no "probability".',
      "there are deployment, environment, style, protocol.",
    ],
  ])("throws for %s", (_, fault, sentence, hint) => {
    const error = catchError(() => checkFault(fault));
    expect(error).toBeInstanceOf(EmulatorError);
    expect(error).toMatchObject({ code: "EMULATOR_INVALID_FAULT", sentence });
    const shown = (error as EmulatorError).hint;
    if (hint === null) expect(shown).toBeNull();
    else expect(shown).toContain(hint);
  });
});

describe("startEmulator", () => {
  it.each<[name: string, fault: unknown, sentence: string, hint: string]>([
    [
      "a mistyped deployment",
      { kind: "500", deployment: "protocol-lockup-bsae" },
      'There is no deployment and no chain "protocol-lockup-bsae".',
      'did you mean "protocol-lockup-base"?',
    ],
    [
      "a mistyped chain",
      { kind: "500", deployment: "gnossis" },
      'There is no deployment and no chain "gnossis".',
      'did you mean "gnosis"?',
    ],
    [
      "a chain without subgraphs",
      { kind: "500", deployment: "morph" },
      'No deployment serves only the chain "morph".',
      "name the multichain deployment",
    ],
    [
      "a scope without deployments",
      { kind: "500", style: "multichain", environment: "testing" },
      'No deployment matches all of "multichain", "testing".',
      "",
    ],
    [
      "an unknown chain",
      { kind: "wrong-chain", chain: "bse", style: "subgraph" },
      'There is no chain "bse".',
      'did you mean "base"?',
    ],
    [
      "wrong-chain for a multichain deployment",
      { kind: "wrong-chain", chain: "base", style: "multichain" },
      'A fault "wrong-chain" has no effect on the endpoints that it was set for.',
      "missing-chain",
    ],
    [
      "wrong-chain with the deployment's own chain",
      { kind: "wrong-chain", chain: "base", deployment: "base" },
      'A fault "wrong-chain" has no effect on',
      "subgraphs of other chains",
    ],
    [
      "an unknown release",
      { kind: "release", release: "graph-node-9.9" },
      'There is no release "graph-node-9.9".',
      "graph-node-0.",
    ],
    [
      "another platform's release",
      { kind: "release", release: "envio-3.8", style: "subgraph" },
      'A fault "release" has no effect on',
      "graph-node is for subgraphs",
    ],
    [
      "an unknown entity",
      { kind: "drop-field", field: "Steam.sender" },
      'A fault "drop-field" cannot be set: There is no entity "Steam".',
      'did you mean "Stream"?',
    ],
    [
      "an unknown field",
      { kind: "drop-field", field: "Stream.sendr" },
      'A fault "drop-field" cannot be set: Stream has no field "sendr".',
      'did you mean "sender"?',
    ],
    [
      "an unknown type",
      { kind: "retype-field", field: "Stream.sender", type: "Strng" },
      'A fault "retype-field" cannot be set: There is no type "Strng".',
      'did you mean "String"?',
    ],
    [
      "an invalid type",
      { kind: "add-field", field: "Stream.note", type: "[String" },
      '"[String" is not a type.',
      "for example",
    ],
    [
      "a dropped id",
      { kind: "drop-field", field: "Stream.id" },
      'Every entity needs its "id", Stream too.',
      "",
    ],
    [
      "an unknown enum",
      { kind: "add-enum-member", member: "Streams.NEW" },
      'There is no enum "Streams".',
      "",
    ],
  ])("error: does not start with %s", async (_, fault, sentence, hint) => {
    const error = await emulate({ faults: [fault as never] }).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: "EMULATOR_INVALID_FAULT" });
    expect((error as EmulatorError).sentence).toContain(sentence);
    expect((error as EmulatorError).hint ?? "").toContain(hint);
  });

  it("error: the fault refused cannot be set after the start", async () => {
    const emulator = await emulate();
    await expect(emulator.fault({ kind: "refused" })).rejects.toMatchObject({
      code: "EMULATOR_INVALID_FAULT",
    });
  });
});
