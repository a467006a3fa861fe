import type { Fields } from "../../../src/base/narrow.ts";

export type Fault = {
  /** HTTP 429 with this many seconds in `Retry-After`. */
  readonly rateLimited?: number;
  /** An HTTP status such as 500, with a page instead of JSON. */
  readonly status?: number;
  /** `{ ok: false, error }`. */
  readonly error?: string;
  /** More fields of the answer with an error. */
  readonly extra?: Fields;
  /** Wait this long, then answer as usual or with the rest of the fault. */
  readonly delayMs?: number;
  /** The call takes effect, and the connection breaks before the answer. */
  readonly loseAnswer?: boolean;
  /** The connection breaks and nothing happens. */
  readonly loseRequest?: boolean;
};

type Planned = {
  readonly method: string;
  readonly fault: Fault;
  readonly when: (body: Fields) => boolean;
  left: number;
};

export type FaultOptions = {
  /** How many calls meet the fault. */
  readonly times?: number;
  /** Only calls with such arguments meet it. */
  readonly when?: (body: Fields) => boolean;
};

export function aFaultPlan() {
  const planned = new Set<Planned>();
  return {
    /** Returns a function that removes the fault. The method `*` stands for every method. */
    add(method: string, fault: Fault, { times = 1, when = () => true }: FaultOptions = {}) {
      const plan: Planned = { method, fault, when, left: times };
      planned.add(plan);
      return () => {
        planned.delete(plan);
      };
    },
    take(method: string, body: Fields): Fault | undefined {
      for (const plan of planned) {
        if (plan.method !== method && plan.method !== "*") continue;
        if (!plan.when(body)) continue;
        plan.left -= 1;
        if (plan.left <= 0) planned.delete(plan);
        return plan.fault;
      }
      return undefined;
    },
    clear: () => planned.clear(),
  };
}
