export {
  type AnswerContext,
  type Answers,
  answering,
  type HttpMocks,
  handlers,
  type TestProject,
} from "./testing/answering.ts";
