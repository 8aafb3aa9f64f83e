// Actions that may be refused, and why they were.
import { RequestError } from "@parley/client";
import { useState } from "preact/hooks";

/**
 * The action of one element, and the reason of its last failure, which is shown next to it; empty if it did not fail.
 */
export function useAttempt(): {
  readonly refusal: string; readonly busy: boolean; attempt(work: () => Promise<unknown>): void;
} {
  const [refusal, setRefusal] = useState("");
  const [busy, setBusy] = useState(false);
  const attempt = (work: () => Promise<unknown>) => {
    setRefusal("");
    setBusy(true);
    void work().catch((e: unknown) => setRefusal(explain(e))).finally(() => setBusy(false));
  };
  return { refusal, busy, attempt };
}

/** Returns why a request failed, for people. */
export function explain(e: unknown): string {
  if (e instanceof RequestError && e.status === 0) {
    return "The server cannot be reached. Try again when you are online.";
  }
  return e instanceof Error && e.message ? e.message : "That did not work.";
}
