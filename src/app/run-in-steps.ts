/** Runs a generator to its end and lets the event loop turn after every step. */
export async function runInSteps<Result>(steps: Iterator<void, Result>): Promise<Result> {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    await new Promise((resolve) => setImmediate(resolve));
  }
}
