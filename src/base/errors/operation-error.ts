import { LockflowError } from "./lockflow-error.ts";

type OperationErrorCode = "OPERATIONS_MISSING" | "OPERATIONS_INVALID" | "OPERATIONS_NOT_GENERATED";

/** The operations of a project cannot be generated from as a whole; faults of single ones are findings. */
export class OperationError extends LockflowError<OperationErrorCode> {}
