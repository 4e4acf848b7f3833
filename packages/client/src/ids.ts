export { createIdCodec, type IdCodec } from "./create-id-codec.ts";
