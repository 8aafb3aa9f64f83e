// The dialogs of the list. Their code is loaded when the first of them is opened.
import "./lateicons.js";
import Account from "./account.js";
import { Block } from "./block.js";
import Create from "./create.js";
import Find from "./find.js";
import { dialog } from "./rooms.js";
import { useValue } from "./store.js";

const Direct = (props: { onClose: () => void }) => <Find direct {...props} />;

const parts = { find: Find, direct: Direct, create: Create, account: Account, block: Block };

export default function Dialogs() {
  const shown = useValue(dialog);
  const Part = shown && parts[shown];
  return Part && <Part onClose={() => (dialog.value = null)} />;
}
