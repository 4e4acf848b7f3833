import type { StrictContext, StrictVisitor } from "./visit-document.ts";

/**
 * One rule of strict validation: what it looks at in a document, and says about it. Messages are those of the
 * server's validation library, byte for byte (B.1).
 */
export type StrictRule = (context: StrictContext, report: (message: string) => void) => StrictVisitor;
