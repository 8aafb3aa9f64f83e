// The rules of new polls, as in the API.
import type { NewPoll } from "@parley/client";

export const fewestOptions = 2;
export const mostOptions = 10;
/** The longest text of an option in bytes. */
export const longestOption = 200;

/** A poll as it is written down. */
export interface PollDraft {
  readonly options: readonly string[];
  readonly multiple: boolean;
  readonly anonymous: boolean;
  /** After how many seconds it ends; 0 if it does not. */
  readonly seconds: number;
}

/** Returns the options that are not empty. */
export const optionsOf = (draft: PollDraft): string[] => draft.options.map(text => text.trim()).filter(Boolean);

/** Returns why the options can make no poll, or "" if they can or are too few yet. */
export function faultOf(draft: PollDraft): string {
  const options = optionsOf(draft);
  if (options.some(text => new TextEncoder().encode(text).length > longestOption)) return "An option is too long.";
  return new Set(options).size < options.length ? "The options must differ." : "";
}

/** Returns the poll of a draft that is sent at a time. */
export const pollOf = (draft: PollDraft, now: number): NewPoll => ({
  options: optionsOf(draft),
  ...(draft.multiple && { multiple: true }),
  ...(draft.anonymous && { anonymous: true }),
  ...(draft.seconds && { endsAt: new Date(now + draft.seconds * 1000).toISOString() }),
});
