const NAME = "KUROMAJUTSU_DATABASE_URL";

let taken: string | undefined;

/**
 * The variable with the address of the database, for `loadConfig`. Removes it from the environment of
 * this process first: no process that we start may inherit the password.
 */
export function takeDatabaseUrl(): Readonly<Record<string, string>> {
  taken = process.env[NAME] || taken;
  delete process.env[NAME];
  return taken === undefined ? {} : { [NAME]: taken };
}
