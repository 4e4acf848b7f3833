import { defineConfig, defineProtocol } from "lockflow";

const auctions = defineProtocol({
  entities: "entities/auctions.graphql",
  chains: ["ethereum", "base"],
  identity: { protocol: "Auction.reservePrice", chain: "House.chainId" },
  chainPath: { Bid: "auction" },
});

export default defineConfig({ brand: "example", protocols: { auctions } });
