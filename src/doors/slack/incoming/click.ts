import { textOf } from "../../../base/narrow.ts";
import type { SlackRequest } from "../receive/inbox.ts";
import { actionIn } from "../receive/read-request.ts";

/** The value of the clicked button. */
export function valueIn({ body }: SlackRequest): string {
  return textOf(actionIn(body)["value"]) ?? "";
}
