// A CLI that takes messages on stdin as Claude Code does: it repeats each, and ends after "finish".
import { createInterface } from "node:readline";

const print = (value) => process.stdout.write(`${JSON.stringify(value)}\n`);
const lines = createInterface({ input: process.stdin });
lines.on("line", (line) => {
  const { text } = JSON.parse(line).message.content[0];
  if (text === "die") process.kill(process.pid, "SIGKILL");
  print({ type: "assistant", text });
  // A text that looks like a result must not end the run.
  print({ type: "assistant", text: '{"type":"result"}' });
  if (text === "finish") print({ result: text, type: "result" });
});
lines.on("close", () => process.exit(7));
