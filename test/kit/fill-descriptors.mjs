/** Preloaded into a daemon: SIGUSR2 opens files until none can be opened, the next one closes them. */
import { closeSync, openSync } from "node:fs";

const held = [];

process.on("SIGUSR2", () => {
  if (held.length > 0) {
    for (const descriptor of held.splice(0)) closeSync(descriptor);
    process.stderr.write("descriptors released\n");
    return;
  }
  try {
    for (;;) held.push(openSync("/dev/null", "r"));
  } catch (error) {
    process.stderr.write(`descriptors filled: ${error.code}\n`);
  }
});
