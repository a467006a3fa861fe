/** Where `merge-child.ts` kills itself: before or after one call of git, or in a check. */
export const MOMENTS = [
  "before buildMerge",
  "after buildMerge",
  "before prepareIntegration",
  "in the check",
  "before moveBranch",
  "after moveBranch",
  "before fastForwardCheckout",
  "after fastForwardCheckout",
] as const;
