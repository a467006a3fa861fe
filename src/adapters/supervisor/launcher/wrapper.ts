/**
 * Runs one CLI and records its pid and exit code in the status file, whether or not a daemon runs.
 * $1 is the claim, $2 the umask of the CLI, the rest is the CLI. fd 3 is the status file.
 *
 * - A handler (`trap :`) is not inherited, an ignored signal would be: the CLI must receive SIGTERM
 *   while this shell lives on to write the exit line.
 * - `true >` and not `: >`: a failing redirection of a special builtin ends the whole shell.
 * - Without a pid line on disk the CLI is not run: "no pid line" has to mean "never executed".
 * - `3>&-`: no descendant may hold or write the status file.
 */
const WRAPPER = `trap : TERM INT HUP
set -C
{ true >"$1"; } 2>/dev/null || exit 0
set +C
umask "$2"
shift 2
{ read -r KUROMAJUTSU_STAT </proc/$$/stat; } 2>/dev/null ||
  KUROMAJUTSU_STAT="$$ (sh) $(LC_ALL=C TZ=UTC ps -o lstart= -p $$)"
echo "pid $KUROMAJUTSU_STAT" >&3 || exit 0
"$@" 3>&-
echo "exit $?" >&3`;

export function wrapperArguments(claim: string, umask: number, argv: readonly string[]): string[] {
  return ["-c", WRAPPER, "kuromajutsu-agent", claim, umask.toString(8).padStart(4, "0"), ...argv];
}
