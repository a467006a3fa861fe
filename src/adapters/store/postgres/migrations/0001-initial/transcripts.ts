/** Never edit a released migration: a change of the schema is a new file. */
export const TRANSCRIPTS: readonly string[] = [
  // One partition per day: dropping it frees its space at once, deleting its rows does not.
  `
    create table transcript_chunks (
      day date not null,
      agent_id text collate "C" not null,
      attempt integer not null,
      byte_offset bigint not null check (byte_offset >= 0),
      length integer not null check (length between 0 and 65536),
      data bytea not null,
      primary key (day, agent_id, attempt, byte_offset)
    ) partition by range (day)`,
  // The bytes are compressed already.
  `alter table transcript_chunks alter column data set storage external`,
  // No chunk is refused because the partition of its day is missing.
  `create table transcript_chunks_default partition of transcript_chunks default`,
];
