export {
  type AnswerContext,
  type Answers,
  answering,
  type HttpMocks,
  handlers,
  type TestProject,
} from "./testing/answering.ts";
export { type Overrides, type RowOf, row, type SampledOperation } from "./testing/row.ts";
