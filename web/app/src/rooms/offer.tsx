// One line for the first person of a new server: how to be two.
import { dismiss } from "./besides.js";
import { backToComposer } from "../composer/focus.js";
import { IconButton } from "../ui/icons.js";
import { me, useValue } from "../state/store.js";

const done = () => {
  dismiss();
  backToComposer();
};

/** Offers to open a second person in another window, until that was done or somebody else is there. */
export default function Offer() {
  const other = useValue(me) === "bob" ? "alice" : "bob";
  return (
    <p class="offer small">
      <span>To see both sides, <a href={`/#as=${other}`} target="_blank" rel="noopener" onClick={done}>open {other} in another window</a>.</span>
      <IconButton name="close" label="Dismiss" onClick={done} />
    </p>
  );
}
