/** What a service starts, with absolute paths. */
export type ServiceSpec = {
  readonly name: string;
  readonly command: readonly string[];
  readonly workingDirectory: string;
  readonly environment: Readonly<Record<string, string>>;
  /** A file of this user alone, for keys and tokens. */
  readonly environmentFile: string;
  /** For a system unit: the user that the daemon runs as. */
  readonly runAs: string | undefined;
  /** launchd has no journal. */
  readonly logFile: string;
};

export type ServiceScope = "user" | "system";

export type ServicePlan = {
  readonly manager: "systemd" | "launchd";
  readonly scope: ServiceScope;
  readonly name: string;
  readonly path: string;
  readonly text: string;
  readonly environmentFile: string;
  /** Run after the file is written, in this order. */
  readonly start: readonly (readonly string[])[];
  /** Run before the file is removed, and after. */
  readonly stop: readonly (readonly string[])[];
  readonly afterRemoval: readonly (readonly string[])[];
  readonly status: readonly string[];
  /** This user may not write the file. */
  readonly needsRoot: boolean;
};

export type ServiceProblem =
  | { readonly kind: "container" }
  | { readonly kind: "no-systemd" }
  | { readonly kind: "platform"; readonly platform: string }
  | { readonly kind: "npx" }
  | { readonly kind: "root" };

export type ServiceOptions = {
  readonly name: string | undefined;
  readonly scope: ServiceScope;
  readonly runAs: string | undefined;
};

export type Services = {
  plan(options: ServiceOptions): ServicePlan;
  /** Why the plan cannot be carried out on this machine. */
  problem(options: ServiceOptions): ServiceProblem | undefined;
  isInstalled(plan: ServicePlan): boolean;
  /** Writes the unit and the file for secrets, which is kept if it exists, and starts it. */
  install(plan: ServicePlan): void;
  uninstall(plan: ServicePlan): void;
  /** Shows what the service manager says; returns its exit code. */
  status(plan: ServicePlan): number;
};

/** A command of the service manager has failed. */
export class ServiceFailed extends Error {
  readonly command: string;

  constructor(command: string, said: string) {
    super(said);
    this.name = "ServiceFailed";
    this.command = command;
  }
}
