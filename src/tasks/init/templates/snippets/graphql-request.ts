import { request } from "graphql-request";
import { StreamsByRecipientDocument } from "protocol/style";

const url = "http://127.0.0.1:4350/deployment";
const recipient = "0x…";
console.log(await request(url, StreamsByRecipientDocument, { recipient }));
