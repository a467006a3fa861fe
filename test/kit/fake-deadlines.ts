import { recordObservations } from "../../src/app/agents/record-observations.ts";
import { NOON } from "./builders.ts";
import type { TestCore } from "./core.ts";

/** The same core with fake deadlines: they are recorded, and `pass` fires those with this name. */
export function withFakeDeadlines(core: TestCore) {
  const deadlines: { agentId: string; name: string; inMs: number }[] = [];
  const dues: { readonly name: string; readonly due: () => void }[] = [];
  const faked: TestCore = {
    ...core,
    observe: (...batch) => recordObservations(faked, batch),
    deadlines: {
      ...core.deadlines,
      set(agentId, name, at, due) {
        deadlines.push({ agentId, name, inMs: at - NOON });
        dues.push({ name, due });
      },
    },
  };
  const pass = (name: string): void => {
    for (const { due } of dues.filter((each) => each.name === name)) due();
  };
  return { core: faked, deadlines, pass };
}
