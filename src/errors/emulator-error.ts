import { LockflowError, type LockflowErrorOptions } from "./lockflow-error.ts";

export type EmulatorErrorCode = "EMULATOR_PORT_IN_USE" | "EMULATOR_CANNOT_LISTEN";

/** The emulator could not start. */
export class EmulatorError extends LockflowError {
  declare readonly code: EmulatorErrorCode;
  constructor(options: LockflowErrorOptions & { readonly code: EmulatorErrorCode }) {
    super(options);
  }
}
