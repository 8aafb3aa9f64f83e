import type { Poll } from "@parley/client";

/** Reports whether a poll accepts no more votes. */
export const hasEnded = (poll: Poll | undefined, now: number): boolean =>
  !!poll?.endsAt && Date.parse(poll.endsAt) <= now;
