import type { ServiceSpec } from "../../app/ports/service.ts";

/**
 * A line break in a path, such as the name of a cloned folder, would begin a new setting of the
 * service. Control characters cannot be in XML at all.
 */
export function requireOneLine(spec: ServiceSpec): void {
  const { command, workingDirectory, environment, environmentFile, logFile } = spec;
  const values = [
    ...command,
    workingDirectory,
    ...Object.values(environment),
    environmentFile,
    logFile,
  ];
  const wrong = values.find((value) => /\p{Cc}/u.test(value));
  if (wrong === undefined) return;
  throw new Error(
    `A service cannot be made of ${JSON.stringify(wrong)}: it has a line break or another control character. Rename the folder, or change the variable.`,
  );
}
