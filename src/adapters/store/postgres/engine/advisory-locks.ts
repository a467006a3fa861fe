/**
 * Every advisory lock of this product, in one place: two uses of one number would wait for each
 * other. Other programs in the same database are unlikely to use these numbers.
 */
export const ADVISORY_LOCKS = {
  /** Migrations take turns. */
  migration: 4_707_218,
  /** The head of the audit has no row. */
  audit: 4_707_219,
  /** The queue of agents has no row. */
  queue: 4_707_220,
  /** The server that leads holds it, for servers of the version before. */
  leader: 4_707_221,
  /** The partitions of transcripts are created one at a time. */
  days: 4_707_222,
  /** The schema of pg-boss is installed by one `migrate` at a time. */
  jobs: 4_707_223,
  /** A tool that has no pin has no row. */
  toolPins: 4_707_224,
  /** Ports that no worktree has leased have no row. */
  ports: 4_707_225,
  /** One server stamps the events of a restored dump. */
  restore: 4_707_228,
  /** One server settles what a restored dump shows as waiting or running. */
  settleRestore: 4_707_229,
} as const;

/** The first of two numbers; the second is the hash of a text. */
export const KEYED_LOCKS = {
  /** A message that is not stored yet has no row. */
  slackMessage: 4_707_226,
  /** A directory in which no agent writes has no row. */
  tree: 4_707_227,
  /** A conversation has no row. Several agents may have had it, so no agent's row stands for it. */
  conversation: 4_707_230,
} as const;
