/** The last audit entry that was recorded outside the database. */
export type AuditHead = { readonly seq: number; readonly hash: string };

/**
 * `none`: the audit was never anchored. `broken`: the head is missing, damaged or was not made with
 * our key, or the database no longer has the entry it names.
 */
export type AnchorState =
  | { readonly kind: "none" }
  | { readonly kind: "anchored"; readonly head: AuditHead }
  | { readonly kind: "broken"; readonly why: string };

/** Keeps the head of the audit, sealed with a key, beside the database. */
export type AuditAnchor = {
  /** Resolves after all commits so far are recorded. */
  read(): Promise<AnchorState>;
};
