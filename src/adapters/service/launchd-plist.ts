import type { ServiceSpec } from "../../app/ports/service.ts";
import { requireOneLine } from "./require-one-line.ts";

/**
 * The text of a launchd agent for macOS. launchd reads no file with variables, so a shell loads the
 * one with keys and tokens.
 */
export function renderLaunchdPlist(spec: ServiceSpec): string {
  requireOneLine(spec);
  const { name, command, workingDirectory, environment, environmentFile, logFile } = spec;
  const script = 'set -a; [ -r "$0" ] && . "$0"; set +a; exec "$@"';
  const args = ["/bin/sh", "-c", script, environmentFile, ...command];
  const variables = Object.entries(environment).map(
    ([key, value]) => `    <key>${escaped(key)}</key>\n    <string>${escaped(value)}</string>`,
  );
  return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<!-- Written by \`kuromajutsu service install\`; \`kuromajutsu service uninstall\` removes it. -->
<plist version="1.0">
<dict>
  <key>Label</key>
  <string>${escaped(name)}</string>
  <key>ProgramArguments</key>
  <array>
${args.map((each) => `    <string>${escaped(each)}</string>`).join("\n")}
  </array>
  <key>WorkingDirectory</key>
  <string>${escaped(workingDirectory)}</string>
  <key>EnvironmentVariables</key>
  <dict>
${variables.join("\n")}
  </dict>
  <key>RunAtLoad</key>
  <true/>
  <key>KeepAlive</key>
  <dict>
    <key>SuccessfulExit</key>
    <false/>
  </dict>
  <!-- Agents outlive a restart of the daemon, which adopts them again. -->
  <key>AbandonProcessGroup</key>
  <true/>
  <key>ExitTimeOut</key>
  <integer>60</integer>
  <key>Umask</key>
  <integer>63</integer>
  <key>StandardErrorPath</key>
  <string>${escaped(logFile)}</string>
</dict>
</plist>
`;
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
