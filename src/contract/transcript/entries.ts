/** A file change reported by an agent's CLI. */
export type Change = {
  readonly path: string;
  readonly added: number | null;
  readonly removed: number | null;
  /** Lines with + and -; null if the CLI reports no diff. */
  readonly diff: string | null;
};

export type ToolEntry = {
  readonly kind: "tool";
  readonly key: string;
  readonly at: number | null;
  readonly callId: string;
  readonly tool: string;
  readonly server: string | null;
  readonly args: unknown;
  readonly result: unknown;
  readonly state: "running" | "ok" | "failed";
  readonly endedAt: number | null;
  readonly change: Change | null;
};

type Common = { readonly key: string; readonly at: number | null };

/** An entry of the transcript; several stream lines can form one entry. */
export type Entry =
  | (Common & { readonly kind: "session"; readonly model: string; readonly directory: string })
  | (Common & { readonly kind: "prompt"; readonly text: string })
  | (Common & { readonly kind: "text"; readonly text: string; readonly isContinued: boolean })
  | (Common & { readonly kind: "thought"; readonly text: string })
  | ToolEntry
  | (Common & {
      readonly kind: "end";
      readonly isOk: boolean;
      readonly text: string;
      readonly durationMs: number | null;
    })
  /** A line of unknown form, unchanged. */
  | (Common & { readonly kind: "line"; readonly text: string; readonly isCut: boolean });
