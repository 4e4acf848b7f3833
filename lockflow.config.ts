import { defineConfig } from "lockflow";

// No host is configured here, so every command runs against the emulator on this machine.
// docs/configuration.md shows how to point Lockflow at live indexers.
export default defineConfig({
  protocols: ["lockup", "flow"],
});
