/** A file an agent changed, as its CLI told. */
export type Change = {
  readonly path: string;
  readonly added: number | null;
  readonly removed: number | null;
  /** Lines with + and -, or null where the CLI does not say what it changed. */
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

/** What a reader sees: many lines of a stream may be one of these. */
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
  /** A line nobody here knows how to read, as it is. */
  | (Common & { readonly kind: "line"; readonly text: string; readonly isCut: boolean });
