/** What `kuromajutsu migrate` does with the database of the configuration. */
export type StoreMigration = {
  /** The database without its password; null: SQLite, which needs no migration. */
  readonly database: string | null;
  /** Creates or upgrades the tables. Returns the names of the migrations that ran. */
  migrate(): Promise<readonly string[]>;
};
