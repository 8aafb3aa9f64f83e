import { useQuiet } from "../people/status.js";
import { useValue } from "../state/cell.js";
import { mentionsIn } from "../state/counts.js";
import { usePage } from "../state/page.js";

/**
 * Returns the number that the title and the icons show: the unread messages of the list, of muted rooms and of public
 * rooms that the person has not joined only the mentions. It is 0 while the person is not to be disturbed.
 */
export function useTotal(): { unread: number; mentioned: boolean } {
  const { list, elsewhere } = usePage();
  const { rooms, unread } = useValue(list);
  const others = mentionsIn(useValue(elsewhere));
  const quiet = useQuiet();
  return quiet
    ? { unread: 0, mentioned: false }
    : { unread: unread + others, mentioned: others + mentionsIn(rooms) > 0 };
}
