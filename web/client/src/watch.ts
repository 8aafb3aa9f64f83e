import type { Acts } from "./acts.js";
import { messageOf } from "./uploader.js";

/** Calls fn with the bytes of an unsent message's files that were sent and with all, until it is gone. */
export function watch(acts: Acts, id: string, fn: (sent: number, total: number) => void): void {
  const message = acts.find(id);
  const [file] = (message?.kind === "message" && message.files) || []; // the message may get another id
  let last = 0;
  const end = acts.subscribe(() => {
    const files = messageOf(acts, file?.id ?? "")?.files;
    if (!files) return end();
    const sum = (of: "sent" | "bytes") => files.reduce((all, f) => all + f[of], 0);
    const sent = sum("sent");
    if (sent !== last) fn((last = sent), sum("bytes"));
  });
}
