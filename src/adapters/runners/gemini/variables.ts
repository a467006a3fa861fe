const DEFAULTS_PATH = "GEMINI_CLI_SYSTEM_DEFAULTS_PATH";

/** The ways to sign in (API key, Google account, Vertex AI, gateway), and where the CLI keeps it. */
export const GEMINI_VARIABLES: readonly string[] = [
  "GEMINI_API_KEY",
  "GEMINI_API_KEY_AUTH_MECHANISM",
  "GEMINI_CLI_CUSTOM_HEADERS",
  "GEMINI_CLI_HOME",
  "GEMINI_CLI_USE_COMPUTE_ADC",
  "GEMINI_DEFAULT_AUTH_TYPE",
  "GEMINI_FORCE_ENCRYPTED_FILE_STORAGE",
  "GEMINI_FORCE_FILE_STORAGE",
  "GEMINI_MODEL",
  "GOOGLE_API_KEY",
  "GOOGLE_APPLICATION_CREDENTIALS",
  "GOOGLE_CLOUD_ACCESS_TOKEN",
  "GOOGLE_CLOUD_LOCATION",
  "GOOGLE_CLOUD_PROJECT",
  "GOOGLE_CLOUD_PROJECT_ID",
  "GOOGLE_CLOUD_QUOTA_PROJECT",
  "GOOGLE_CLOUD_REGION",
  "GOOGLE_CLOUD_UNIVERSE_DOMAIN",
  "GOOGLE_GEMINI_BASE_URL",
  "GOOGLE_GENAI_API_VERSION",
  "GOOGLE_GENAI_USE_GCA",
  "GOOGLE_GENAI_USE_VERTEXAI",
  "GOOGLE_VERTEX_BASE_URL",
  "CLOUDSDK_CONFIG",
  "CLOUD_SHELL",
  "CODE_ASSIST_API_VERSION",
  "CODE_ASSIST_ENDPOINT",
  // The keyring of a Linux desktop.
  "DBUS_SESSION_BUS_ADDRESS",
];

/**
 * The administrator's defaults of the machine. The CLI looks for them beside the system settings,
 * and those of a run are in the folder of the run.
 */
export function systemDefaultsPath(): string {
  const folder =
    process.platform === "darwin" ? "/Library/Application Support/GeminiCli" : "/etc/gemini-cli";
  return process.env[DEFAULTS_PATH] ?? `${folder}/system-defaults.json`;
}
