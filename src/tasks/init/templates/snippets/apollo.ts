import { ApolloClient, HttpLink, InMemoryCache } from "@apollo/client";
import { StreamsByRecipientDocument } from "protocol/style";

const link = new HttpLink({ uri: "http://127.0.0.1:4350/deployment" });
const client = new ApolloClient({ link, cache: new InMemoryCache() });
const recipient = "0x…";
const { data } = await client.query({ query: StreamsByRecipientDocument, variables: { recipient } });
console.log(data?.streams);
