import { defineConfig } from "lockflow";

export default defineConfig({ protocols: ["lockup"] });
