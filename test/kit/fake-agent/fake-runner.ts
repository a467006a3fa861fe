import type { Runner } from "../../../src/app/ports/runner.ts";
import type { RunnerEvent } from "../../../src/domain/agents/runner.ts";

/** The fake agent prints runner events, so parsing is trivial. */
export const fakeRunner: Pick<Runner, "parse" | "isDelta"> = {
  isDelta(bytes, start) {
    return bytes[start + 9] === 0x64 && bytes[start + 10] === 0x65;
  },
  parse(line) {
    try {
      const event: RunnerEvent = JSON.parse(line);
      return typeof event.type === "string" ? [event] : undefined;
    } catch {
      return undefined;
    }
  },
};
