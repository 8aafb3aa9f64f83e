import type { Queue } from "./queue.js";

/** Calls fn with the bytes of an unsent message's files that were sent and with all, until it is gone. */
export function watch(queue: Queue, id: string, fn: (sent: number, total: number) => void): void {
  const files = new Set(queue.unsent(id)?.files?.map(f => f.id)); // the message may get another id
  let last = 0;
  const end = queue.list.subscribe(() => {
    const m = queue.list.value.find(m => m.files?.some(f => files.has(f.id)));
    if (!m?.files) return end();
    const sum = (of: "sent" | "bytes") => m.files!.reduce((all, f) => all + f[of], 0);
    const sent = sum("sent");
    if (sent !== last) fn((last = sent), sum("bytes"));
  });
}
