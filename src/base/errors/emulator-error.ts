import { LockflowError } from "./lockflow-error.ts";

type EmulatorErrorCode =
  | "EMULATOR_PORT_IN_USE"
  | "EMULATOR_CANNOT_LISTEN"
  | "EMULATOR_BAD_INDEXER"
  | "EMULATOR_BAD_OPTION"
  | "EMULATOR_INVALID_FAULT"
  | "EMULATOR_NO_ENGINE"
  | "EMULATOR_ROWS_INVALID"
  | "EMULATOR_UNKNOWN_DEPLOYMENT"
  | "EMULATOR_UNKNOWN_RELEASE";

/** The emulator could not start, or could not do what was asked. */
export class EmulatorError extends LockflowError<EmulatorErrorCode> {}
