import type { Acts } from "./acts.js";

/** Calls fn with the bytes of an unsent message's files that were sent and with all, until it is gone. */
export function watch(acts: Acts, id: string, fn: (sent: number, total: number) => void): void {
  const of = acts.messages.find(m => m.id === id)?.files?.map(f => f.id);
  const files = new Set(of); // the message may get another id, and lose some of them
  let last = 0;
  const end = acts.subscribe(() => {
    const m = acts.messages.find(m => m.files?.some(f => files.has(f.id)));
    if (!m?.files) return end();
    const sum = (of: "sent" | "bytes") => m.files!.reduce((all, f) => all + f[of], 0);
    const sent = sum("sent");
    if (sent !== last) fn((last = sent), sum("bytes"));
  });
}
