import type { ValueNode, VariableNode } from "graphql";
import type { Placed } from "../schema/make-node.ts";
import type { Facts } from "./read-entities.ts";
import type { Refusals } from "./refusals.ts";
import type { RuleName } from "./rules.ts";

/** What an operation or a fragment is compiled with, and what is learned of it meanwhile. */
export type Scope = Refusals & {
  readonly facts: Facts;
  /** Notes a rule of the translation where it is applied. */
  readonly apply: (rule: RuleName, node: Placed) => void;
  /** Notes the use of a variable, and returns what stands for it in the written document. */
  readonly use: (variable: VariableNode, use: Omit<VariableUse, "authored" | "written">) => VariableNode;
};

/** A variable where it is used. */
export type VariableUse = {
  readonly authored: VariableNode;
  /** The node in the written document. It gets its name when all uses are known, and keeps it. */
  readonly written: VariableNode & { readonly name: { value: string } };
  readonly treatment: Treatment;
  /** Whether the styles agree when nothing is given: true of whole arguments, and false of values that are compared. */
  readonly mayBeNull: boolean;
  /** Whether an empty list has no row in one style and every row in the other. */
  readonly isNotIn: boolean;
  /** Compiles the default of the variable as a value in this place is; null where it is refused. */
  readonly compileDefault: (value: ValueNode) => ValueNode | null;
};

/** What becomes of the value of a variable. A variable is declared once for each treatment, and for each type. */
export type Treatment =
  | {
      readonly kind: "value";
      /** Whether an id with bytes among its parts is meant. */
      readonly isIdWithBytes?: boolean;
    }
  | { readonly kind: "bytes" | "first" | "skip" | "direction" | "chains" | "chain" }
  | {
      readonly kind: "pattern";
      readonly name: string;
      readonly before: string;
      readonly after: string;
      /** Whether a `%` at either end of the value says that the value is the whole pattern. */
      readonly isWhole: boolean;
      /** Whether the digits of bytes are taken and not the text. */
      readonly isBytes: boolean;
    }
  | {
      readonly kind: "filter";
      readonly entity: string;
      readonly isChild: boolean;
      readonly isList: boolean;
    }
  | {
      readonly kind: "order";
      readonly entity: string;
      readonly isNested: boolean;
      readonly direction: VariableNode | "asc" | "desc";
    };
