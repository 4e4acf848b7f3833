export { type AnswerContext, type Answers, answering, type TestProject } from "./testing/answering.ts";
export { type HttpMocks, handlers } from "./testing/handlers.ts";
