import type { Core } from "../../../app/core.ts";
import type { SlackPeople } from "../people/slack-people.ts";
import type { SlackApi } from "../slack-api.ts";
import type { SlackFiles } from "./files.ts";
import type { Permalinks } from "./my-work.ts";
import type { RequestLimit } from "./request-limit.ts";
import type { ResponseUrls } from "./response-url.ts";

/** What the handlers of Slack's requests need. */
export type Incoming = {
  readonly core: Core;
  readonly api: SlackApi;
  readonly people: SlackPeople;
  readonly files: SlackFiles;
  readonly responses: ResponseUrls;
  readonly permalinks: Permalinks;
  readonly requestLimit: RequestLimit;
  /** For codes of `/kuro link`. */
  readonly linkLimit: RequestLimit;
  /** The address of the dashboard for people; undefined: it is only on this machine. */
  readonly dashboardUrl: () => string | undefined;
};
