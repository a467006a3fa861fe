import { errorCode } from "../../base/error-code.ts";
import { buildProgram, Stopped } from "./build-program.ts";
import type { Cli } from "./cli.ts";
import { COMMANDS } from "./commands.ts";
import { COMPLETE } from "./completion/shell-scripts.ts";
import { InvalidParameter } from "./define-command.ts";
import { explainInvalid, explainUsage } from "./explain-usage.ts";
import { readRequest } from "./read-request.ts";
import { writeWrapped } from "./screen/wrap-text.ts";

const USAGE_ERROR = 2;
/** What a shell reports for a program that SIGPIPE has ended. */
const CLOSED_PIPE = 141;

/** Every command but `mcp`, which must start without loading this. Returns the exit code. */
export async function runCli(argv: readonly string[], cli: Cli): Promise<number> {
  // `kuromajutsu … | head` closes the pipe early, which is not an error.
  process.stdout.on("error", (error) => {
    if (errorCode(error) !== "EPIPE") throw error;
    process.exit(CLOSED_PIPE);
  });
  if (argv[0] === COMPLETE) {
    const { printCompletions } = await import("./completion/print-completions.ts");
    return printCompletions(argv.slice(1), cli);
  }
  const request = readRequest(argv, COMMANDS);
  if (request.config !== undefined) process.env["KUROMAJUTSU_CONFIG"] = request.config;
  let code = 0;
  const program = buildProgram({
    commands: COMMANDS,
    version: cli.version,
    program: cli.command,
    // Only the help shows descriptions; reading the configuration for them takes time.
    locale: request.wantsHelp ? await cli.locale() : "en",
    async run(command, args, options) {
      try {
        code = await command.run(cli, args, options);
      } catch (error) {
        if (!(error instanceof InvalidParameter)) throw error;
        code = refuse(
          explainInvalid(error, `${cli.command} ${command.name}`, command, await cli.locale()),
        );
      }
    },
  });
  try {
    await program.parseAsync(request.argv, { from: "user" });
    return code;
  } catch (error) {
    if (!(error instanceof Stopped)) throw error;
    return error.exitCode === 0 ? 0 : refuse(explainUsage(error, await cli.locale()));
  }
}

function refuse(explanation: string): number {
  writeWrapped(process.stderr, explanation);
  return USAGE_ERROR;
}
