import type { AuditVerified } from "../people/verify-audit.ts";

/** Why an archive cannot be used. */
export type ArchiveFault =
  | { readonly kind: "not-an-archive" }
  | { readonly kind: "truncated" }
  /** Its content is not what was written; `path` is the file in the archive. */
  | { readonly kind: "changed"; readonly path: string }
  /** An entry that a backup never has, such as one outside the data directory. */
  | { readonly kind: "foreign-entry"; readonly path: string };

export type BackupProblem =
  | { readonly kind: "exists"; readonly path: string }
  | { readonly kind: "inside"; readonly path: string; readonly dataDir: string }
  | { readonly kind: "no-folder"; readonly path: string }
  | { readonly kind: "no-database"; readonly dataDir: string }
  /** The data is not in files of ours. */
  | {
      readonly kind: "postgres";
      readonly dataDir: string;
      readonly command: "backup" | "restore";
    }
  | {
      readonly kind: "no-space";
      readonly path: string;
      readonly needed: number;
      readonly free: number;
    }
  | { readonly kind: "no-archive"; readonly path: string }
  | { readonly kind: "damaged"; readonly path: string; readonly fault: ArchiveFault }
  | { readonly kind: "newer"; readonly path: string; readonly madeBy: string }
  | { readonly kind: "audit"; readonly audit: AuditVerified }
  | { readonly kind: "daemon-runs"; readonly dataDir: string }
  | { readonly kind: "agents-run"; readonly dataDir: string; readonly count: number }
  | { readonly kind: "not-empty"; readonly dataDir: string }
  | { readonly kind: "not-ours"; readonly dataDir: string };

/** The command line says what to do, in the person's language. */
export class BackupRefused extends Error {
  readonly problem: BackupProblem;

  constructor(problem: BackupProblem) {
    super(`${problem.kind}: ${JSON.stringify(problem)}`);
    this.name = "BackupRefused";
    this.problem = problem;
  }
}

export type BackupProgress = (doneBytes: number, totalBytes: number) => void;

export type MakeBackup = {
  readonly file: string;
  /** Adds the configuration file of the project. */
  readonly withConfig: boolean;
  /** Replaces a file of that name. */
  readonly force: boolean;
  readonly onProgress: BackupProgress;
};

export type BackupMade = {
  readonly path: string;
  readonly bytes: number;
  readonly files: number;
  readonly audit: AuditVerified;
  /** Entries of the data directory that are no files or have too long a name. */
  readonly leftOut: readonly string[];
};

export type RestoreBackup = {
  readonly file: string;
  /** The data directory to create; by default the one in use. */
  readonly to: string | undefined;
  /** Replaces a data directory, and accepts a broken audit. */
  readonly force: boolean;
  readonly onProgress: BackupProgress;
};

export type BackupRestored = {
  readonly dataDir: string;
  readonly isInUse: boolean;
  /** When and by which version the backup was made. */
  readonly createdAt: string;
  readonly version: string;
  readonly audit: AuditVerified;
  /** Where the replaced data directory is now. */
  readonly kept: string | undefined;
  /** Where the configuration file of the project is. */
  readonly projectConfig: string | undefined;
};

export type Backups = {
  make(options: MakeBackup): Promise<BackupMade>;
  restore(options: RestoreBackup): Promise<BackupRestored>;
};
