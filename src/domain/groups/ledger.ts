/** What the orchestrator knows and plans (the task ledger). */
export type TaskLedger = {
  readonly factsGiven: string;
  readonly factsToLookUp: string;
  readonly factsToDerive: string;
  readonly guesses: string;
  readonly plan: string;
};

export type Judgement<Answer> = { readonly answer: Answer; readonly reason: string };

/** The state after an iteration (the progress ledger), each judgement with its reason. */
export type ProgressLedger = {
  readonly requestSatisfied: Judgement<boolean>;
  readonly inLoop: Judgement<boolean>;
  readonly progressMade: Judgement<boolean>;
  readonly nextAction: Judgement<string>;
  readonly instruction: Judgement<string>;
};

export type Ledger = { readonly task: TaskLedger | null; readonly progress: ProgressLedger | null };

export const NO_LEDGER: Ledger = { task: null, progress: null };
