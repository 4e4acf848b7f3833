export {
  type NodeHandler,
  type NodeRequest,
  type NodeResponse,
  toNodeHandler,
} from "./proxy/to-node-handler.ts";
