// A message among what the finder lists.
import type { People, SearchResult } from "@parley/client";
import { styled } from "../files/styles.js";
import { Face } from "../people/face.js";
import { nameOf } from "../state/names.js";
import { usePage } from "../state/page.js";
import { Time } from "../ui/parts.js";
import { Matched, useBlocked, useRoomOf } from "./result.js";

/** The contents of a line of the finder: the sender's face, and the message. */
export const FoundMessage = styled(function FoundMessage({ result, people }: { result: SearchResult; people: People }) {
  const page = usePage();
  const { user, receivedAt } = result.message;
  const room = useRoomOf(result);
  const blocked = useBlocked()(result.message);
  return (
    <>
      {blocked ? <span class="face" /> : <Face user={user} people={people} />}
      <span class="s-found">
        <span class="small quiet cut">
          <bdi>
            {blocked ? "Blocked person" : nameOf(page, people, user)}
          </bdi> in <bdi>{room}</bdi>, <Time at={receivedAt} />
        </span>
        {blocked ? <span class="quiet">Blocked message</span> : <Matched result={result} before={20} />}
      </span>
    </>
  );
});
