/** The name of the program in texts that are written before it is known how it was started. */
const WRITTEN = "kuromajutsu";

/** A command line that begins with the name of the program. */
export function nameCommand(command: string, commandName: string): string {
  return command.replace(/^kuromajutsu\b/, () => commandName);
}

/**
 * Replaces the program in the commands of a text, which are in backticks, with the one that works
 * here: `npx kuromajutsu status` where no `kuromajutsu` is on PATH. Variables may stand before it.
 */
export function nameCommands(text: string, commandName: string): string {
  return commandName === WRITTEN
    ? text
    : text.replaceAll(
        /(`(?:[A-Z_]+=\S+ )*)kuromajutsu(?=[ `])/g,
        (_, start) => `${start}${commandName}`,
      );
}
