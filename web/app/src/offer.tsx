// One line for the first person of a new server: how to be two.
import { dismiss } from "./besides.js";
import { IconButton } from "./icons.js";
import { me, useValue } from "./store.js";

/** Offers to open a second person in another window, until that was done or somebody else is there. */
export default function Offer() {
  const other = useValue(me) === "bob" ? "alice" : "bob";
  return (
    <p class="offer small">
      <span>To see both sides, <a href={`/#as=${other}`} target="_blank" rel="noopener" onClick={dismiss}>open {other} in another window</a>.</span>
      <IconButton name="close" label="Dismiss" onClick={dismiss} />
    </p>
  );
}
