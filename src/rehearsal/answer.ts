import { fieldsOf, isRecord, parseJson, textOf, type Fields } from "../base/narrow.ts";
import { NOTIFICATION_LINE } from "../domain/notifications/notification.ts";

export type ToolAnswer = {
  readonly text: string;
  readonly isError: boolean;
  /** What it says as data; empty if it says nothing that can be read so. */
  readonly fields: Fields;
  /** It came with the line that there is a notification to read. */
  readonly isNotifying: boolean;
  /** The connection broke, and the call must not be made twice: it ran or it did not. */
  readonly isOutcomeUnknown: boolean;
};

type CallResult = {
  readonly content: readonly { readonly type: string }[];
  readonly structuredContent?: unknown;
  readonly isError?: boolean | undefined;
};

export function readAnswer(result: CallResult): ToolAnswer {
  const texts = result.content
    .map((block) => ("text" in block ? (textOf(block.text) ?? "") : ""))
    .filter((text) => text !== "");
  // A refusal has no structured content, and a gateway may put its line in a block of its own.
  const objects = [result.structuredContent, ...texts.map(parseJson)].filter(isRecord);
  return {
    text: texts.join("\n"),
    isError: result.isError === true,
    fields: fieldsOf(objects[0]),
    isNotifying:
      objects.some(({ notification }) => notification === NOTIFICATION_LINE) ||
      texts.includes(NOTIFICATION_LINE),
    isOutcomeUnknown: false,
  };
}

export function noAnswer(text: string, { isOutcomeUnknown = false } = {}): ToolAnswer {
  return { text, isError: true, fields: {}, isNotifying: false, isOutcomeUnknown };
}
