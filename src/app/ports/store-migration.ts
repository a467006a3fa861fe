/** What `kuromajutsu migrate` does with the database of the configuration. */
export type StoreMigration = {
  /** The database without its password; null: SQLite, which needs no migration. */
  readonly database: string | null;
  /**
   * Creates or upgrades the tables. Returns the names of the migrations that ran. `onLocked`: another
   * transaction, such as a dump, uses a table, and this waits for its end; may be called repeatedly.
   */
  migrate(onLocked: () => void): Promise<readonly string[]>;
  /** Copies everything of a data directory with SQLite, which stays as it is. */
  move(options: MoveData): Promise<MovedData>;
};

export type MoveData = {
  /** The data directory with SQLite. */
  readonly from: string;
  /** Moves it although its audit is broken. */
  readonly force: boolean;
  readonly onProgress: (doneRows: number, totalRows: number) => void;
};

export type MovedData = {
  readonly from: string;
  readonly dataDir: string;
  readonly rows: number;
  /** Transcripts and keys; 0 if the data directory stays the same. */
  readonly files: number;
  /** Templates that were saved as files and are in the database now, too. */
  readonly templates: number;
  /** Entries of the audit, whose chain was verified before and after. */
  readonly auditEntries: number;
  /** By table: texts with a character that PostgreSQL cannot store. It became U+FFFD. */
  readonly replaced: Readonly<Record<string, number>>;
};
