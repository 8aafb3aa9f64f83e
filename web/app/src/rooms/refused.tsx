// Why a person does not see a room. The server says of public rooms only that they are banned.
import { RequestError, type Room } from "@parley/client";
import { useEffect, useState } from "preact/hooks";
import type { Member } from "../api/types.js";
import { usePage } from "../state/page.js";
import { Time } from "../ui/parts.js";

export default function Refused({ room: { id, value: { error, info } } }: { room: Room }) {
  const { chat } = usePage();
  // The connection may know first that the room cannot be read, and does not say why.
  const mayBe = error instanceof RequestError ? error.status === 403 : info?.visibility !== "private";
  const [ban, setBan] = useState<Member | null | undefined>(mayBe ? undefined : null);
  useEffect(() => {
    const path = `/rooms/${encodeURIComponent(id)}/members/me` as const;
    if (mayBe) {
      void chat.value?.request("GET", path).then(m => setBan(m.role === "banned" ? m : null), () => setBan(null));
    }
  }, []);
  if (!ban) return <p role="status">{ban === null && "This room does not exist, or you may not see it."}</p>;
  return (
    <div role="status">
      <p>You are banned from this room{ban.until && <> until <Time at={ban.until} /></>}.</p>
      {ban.reason && <p class="quiet" dir="auto">{ban.reason}</p>}
    </div>
  );
}
